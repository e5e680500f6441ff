// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <span>
#include <vector>

namespace skein {

/// Pieces of a curve between two of its points.
inline constexpr int kCurveSteps = 8;

/// A cardinal spline through all points, the ends doubled, as kCurveSteps pieces between two of them.
/// `strength` is that of its tangents: 0 gives straight pieces, 1 the spline of Catmull and Rom. Fewer than
/// three points: as they are.
std::vector<Point> cardinalCurve(std::span<const Point> points, double strength);

/// A uniform cubic B-spline from the first point to the last that is drawn by those between, as kCurveSteps
/// pieces a point. With a `strength` below 1 these lie nearer to the straight line (Holten 2006, equation 1):
/// 0 gives that line. Fewer than three points: as they are.
std::vector<Point> bSplineCurve(std::span<const Point> points, double strength);

/// A uniform Catmull-Rom spline (1974) through all points, the ends doubled, as kCurveSteps pieces between
/// two of them. Fewer than three points: as they are.
std::vector<Point> catmullRomCurve(std::span<const Point> points);

}  // namespace skein
