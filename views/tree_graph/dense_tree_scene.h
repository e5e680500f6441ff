// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tree_graph/label_room_scene.h"
#include "views/tree_graph/tree_graph_scene.h"

#include <vector>

namespace skein {

/// Edges of a picture whose rows are narrower than pixels: of every level the pixels that lines of it cover,
/// in blocks of pixels, or, where levels are wide, neighbours in one rectangle. `room` is that of the body.
/// O(nodes in sight + levels in sight · height / 64).
void drawDenseEdges(DrawList& list, LabelRoom& room, const TreeGraph& graph, const TreeGraphLayout& layout,
                    const Canvas& canvas);

/// Nodes as squares of `side` pixels, a block of pixels a level; where several share a pixel the selected
/// ones are seen, else the one with the greatest colour value. `selected` is in order. O(nodes in sight +
/// levels in sight · height).
void drawDenseNodes(DrawList& list, LabelRoom& room, const TreeGraph& graph,
                    const std::vector<std::uint32_t>& selected, const TreeGraphOptions& options,
                    const TreeGraphLayout& layout, double side, const Canvas& canvas);

}  // namespace skein
