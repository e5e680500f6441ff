// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/traffic.h"
#include "core/machine/topology_builders.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <stop_token>

namespace skein::routing_test {
namespace {

Topology made(std::string_view spec) { return makeTopology(spec).value(); }

std::vector<NodePair> randomPairs(const Topology& topology, std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<NodePair> pairs;
    while (pairs.size() < count) {
        const auto node = [&] { return static_cast<VertexIndex>(random() % topology.nodes()); };
        const NodePair pair{node(), node(), 1, random() % 1000};
        if (pair.from != pair.to) pairs.push_back(pair);
    }
    return mergePairs(pairs).pairs;
}

/// The vertices along a path, checking that its links follow each other from the pair's source to its
/// destination.
std::vector<VertexIndex> walked(const Topology& topology, const NodePair& pair,
                                std::span<const LinkIndex> path)
{
    std::vector<VertexIndex> vertices{pair.from};
    for (const LinkIndex link : path) {
        REQUIRE(link < topology.links());
        REQUIRE(topology.source(link) == vertices.back());
        vertices.push_back(topology.target(link));
    }
    REQUIRE(vertices.back() == pair.to);
    return vertices;
}

constexpr const char* kMachines[] = {"torus:4x3x5",
                                     "torus:2x2x4x2x2",
                                     "mesh:5x7",
                                     "torus:4x4x8mx2",
                                     "hamming:3x2x4",
                                     "hypercube:6",
                                     "dragonfly:9x4x2",
                                     "dragonfly:groups=5,routers=3x4,nodes=2,global=2,rule=palmtree",
                                     "fattree:k=4,n=3",
                                     "fattree:xgft(3;3,2,4;1,2,3)",
                                     "fattree:2;4,4;1,2;1,2"};

}  // namespace

TEST_CASE("pairs of ranks become pairs of nodes: each once, those inside counted, none after a stop")
{
    constexpr std::uint32_t kNodes = 500;
    std::mt19937 random(5);
    std::vector<CommMatrix::Entry> entries;
    for (int i = 0; i < 200'000; ++i) {
        const auto rank = [&] { return static_cast<std::uint32_t>(random() % (8 * kNodes)); };
        const std::uint32_t sender = rank(), receiver = rank();
        entries.push_back({sender, receiver, 1 + random() % 3, random() % 1000});
    }
    const CommMatrix matrix(8 * kNodes, std::move(entries));
    std::vector<std::uint32_t> slots(matrix.ranks());
    std::iota(slots.begin(), slots.end(), 0u);
    const Placement placement = Placement::create(slots, kNodes, 8).value();
    std::map<std::pair<VertexIndex, VertexIndex>, NodePair> between;
    NodePair inside;
    std::uint64_t pairsInside = 0;
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        const VertexIndex from = entry.sender / 8, to = entry.receiver / 8;
        NodePair& sum = from == to ? inside : between[{from, to}];
        sum = {from, to, sum.messages + entry.messages, sum.bytes + entry.bytes};
        pairsInside += from == to ? 1 : 0;
    }
    const NodeTraffic merged = nodeTraffic(matrix, placement).value();
    CHECK(merged.rankPairsInside == pairsInside);
    CHECK(merged.messagesInside == inside.messages);
    CHECK(merged.bytesInside == inside.bytes);
    REQUIRE(merged.pairs.size() == between.size());
    CHECK(std::equal(merged.pairs.begin(), merged.pairs.end(), between.begin(),
                     [](const NodePair& pair, const auto& expected) { return pair == expected.second; }));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = nodeTraffic(matrix, placement, Task(stop.get_token()));
    REQUIRE_FALSE(stopped.has_value());
    CHECK(stopped.error().cancelled());
}

TEST_CASE("the usual routing of every machine leads from source to destination, on grids and trees by a "
          "shortest way")
{
    for (const char* spec : kMachines) {
        INFO(spec);
        const Topology topology = made(spec);
        const auto pairs = randomPairs(topology, 200, 7);
        const auto hops = distances(topology, Task()).value();
        const auto usual = routePairs(topology, usualRouting(topology), pairs, nullptr, Task()).value();
        const auto shortest =
            routePairs(topology, {RoutingKind::ShortestPath, {}, {}}, pairs, nullptr, Task()).value();
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            walked(topology, pairs[i], usual[i]);
            walked(topology, pairs[i], shortest[i]);
            CHECK(shortest[i].size() == hops.between(pairs[i].from, pairs[i].to));
            if (!std::holds_alternative<DragonflyShape>(topology.shape()))
                CHECK(usual[i].size() == shortest[i].size());
            else CHECK(usual[i].size() >= shortest[i].size());
        }
    }
}

TEST_CASE(
    "a minimal route of a dragonfly crosses at most one global cable and one row and column on each side")
{
    const Topology fly = made("dragonfly:groups=9,routers=3x4,nodes=2,global=2,rule=circulant");
    const auto pairs = randomPairs(fly, 300, 3);
    const auto paths = routePairs(fly, usualRouting(fly), pairs, nullptr, Task()).value();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        std::size_t global = 0;
        for (const VertexIndex vertex : walked(fly, pairs[i], paths[i]))
            global += vertex < fly.nodes() ? 1 : 0;
        CHECK(global == 2);
        CHECK(paths[i].size() <= 2 + 2 + 1 + 2);
    }
}

TEST_CASE("D-mod-k sends all messages for one destination down one tree, and a shift without contention")
{
    const Topology tree = made("fattree:k=4,n=2");
    std::vector<NodePair> shift;
    for (VertexIndex node = 0; node < 16; ++node) shift.push_back({node, (node + 5) % 16, 1, 1});
    const auto result = traffic(tree, usualRouting(tree), mergePairs(shift), nullptr, Task()).value();
    CHECK(result.summary.maximum == 1);
    std::vector<NodePair> gather;
    for (VertexIndex node = 1; node < 16; ++node) gather.push_back({node, 0, 1, 1});
    const auto hot = traffic(tree, usualRouting(tree), mergePairs(gather), nullptr, Task()).value();
    CHECK(hot.summary.maximum == 15);
    CHECK(tree.target(hot.summary.maximumLink) == 0);
}

TEST_CASE("split flows lose nothing: every node receives what was sent to it, over shortest ways for ECMP")
{
    for (const char* spec : kMachines) {
        INFO(spec);
        const Topology topology = made(spec);
        const auto pairs = randomPairs(topology, 60, 11);
        std::vector<std::uint64_t> amounts;
        for (const NodePair& pair : pairs) amounts.push_back(pair.bytes);
        const auto hops = distances(topology, Task()).value();
        for (const RoutingKind kind : {RoutingKind::Ecmp, RoutingKind::Valiant}) {
            if (kind == RoutingKind::Valiant && !std::holds_alternative<DragonflyShape>(topology.shape()))
                continue;
            const auto split = splitPairs(topology, {kind, {}, {}}, pairs, amounts, Task()).value();
            std::vector<std::int64_t> balance(topology.vertices(), 0);
            for (LinkIndex link = 0; link < topology.links(); ++link) {
                balance[topology.source(link)] -= static_cast<std::int64_t>(split.loads[link]);
                balance[topology.target(link)] += static_cast<std::int64_t>(split.loads[link]);
            }
            std::uint64_t hopAmount = 0;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                balance[pairs[i].from] += static_cast<std::int64_t>(amounts[i]);
                balance[pairs[i].to] -= static_cast<std::int64_t>(amounts[i]);
                hopAmount += amounts[i] * hops.between(pairs[i].from, pairs[i].to);
            }
            for (const std::int64_t rest : balance) CHECK(rest == 0);
            CHECK(std::accumulate(split.loads.begin(), split.loads.end(), std::uint64_t{0})
                  == split.hopAmount);
            if (kind == RoutingKind::Ecmp) CHECK(split.hopAmount == hopAmount);
            else CHECK(split.hopAmount >= hopAmount);
        }
    }
}

TEST_CASE("dimension order goes the ways of the worked examples")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/routing/dimension_order.json");
    std::ifstream stream(file);
    const auto reference = nlohmann::json::parse(stream);
    for (const auto& example : reference["cases"]) {
        INFO(example["name"]);
        std::vector<GridDimension> dimensions;
        for (const auto& size : example["dims"])
            dimensions.push_back({size, example["wrap"] ? DimensionShape::Ring : DimensionShape::Line});
        const Topology grid = makeGrid(dimensions, "").value();
        const RoutingModel model{RoutingKind::DimensionOrder,
                                 example["order"].get<std::vector<std::uint8_t>>(), TieRule::Positive};
        for (const auto& wanted : example["pairs"]) {
            const NodePair pair{grid.nodeAt(wanted["src"].get<std::vector<std::uint32_t>>()),
                                grid.nodeAt(wanted["dst"].get<std::vector<std::uint32_t>>()), 1, 1};
            const auto path = routePairs(grid, model, std::span(&pair, 1), nullptr, Task()).value();
            CHECK(path[0].size() == wanted["hops"]);
            std::vector<std::vector<std::uint32_t>> positions;
            for (const VertexIndex vertex : walked(grid, pair, path[0]))
                positions.push_back(grid.coordinates(vertex));
            CHECK(positions == wanted["path"].get<std::vector<std::vector<std::uint32_t>>>());
        }
    }
}

TEST_CASE("a ring of even size is gone by the parity of the source's position when both ways are equal")
{
    const Topology ring = made("torus:4");
    const auto path = [&](VertexIndex from, VertexIndex to) {
        const NodePair pair{from, to, 1, 1};
        const auto paths = routePairs(ring, usualRouting(ring), std::span(&pair, 1), nullptr, Task()).value();
        return walked(ring, pair, paths[0]);
    };
    CHECK(path(0, 2) == std::vector<VertexIndex>{0, 1, 2});
    CHECK(path(1, 3) == std::vector<VertexIndex>{1, 0, 3});
}

TEST_CASE("a routing is named as it is parsed, and one that the machine cannot have is refused")
{
    const Topology torus = made("torus:4x4x4x8mx2");
    CHECK(name(usualRouting(torus)) == "dimension-order:DABCE");
    CHECK(name(parseRoutingModel("dimension-order:EDCBA,tie=positive", torus).value())
          == "dimension-order:EDCBA,tie=positive");
    CHECK(name(usualRouting(made("hamming:3x4"))) == "dimension-order:BA");
    for (const char* text : {"valiant", "minimal", "d-mod-k", "dimension-order:ABC", "dimension-order:AABCD",
                             "fastest", "ecmp:2", "dimension-order:x"}) {
        INFO(text);
        const auto model = parseRoutingModel(text, torus);
        REQUIRE_FALSE(model.has_value());
        CHECK(model.error().code == ErrorCode::InvalidArgument);
    }
    for (const char* spec : kMachines) {
        const Topology topology = made(spec);
        const RoutingModel usual = usualRouting(topology);
        CHECK(parseRoutingModel(name(usual), topology).value() == usual);
    }
}

TEST_CASE("messages without bytes are counted as loads")
{
    const Topology ring = made("torus:6");
    const auto result =
        traffic(ring, usualRouting(ring), mergePairs({{0, 2, 3, 0}, {1, 2, 1, 0}}), nullptr, Task()).value();
    CHECK(result.unit == LoadUnit::Messages);
    CHECK(result.summary.maximum == 4);
    CHECK(result.hopBytes == 7);
    CHECK(result.summary.linksUsed == 2);
    CHECK(topLinks(result.loads, 1) == std::vector<LinkIndex>{ring.findLink(1, 2)});
}

}  // namespace skein::routing_test
