// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tree_graph/tree_graph_scene.h"

#include <utility>

namespace skein {

/// The colour of a value between the least and the greatest one.
Color scaleColor(const NodeQuantity& quantity, std::pair<double, double> range,
                 const TreeGraphOptions& options, const Theme& theme, double value);
/// Where a diverging map has no colour: 0 where amounts have both signs, 1 of ratios of runs, else the
/// middle.
double colorMiddle(const NodeQuantity& quantity, std::pair<double, double> range);

/// A strip of colours and discs of areas, both with amounts, and how many call paths are shown. Where each
/// tree has a scale of its own, the ends of every tree's stand below its root.
void drawTreeLegends(DrawList& list, const TreeGraph& graph, const TreeGraphOptions& options,
                     const TreeGraphLayout& layout, const Canvas& canvas);

}  // namespace skein
