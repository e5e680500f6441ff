// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/curves.h"

#include "tests/support/catch.h"

#include <cmath>

namespace skein::curves_test {
namespace {

const std::vector<Point> kBent{{0, 0}, {10, 20}, {30, 20}, {40, 0}};

}  // namespace

TEST_CASE("curves: a cardinal spline goes through its points, straight without strength")
{
    const auto curve = cardinalCurve(kBent, 1);
    REQUIRE(curve.size() == 3 * kCurveSteps + 1);
    for (std::size_t i = 0; i < kBent.size(); ++i) {
        CHECK(curve[i * kCurveSteps].x == Approx(kBent[i].x).margin(1e-12));
        CHECK(curve[i * kCurveSteps].y == Approx(kBent[i].y).margin(1e-12));
    }
    // Catmull and Rom: halfway (−p0 + 9 p1 + 9 p2 − p3) / 16.
    const Point middle = curve[kCurveSteps + kCurveSteps / 2];
    CHECK(middle.x == Approx(20));
    CHECK(middle.y == Approx((9 * 20 + 9 * 20) / 16.0));
    const auto strong = cardinalCurve(kBent, 1.5);
    CHECK(strong[kCurveSteps + kCurveSteps / 2].y > middle.y);
    for (const Point& point : cardinalCurve(std::vector<Point>{{0, 0}, {10, 10}, {20, 0}}, 0))
        CHECK(point.y == Approx(10 - std::abs(point.x - 10)).margin(1e-9));
}

TEST_CASE("curves: a B-spline begins and ends at its ends, and is drawn by what lies between")
{
    const auto curve = bSplineCurve(kBent, 1);
    CHECK(
        (curve.front() == kBent.front() && curve.back().x == Approx(40) && std::abs(curve.back().y) < 1e-9));
    // Where a piece of a cubic B-spline begins: (p0 + 4 p1 + p2) / 6.
    double nearest = 1e9;
    for (const Point& point : curve)
        nearest = std::min(nearest, std::hypot(point.x - 70 / 6.0, point.y - 100 / 6.0));
    CHECK(nearest < 1e-9);
    double highest = 0;
    for (const Point& point : curve) highest = std::max(highest, point.y);
    CHECK(highest < 20);
    const auto weak = bSplineCurve(kBent, 0.5);
    double weakHighest = 0;
    for (const Point& point : weak) weakHighest = std::max(weakHighest, point.y);
    CHECK(weakHighest == Approx(highest / 2));
    for (const Point& point : bSplineCurve(kBent, 0)) CHECK(std::abs(point.y) < 1e-9);
    CHECK(bSplineCurve(std::vector<Point>{{0, 0}, {4, 4}}, 1).size() == 2);
}

}  // namespace skein::curves_test
