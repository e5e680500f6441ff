// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/ranked_metric.h"

#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"

namespace skein::ranked_metric_test {
namespace {

/// On a line of three nodes: 0 -> 2 with 10 bytes in 2 messages, 1 -> 2 with 30 in 1.
Traffic lineTraffic(const Topology& line)
{
    NodeTraffic nodes;
    nodes.pairs = {{0, 2, 2, 10}, {1, 2, 1, 30}};
    return traffic(line, usualRouting(line), nodes, nullptr, Task()).value();
}

}  // namespace

TEST_CASE("routes and links are ranked by their amounts, with what they are of all")
{
    const Topology line = makeTopology("mesh:3").value();
    const Traffic given = lineTraffic(line);
    using Values = std::vector<RankedValue>;
    CHECK(rankedRoutes(line, given, RankedMetric::RouteBytes).value()
          == Values{{1, 2, 30, 0.75}, {0, 2, 10, 1.0}});
    CHECK(rankedRoutes(line, given, RankedMetric::RouteLength).value()
          == Values{{0, 2, 2, 2.0 / 3}, {1, 2, 1, 1.0}});
    CHECK(rankedRoutes(line, given, RankedMetric::HopBytes).value()
          == Values{{1, 2, 30, 0.6}, {0, 2, 20, 1.0}});
    CHECK(rankedRoutes(line, given, RankedMetric::LinkBytes).value()
          == Values{{1, 2, 40, 0.8}, {0, 1, 10, 1.0}});
    CHECK_FALSE(rankedRoutes(line, given, RankedMetric::InDegree).has_value());
}

TEST_CASE("the degree of a rank is its messages, or its partners where none are told")
{
    const CommMatrix told(3, {{0, 1, 5, 1}, {0, 2, 1, 1}, {2, 1, 2, 1}});
    using Values = std::vector<RankedValue>;
    CHECK(rankedRanks(told, RankedMetric::InDegree)
          == Values{{1, 0, 7, 0.875}, {2, 0, 1, 1.0}, {0, 0, 0, 1.0}});
    CHECK(rankedRanks(told, RankedMetric::OutDegree)
          == Values{{0, 0, 6, 0.75}, {2, 0, 2, 1.0}, {1, 0, 0, 1.0}});
    CHECK(rankedRanks(told, RankedMetric::InMinusOut)
          == Values{{1, 0, 7, 0.5}, {2, 0, -1, 8.0 / 14}, {0, 0, -6, 1.0}});
    const CommMatrix untold(3, {{0, 1, 0, 100}, {0, 2, 0, 1}, {2, 1, 0, 1}});
    CHECK(rankedRanks(untold, RankedMetric::InDegree).front() == RankedValue{1, 0, 2, 2.0 / 3});
}

TEST_CASE("split messages have bytes, and no single length")
{
    const Topology torus = makeTopology("torus:4x4").value();
    NodeTraffic nodes;
    nodes.pairs = {{0, 5, 1, 100}};
    const RoutingModel ecmp = parseRoutingModel("ecmp", torus).value();
    const Traffic split = traffic(torus, ecmp, nodes, nullptr, Task()).value();
    CHECK(rankedRoutes(torus, split, RankedMetric::RouteBytes).value().front().value == 100);
    CHECK_FALSE(rankedRoutes(torus, split, RankedMetric::HopBytes).has_value());
}

}  // namespace skein::ranked_metric_test
