// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tree_graph/label_room_scene.h"
#include "views/tree_graph/tree_graph_scene.h"

#include <vector>

namespace skein {

/// Where edges from a node bend towards its children. Device pixels.
double treeBend(const TreeGraph& graph, const TreeGraphLayout& layout, std::uint32_t node,
                const Canvas& canvas);

Color treeEdgeColor(const Theme& theme);

/// How wide the bars of locations below nodes are; 0 where rows are too low for them or there are none.
double treeSpreadWidth(const TreeGraph& graph, const TreeGraphLayout& layout, const Canvas& canvas);

/// Names of nodes where there is room for them, none upon anything that was drawn: first of what is selected
/// or has a note, then of leaves, then of inner nodes, then of surrogates, each the greatest first. A leaf's
/// stands behind it, or, where there is no room, over its edge, as an inner node's does. `room` is that of
/// the body. O(nodes seen + labels · rows).
void drawTreeLabels(DrawList& list, LabelRoom& room, const TreeGraph& graph,
                    const std::vector<std::uint32_t>& selected, const TreeGraphOptions& options,
                    const TreeGraphLayout& layout, const Canvas& canvas);

}  // namespace skein
