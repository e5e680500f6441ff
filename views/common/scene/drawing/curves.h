// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <span>
#include <vector>

namespace skein {

/// Pieces of a curve between two of its points.
inline constexpr int kCurveSteps = 8;

/// A uniform Catmull-Rom spline (1974) through all points, the ends doubled, as kCurveSteps pieces between
/// two of them. Fewer than three points: as they are.
std::vector<Point> catmullRomCurve(std::span<const Point> points);

}  // namespace skein
