// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/lasso.h"

#include "algorithms/layout/force_layout.h"
#include "tests/support/catch.h"
#include "tests/support/scenes.h"

namespace skein::lasso_test {

TEST_CASE("within a line that closes itself lies what it goes around an odd number of times")
{
    const std::vector<Point> square{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    CHECK(liesWithin(square, {5, 5}));
    CHECK_FALSE(liesWithin(square, {15, 5}));
    CHECK_FALSE(liesWithin(square, {5, -1}));
    std::vector<Point> twice = square;
    twice.insert(twice.end(), square.begin(), square.end());
    CHECK_FALSE(liesWithin(twice, {5, 5}));
    CHECK_FALSE(liesWithin(std::vector<Point>(), {5, 5}));
    CHECK_FALSE(liesWithin(std::vector<Point>{{0, 0}, {10, 10}}, {5, 4}));
    CHECK(liesWithin(std::vector<PlanePoint>{{-2, -2}, {2, -2}, {0, 3}}, {0, 0}));
}

TEST_CASE("a lasso that hardly moves is a click where it began, and one that was dropped is none")
{
    Lasso lasso;
    lasso.goOn({1, 1});
    CHECK_FALSE(lasso.begun());
    CHECK(lasso.end(1).empty());
    lasso.begin({10, 10});
    lasso.goOn({12, 12});
    CHECK(lasso.end(1) == std::vector<Point>{{10, 10}});
    CHECK_FALSE(lasso.begun());
    lasso.begin({10, 10});
    lasso.goOn({15, 10});
    lasso.goOn({10, 10});
    CHECK(lasso.end(1).size() == 3);
    lasso.begin({10, 10});
    lasso.goOn({15, 10});
    CHECK(lasso.end(2).size() == 1);
    lasso.begin({10, 10});
    lasso.drop();
    CHECK_FALSE(lasso.begun());
}

TEST_CASE("a lasso is drawn from its third point on")
{
    const test::PlainCanvas plain(100, 100);
    Lasso lasso;
    lasso.begin({10, 10});
    lasso.goOn({20, 10});
    DrawList list;
    lasso.draw(list, plain.canvas);
    CHECK(list.items.empty());
    lasso.goOn({20, 20});
    lasso.draw(list, plain.canvas);
    REQUIRE(test::itemsOf<PolygonItem>(list).size() == 1);
    CHECK(test::itemsOf<PolygonItem>(list)[0].points.size() == 3);
}

}  // namespace skein::lasso_test
