// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/comm_graph.h"

#include "algorithms/mapping/base/random.h"
#include "core/machine/topology_spec.h"

#include "tests/support/catch.h"
#include <cmath>

namespace skein::comm_graph_test {
namespace {

struct Run {
    Topology topology;
    CommMatrix matrix;
    Placement placement;
    Traffic traffic;
};

Run runOn(const std::string& spec, std::uint32_t ranksPerNode, std::vector<CommMatrix::Entry> entries)
{
    Run run{*makeTopology(spec, Task()), {}, {}, {}};
    const std::uint32_t ranks = run.topology.nodes() * ranksPerNode;
    run.matrix = CommMatrix(ranks, std::move(entries));
    run.placement = *placeInBlocks(run.topology, ranks, ranksPerNode);
    auto nodes = nodeTraffic(run.matrix, run.placement);
    run.traffic = *traffic(run.topology, usualRouting(run.topology), std::move(*nodes), nullptr, Task());
    return run;
}

std::vector<CommMatrix::Entry> randomEntries(std::uint32_t ranks, int count)
{
    Random random(11);
    std::vector<CommMatrix::Entry> entries;
    for (int i = 0; i < count; ++i)
        entries.push_back(
            {random.below(ranks), random.below(ranks), 1 + random.below(4), random.below(1000)});
    return entries;
}

/// Sums that no grouping may change.
struct Totals {
    std::uint64_t bytes = 0, messages = 0, hopBytes = 0;
    bool operator==(const Totals&) const = default;
};

Totals totalsOf(const CommGraph& graph)
{
    Totals totals;
    for (const CommGraph::Flow& flow : graph.flows) {
        totals.bytes += flow.bytes;
        totals.messages += flow.messages;
    }
    for (const CommGraph::Vertex& vertex : graph.vertices) {
        totals.bytes += vertex.bytesInside;
        totals.messages += vertex.messagesInside;
    }
    return totals;
}

}  // namespace

TEST_CASE("ranks that communicate are vertices; what they send themselves stays inside")
{
    const CommMatrix matrix(5, {{0, 1, 2, 100}, {1, 0, 1, 50}, {3, 3, 4, 7}});
    const CommGraph graph = graphOfRanks(matrix);
    REQUIRE(graph.vertices.size() == 3);
    CHECK(graph.vertexOf == std::vector<std::uint32_t>{0, 1, CommGraph::kNone, 2, CommGraph::kNone});
    CHECK(graph.vertices[0] == CommGraph::Vertex{1, 2, 50, 100, 0, 0});
    CHECK(graph.vertices[2] == CommGraph::Vertex{0, 0, 0, 0, 7, 4});
    REQUIRE(graph.flows.size() == 2);
    CHECK(graph.flows[0].bytes == 100);
    CHECK(graph.wayOf(graph.flows[1])[0] == 1);
}

TEST_CASE("where messages are not told a degree counts partners")
{
    const CommGraph graph = graphOfRanks(CommMatrix(3, {{0, 1, 0, 100}, {0, 2, 0, 50}, {2, 0, 0, 1}}));
    CHECK(graph.vertices[0].out == 2);
    CHECK(graph.vertices[0].in == 1);
}

TEST_CASE("on a machine flows know their way, their hops and the highest load")
{
    const Run run = runOn("mesh:4", 1, {{0, 3, 1, 100}, {1, 2, 1, 30}});
    const CommGraph graph = graphOnMachine(run.topology, run.traffic, &run.matrix, &run.placement);
    REQUIRE(graph.flows.size() == 2);
    const CommGraph::Flow& flow = graph.flows[0];
    const auto way = graph.wayOf(flow);
    CHECK(std::vector<std::uint32_t>(way.begin(), way.end()) == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(flow.hops == 3);
    CHECK(flow.hopBytes == 300);
    CHECK(flow.highestLoad == 130);
}

TEST_CASE("grouping keeps every byte and every message")
{
    for (const char* spec : {"torus:4x3x2", "dragonfly:5x2x2", "fattree:k=3,n=2"}) {
        const Run run = runOn(spec, 2, {});
        const Run busy = runOn(spec, 2, randomEntries(run.matrix.ranks(), 300));
        const CommGraph graph = graphOnMachine(busy.topology, busy.traffic, &busy.matrix, &busy.placement);
        CHECK(totalsOf(graph) == Totals{busy.matrix.totalBytes(), busy.matrix.totalMessages(), 0});
        for (const char* letters : {"", "A", "AB"}) {
            const auto groups = groupsByCoordinates(busy.topology, letters);
            REQUIRE(groups);
            const auto coarse = groupedGraph(graph, groups->groupOf, {}, Task());
            REQUIRE(coarse);
            CHECK(totalsOf(*coarse) == totalsOf(graph));
            CHECK(coarse->vertices.size() <= graph.vertices.size());
            // Expanding everything is the graph itself.
            std::vector<std::uint32_t> all(groups->names.size());
            for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
            const auto expanded = groupedGraph(graph, groups->groupOf, all, Task());
            REQUIRE(expanded);
            CHECK(expanded->vertices == graph.vertices);
            CHECK(totalsOf(*expanded) == totalsOf(graph));
        }
    }
}

TEST_CASE("a flow inside of a group is told by its vertex, and ways lose stops of the same group")
{
    const Run run = runOn("mesh:2x3", 1, {{0, 5, 1, 100}, {0, 2, 1, 40}});
    const CommGraph graph = graphOnMachine(run.topology, run.traffic, &run.matrix, &run.placement);
    const auto groups = groupsByCoordinates(run.topology, "A");
    REQUIRE(groups);
    CHECK(groups->names == std::vector<std::string>{"A 0", "A 1"});
    const auto rows = groupedGraph(graph, groups->groupOf, {}, Task());
    REQUIRE(rows);
    REQUIRE(rows->flows.size() == 1);
    CHECK(rows->flows[0].stops == 2);
    CHECK(rows->flows[0].hops == 3);
    CHECK(rows->vertices[0].bytesInside == 40);
}

TEST_CASE("groups by router take nodes with the router that they hang on")
{
    const Run run = runOn("dragonfly:3x2x2", 1, {{0, 1, 1, 10}, {0, 4, 1, 20}});
    const PlaceGroups groups = groupsByRouter(run.topology);
    CHECK(groups.groupOf[0] == groups.groupOf[1]);
    CHECK(groups.groupOf[0] != groups.groupOf[2]);
    CHECK(groups.groupOf[0] == groups.groupOf[run.topology.target(run.topology.firstLink(0))]);
}

TEST_CASE("expanded members begin around the place of their group, the rest where it was")
{
    const Run run = runOn("mesh:2x3", 1, {{0, 5, 1, 100}, {0, 2, 1, 40}, {1, 4, 1, 3}});
    const CommGraph graph = graphOnMachine(run.topology, run.traffic, &run.matrix, &run.placement);
    const auto groups = groupsByCoordinates(run.topology, "A");
    const auto rows = groupedGraph(graph, groups->groupOf, {}, Task());
    const std::uint32_t first[] = {0};
    const auto expanded = groupedGraph(graph, groups->groupOf, first, Task());
    REQUIRE((rows && expanded));
    const std::vector<PlanePoint> before{{-3, 1}, {4, 2}};
    const std::vector<PlanePoint> after = carriedPlaces(*rows, before, *expanded);
    REQUIRE(after.size() == 4);
    for (std::size_t member = 0; member < 3; ++member) {
        const double away = std::hypot(after[member].x + 3, after[member].y - 1);
        CHECK(away > 0.1);
        CHECK(away < 1);
    }
    CHECK(after[3] == before[1]);
    const std::vector<PlanePoint> back = carriedPlaces(*expanded, after, *rows);
    CHECK(back[0].x == Approx(-3));
    CHECK(back[0].y == Approx(1));
}

TEST_CASE("groups that do not fit, and letters that there are not, are refused")
{
    const Run run = runOn("mesh:2x3", 1, {{0, 5, 1, 100}});
    const CommGraph graph = graphOnMachine(run.topology, run.traffic, nullptr, nullptr);
    const std::uint32_t few[] = {0, 1};
    CHECK_FALSE(groupedGraph(graph, few, {}, Task()));
    CHECK_FALSE(groupsByCoordinates(run.topology, "AC"));
    CHECK_FALSE(groupsByCoordinates(run.topology, "AA"));
}

}  // namespace skein::comm_graph_test
