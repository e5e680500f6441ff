// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <vector>

namespace skein {

/// Divides the area among the weights, which must not increase and must be > 0: areas are proportional to the
/// weights, and rectangles as close to squares as the greedy rule gets them (Bruls, Huizing, van Wijk:
/// "Squarified treemaps", 2000, section 3.2). One rectangle a weight, in their order; together they cover the
/// area without overlap. O(n · length of a row).
std::vector<Rect> squarify(const std::vector<double>& weights, Rect area);

}  // namespace skein
