// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/curves.h"

#include <algorithm>

namespace skein {
namespace {

/// Of the cubic from b to c (Hermite); the tangents are along a to c and b to d.
Point cardinal(Point a, Point b, Point c, Point d, double strength, double t)
{
    const double t2 = t * t, t3 = t2 * t;
    const auto along = [&](double p, double q, double r, double s) {
        const double begin = strength * (r - p) / 2, end = strength * (s - q) / 2;
        return (2 * t3 - 3 * t2 + 1) * q + (t3 - 2 * t2 + t) * begin + (3 * t2 - 2 * t3) * r
            + (t3 - t2) * end;
    };
    return {along(a.x, b.x, c.x, d.x), along(a.y, b.y, c.y, d.y)};
}

Point bSpline(Point a, Point b, Point c, Point d, double t)
{
    const double t2 = t * t, t3 = t2 * t;
    const auto along = [&](double p, double q, double r, double s) {
        return ((1 - 3 * t + 3 * t2 - t3) * p + (4 - 6 * t2 + 3 * t3) * q + (1 + 3 * t + 3 * t2 - 3 * t3) * r
                + t3 * s)
            / 6;
    };
    return {along(a.x, b.x, c.x, d.x), along(a.y, b.y, c.y, d.y)};
}

/// The points between the ends are moved towards the straight line.
std::vector<Point> straightened(std::span<const Point> points, double strength)
{
    std::vector<Point> moved(points.begin(), points.end());
    const Point first = points.front(), last = points.back();
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(moved.size() - 1);
        const auto between = [&](double at, double from, double to) {
            return strength * at + (1 - strength) * (from + part * (to - from));
        };
        moved[i] = {between(moved[i].x, first.x, last.x), between(moved[i].y, first.y, last.y)};
    }
    return moved;
}

}  // namespace

std::vector<Point> cardinalCurve(std::span<const Point> points, double strength)
{
    if (points.size() < 3) return {points.begin(), points.end()};
    std::vector<Point> all{points.front()};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Point& before = points[i > 0 ? i - 1 : 0];
        const Point& after = points[std::min(points.size() - 1, i + 2)];
        for (int step = 1; step <= kCurveSteps; ++step)
            all.push_back(cardinal(before, points[i], points[i + 1], after, strength,
                                   static_cast<double>(step) / kCurveSteps));
    }
    return all;
}

std::vector<Point> bSplineCurve(std::span<const Point> points, double strength)
{
    if (points.size() < 3) return {points.begin(), points.end()};
    std::vector<Point> control = straightened(points, strength);
    // Ends that are there three times are on the curve.
    control.insert(control.begin(), 2, control.front());
    control.insert(control.end(), 2, control.back());
    std::vector<Point> all{points.front()};
    for (std::size_t i = 0; i + 3 < control.size(); ++i)
        for (int step = 1; step <= kCurveSteps; ++step)
            all.push_back(bSpline(control[i], control[i + 1], control[i + 2], control[i + 3],
                                  static_cast<double>(step) / kCurveSteps));
    return all;
}

std::vector<Point> catmullRomCurve(std::span<const Point> points) { return cardinalCurve(points, 1); }

}  // namespace skein
