// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/curves.h"

#include <algorithm>

namespace skein {
namespace {

Point catmullRom(Point a, Point b, Point c, Point d, double t)
{
    const double t2 = t * t, t3 = t2 * t;
    const auto along = [&](double p, double q, double r, double s) {
        return 0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t2 + (3 * q - p - 3 * r + s) * t3);
    };
    return {along(a.x, b.x, c.x, d.x), along(a.y, b.y, c.y, d.y)};
}

}  // namespace

std::vector<Point> catmullRomCurve(std::span<const Point> points)
{
    if (points.size() < 3) return {points.begin(), points.end()};
    std::vector<Point> all{points.front()};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Point& before = points[i > 0 ? i - 1 : 0];
        const Point& after = points[std::min(points.size() - 1, i + 2)];
        for (int step = 1; step <= kCurveSteps; ++step)
            all.push_back(
                catmullRom(before, points[i], points[i + 1], after, static_cast<double>(step) / kCurveSteps));
    }
    return all;
}

}  // namespace skein
