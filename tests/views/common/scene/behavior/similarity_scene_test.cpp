// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/behavior/similarity_scene.h"

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/cluster_colors.h"

#include <algorithm>

namespace skein::similarity_scene_test {

namespace {

SessionBehaviorPtr luleshBehavior()
{
    const Session session{{openExperiment(test::sourcePath("examples/lulesh-8/trace-otf2"), Task()).value()}};
    BehaviorRequest request;
    request.metric = "exclusive:MPI";
    request.clusters = 2;
    return makeBehavior(session, request, nullptr, Task()).value();
}

}  // namespace

TEST_CASE("similarity puts a dot an entity in its cluster's colour, with one scale both ways")
{
    const SessionBehaviorPtr behavior = luleshBehavior();
    const test::PlainCanvas plain(600, 400);
    const SimilarityLayout layout = similarityLayout(*behavior, plain.canvas);
    std::vector<std::size_t> dots(2);
    const DrawList list = similarityScene(*behavior, {}, plain.canvas, Task());
    for (const RectItem& dot : test::itemsOf<RectItem>(list))
        for (std::uint32_t cluster = 0; cluster < 2; ++cluster)
            dots[cluster] += dot.fill == clusterColor(cluster, false) ? 1 : 0;
    CHECK(dots == behavior->clusterSizes);
    const auto& places = behavior->projection.places;
    for (std::size_t i = 0; i < 8; ++i) {
        const Point at = layout.placeOf(*behavior, i);
        CHECK(layout.body.contains(at));
        CHECK(similarEntityAt(*behavior, layout, at, 1));
        const Point first = layout.placeOf(*behavior, 0);
        CHECK(at.x - first.x == Approx((places[2 * i] - places[0]) * layout.pixels).margin(1e-6));
        CHECK(first.y - at.y == Approx((places[2 * i + 1] - places[1]) * layout.pixels).margin(1e-6));
    }
}

TEST_CASE("a lasso takes the dots within it, whatever its turn, and nothing where it has no inside")
{
    const SessionBehaviorPtr behavior = luleshBehavior();
    const test::PlainCanvas plain(600, 400);
    const SimilarityLayout layout = similarityLayout(*behavior, plain.canvas);
    std::vector<Point> all{{-1, -1}, {601, -1}, {601, 401}, {-1, 401}};
    CHECK(entitiesWithin(*behavior, layout, all).size() == 8);
    std::reverse(all.begin(), all.end());
    CHECK(entitiesWithin(*behavior, layout, all).size() == 8);
    CHECK(entitiesWithin(*behavior, layout, {}).empty());
    CHECK(entitiesWithin(*behavior, layout, {{0, 0}, {600, 400}}).empty());
    // Left of a line exactly those whose place is.
    const double x = layout.placeOf(*behavior, 2).x + 0.5;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < 8; ++i)
        if (layout.placeOf(*behavior, i).x < x) left.push_back(i);
    CHECK(entitiesWithin(*behavior, layout, {{-1, -1}, {x, -1}, {x, 401}, {-1, 401}}) == left);
}

}  // namespace skein::similarity_scene_test
