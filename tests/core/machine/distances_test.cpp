// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/distances.h"

#include "core/machine/topology.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"

#include <queue>

namespace skein::distances_test {

namespace {

using Dimensions = std::vector<GridDimension>;

std::vector<std::uint32_t> coordinatesOf(const Dimensions& dimensions, std::uint32_t node)
{
    std::vector<std::uint32_t> result(dimensions.size());
    for (std::size_t d = dimensions.size(); d-- > 0; node /= dimensions[d].size)
        result[d] = node % dimensions[d].size;
    return result;
}

bool areNeighbours(const Dimensions& dimensions, std::uint32_t a, std::uint32_t b)
{
    const auto from = coordinatesOf(dimensions, a);
    const auto to = coordinatesOf(dimensions, b);
    int differing = 0;
    bool adjacent = false;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (from[d] == to[d]) continue;
        ++differing;
        const std::uint32_t apart = from[d] > to[d] ? from[d] - to[d] : to[d] - from[d];
        adjacent = apart == 1 || dimensions[d].shape == DimensionShape::Complete
            || (dimensions[d].shape == DimensionShape::Ring && apart == dimensions[d].size - 1);
    }
    return differing == 1 && adjacent;
}

std::vector<std::uint32_t> hopsByBreadthFirstSearch(const Dimensions& dimensions, std::uint32_t nodes,
                                                    std::uint32_t from)
{
    std::vector<std::uint32_t> hops(nodes, 0xffffffff);
    std::queue<std::uint32_t> open;
    hops[from] = 0;
    for (open.push(from); !open.empty(); open.pop()) {
        const std::uint32_t at = open.front();
        for (std::uint32_t next = 0; next < nodes; ++next) {
            if (hops[next] != 0xffffffff || !areNeighbours(dimensions, at, next)) continue;
            hops[next] = hops[at] + 1;
            open.push(next);
        }
    }
    return hops;
}

}  // namespace

TEST_CASE("grid distances equal breadth-first search over the links")
{
    using enum DimensionShape;
    const std::vector<Dimensions> machines = {{{4, Ring}, {3, Ring}, {2, Ring}},
                                              {{5, Line}, {4, Ring}},
                                              {{3, Complete}, {4, Complete}, {2, Ring}},
                                              {{1, Ring}},
                                              {{7, Ring}}};
    for (const Dimensions& dimensions : machines) {
        const Distances distances(GridDistances::create(dimensions).value());
        for (std::uint32_t from = 0; from < distances.nodes(); ++from) {
            const auto hops = hopsByBreadthFirstSearch(dimensions, distances.nodes(), from);
            for (std::uint32_t to = 0; to < distances.nodes(); ++to)
                REQUIRE(distances.between(from, to) == hops[to]);
        }
    }
}

TEST_CASE("copies of grid distances stay valid after the original is gone")
{
    Distances copy;
    {
        const Distances original(GridDistances::create({{16, DimensionShape::Ring}}).value());
        copy = original;
    }
    CHECK(copy.between(0, 15) == 1);
    CHECK(copy.grid()->along(0, 3, 11) == 8);
}

TEST_CASE("grid sizes that cannot be held are refused")
{
    CHECK(!GridDistances::create({{0, DimensionShape::Ring}}));
    CHECK(!GridDistances::create({{65536, DimensionShape::Ring}}));
    CHECK(!GridDistances::create(Dimensions(25, {2, DimensionShape::Ring})));
    CHECK(!GridDistances::create(Dimensions(4, {60000, DimensionShape::Ring})));
    CHECK(GridDistances::create({{65535, DimensionShape::Line}}).value().between(0, 65534) == 65534);
}

TEST_CASE("distances of a tree follow from its blocks as from a search of the fat tree's links")
{
    using Levels = std::vector<std::uint32_t>;
    for (const auto& [children, spec] :
         std::vector<std::pair<Levels, std::string>>{{{2, 2, 2, 2}, "fattree:k=2,n=4"},
                                                     {{4, 2, 8}, "fattree:xgft(3;4,2,8;1,2,2)"},
                                                     {{3, 5, 2}, "fattree:xgft(3;3,5,2;2,1,3)"},
                                                     {{1, 6, 4}, "fattree:xgft(3;1,6,4;1,1,2)"},
                                                     {{7}, "fattree:xgft(1;7;1)"}}) {
        const Distances rule(TreeDistances::create(children).value());
        const Distances searched = distances(makeTopology(spec).value(), Task()).value();
        INFO(spec);
        REQUIRE(rule.nodes() == searched.nodes());
        CHECK(rule.symmetric());
        for (std::uint32_t from = 0; from < rule.nodes(); ++from) {
            for (std::uint32_t to = 0; to < rule.nodes(); ++to)
                REQUIRE(rule.between(from, to) == searched.between(from, to));
        }
    }
    CHECK_FALSE(TreeDistances::create({}).has_value());
    CHECK_FALSE(TreeDistances::create({0}).has_value());
    CHECK_FALSE(TreeDistances::create(Levels(17, 1)).has_value());
    CHECK_FALSE(TreeDistances::create({1u << 20, 1u << 20}).has_value());
}

TEST_CASE("distances of a large fat tree need no table")
{
    // A table of its 65,536 routers would pass what is allowed.
    const Distances tree = distances(makeTopology("fattree:xgft(3;2,256,256;1,1,1)").value(), Task()).value();
    CHECK(tree.between(0, 1) == 2);
    CHECK(tree.between(0, 2) == 4);
    CHECK(tree.between(511, 512) == 6);
}

TEST_CASE("table distances add the way to the router only between different nodes")
{
    const std::vector<std::uint16_t> hops = {0, 300, 1, 0};
    const auto distances = Distances::fromRouters({0, 0, 1}, 2, hops, 2).value();
    CHECK_FALSE(distances.symmetric());
    CHECK(distances.between(0, 0) == 0);
    CHECK(distances.between(0, 1) == 2);
    CHECK(distances.between(0, 2) == 302);
    CHECK(distances.between(2, 0) == 3);
    CHECK(Distances::fromRouters({0, 1}, 2, std::vector<std::uint8_t>{0, 7, 7, 0}, 0).value().symmetric());
    CHECK(!Distances::fromRouters({0, 2}, 2, hops, 0));
    CHECK(!Distances::fromRouters({0}, 3, hops, 0));
}

}  // namespace skein::distances_test
