// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/topology.h"
#include "core/machine/topology_builders.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <queue>
#include <set>

namespace skein::topology_test {
namespace {

Topology made(std::string_view spec)
{
    auto topology = makeTopology(spec);
    INFO((topology ? std::string() : topology.error().text()));
    REQUIRE(topology.has_value());
    return std::move(*topology);
}

/// Hops from every vertex of [first, last) to every other, by search: histogram hops → pairs.
std::map<std::string, int> histogramBySearch(const Topology& topology, VertexIndex first, VertexIndex last)
{
    std::map<std::string, int> histogram;
    for (VertexIndex start = first; start < last; ++start) {
        std::vector<int> hops(topology.vertices(), -1);
        std::queue<VertexIndex> queue({start});
        hops[start] = 0;
        while (!queue.empty()) {
            const VertexIndex at = queue.front();
            queue.pop();
            for (LinkIndex link = topology.firstLink(at); link < topology.firstLink(at + 1); ++link) {
                const VertexIndex next = topology.target(link);
                if (hops[next] >= 0 || next < first || next >= last) continue;
                hops[next] = hops[at] + 1;
                queue.push(next);
            }
        }
        for (VertexIndex vertex = first; vertex < last; ++vertex) ++histogram[std::to_string(hops[vertex])];
    }
    return histogram;
}

void checkAgainstSearch(const Topology& topology)
{
    const auto all = distances(topology, Task());
    REQUIRE(all.has_value());
    for (VertexIndex start = 0; start < topology.nodes(); start += 1 + topology.nodes() / 7) {
        std::vector<int> hops(topology.vertices(), -1);
        std::queue<VertexIndex> queue({start});
        hops[start] = 0;
        while (!queue.empty()) {
            const VertexIndex at = queue.front();
            queue.pop();
            for (LinkIndex link = topology.firstLink(at); link < topology.firstLink(at + 1); ++link)
                if (hops[topology.target(link)] < 0) {
                    hops[topology.target(link)] = hops[at] + 1;
                    queue.push(topology.target(link));
                }
        }
        for (VertexIndex node = 0; node < topology.nodes(); ++node)
            REQUIRE(static_cast<int>(all->between(start, node)) == hops[node]);
    }
}

/// The same grid with a list of its links, and by rule.
void checkRule(const std::vector<GridDimension>& dimensions)
{
    const Topology listed = makeGrid(dimensions, "listed").value();
    const Topology ruled = Topology::createByRule(dimensions, "ruled");
    REQUIRE_FALSE(listed.linksByRule());
    REQUIRE(ruled.linksByRule());
    REQUIRE(ruled.nodes() == listed.nodes());
    REQUIRE(ruled.vertices() == listed.vertices());
    REQUIRE(ruled.links() == listed.links());
    for (LinkIndex link = 0; link < listed.links(); ++link) {
        REQUIRE(ruled.source(link) == listed.source(link));
        REQUIRE(ruled.target(link) == listed.target(link));
        REQUIRE(ruled.capacity(link) == listed.capacity(link));
    }
    for (VertexIndex from = 0; from <= listed.vertices(); ++from) {
        REQUIRE(ruled.firstLink(from) == listed.firstLink(from));
        if (from == listed.vertices()) break;
        for (VertexIndex to = 0; to < listed.vertices(); ++to)
            REQUIRE(ruled.parallelLinks(from, to).first - ruled.parallelLinks(from, to).second
                    == listed.parallelLinks(from, to).first - listed.parallelLinks(from, to).second);
        for (LinkIndex link = listed.firstLink(from); link < listed.firstLink(from + 1); ++link)
            REQUIRE(ruled.findLink(from, listed.target(link)) == link);
    }
}

}  // namespace

TEST_CASE("links of grids by rule are those of their list")
{
    using enum DimensionShape;
    checkRule({{4, Ring}, {5, Ring}});
    checkRule({{3, Line}, {4, Line}, {2, Line}});
    checkRule({{3, Ring}, {1, Ring}, {2, Ring}, {5, Line}});
    checkRule({{1, Line}, {7, Line}});
    checkRule({{2, Ring}, {2, Line}, {2, Ring}, {3, Ring}});
    checkRule({{6, Line}, {3, Ring}, {4, Line}});
}

TEST_CASE("the largest torus is made at once, and its links are where they belong")
{
    const Topology torus = makeTopology("torus:4096x4096").value();
    CHECK(torus.linksByRule());
    CHECK(torus.links() == Topology::kMaximumLinks);
    const LinkIndex last = torus.findLink(4096u * 4096u - 1, 4095);
    CHECK(torus.source(last) == 4096u * 4096u - 1);
    CHECK(torus.target(last) == 4095);
    CHECK(torus.linkName(last) == "4095 4095 -> 0 4095");
}

TEST_CASE("a full torus has the published number of links and row-major coordinates")
{
    const Topology torus = made("torus:4x4x4x16x2");
    CHECK(torus.nodes() == 2048);
    CHECK(torus.vertices() == 2048);
    CHECK(torus.links() == 2048 * 9);
    CHECK(torus.coordinates(2 * 512 + 33) == std::vector<std::uint32_t>{2, 0, 1, 0, 1});
    CHECK(torus.nodeAt(std::vector<std::uint32_t>{2, 0, 1, 0, 1}) == 2 * 512 + 33);
    CHECK(torus.nodeAt(std::vector<std::uint32_t>{4, 0, 0, 0, 0}) == kNoVertex);
    CHECK(torus.linkName(torus.findLink(0, 1)) == "0 0 0 0 0 -> 0 0 0 0 1");
}

TEST_CASE("a mesh dimension of a torus has no cable round its end")
{
    const Topology torus = made("torus:4x4x4x8mx2");
    const auto at = [&](std::uint32_t d) { return torus.nodeAt(std::vector<std::uint32_t>{0, 0, 0, d, 0}); };
    CHECK(torus.findLink(at(0), at(7)) == kNoLink);
    CHECK(torus.findLink(at(3), at(4)) != kNoLink);
    CHECK(torus.links() == 1024 * 7 + 128 * 14);
    CHECK(made("mesh:8x8x8").links() == 3 * 64 * 14);
}

TEST_CASE("the distances of every kind of machine are those of a search along its links")
{
    for (const char* spec :
         {"torus:4x3x5", "torus:2x2x4x2x2", "mesh:5x7", "torus:4x4x8mx2", "hamming:3x2x4", "hypercube:9",
          "dragonfly:9x4x2", "dragonfly:21x10x2",
          "dragonfly:groups=5,routers=3x4,nodes=2,global=2,rule=palmtree", "dragonfly:1x4x3",
          "fattree:k=4,n=3", "fattree:k=9,n=3", "fattree:xgft(3;3,2,4;1,2,3)", "fattree:2;4,4;1,2;1,2"}) {
        INFO(spec);
        checkAgainstSearch(made(spec));
    }
}

TEST_CASE("every rule of global links joins every two groups of a dragonfly equally often")
{
    for (const char* rule : {"circulant", "consecutive", "palmtree", "relative"})
        for (const std::uint32_t groups : {2u, 3u, 8u, 9u}) {
            const Topology fly = made("dragonfly:groups=" + std::to_string(groups)
                                      + ",routers=4,nodes=1,global=4,rule=" + rule);
            INFO(fly.spec());
            std::map<std::pair<VertexIndex, VertexIndex>, std::uint32_t> cables;
            std::map<VertexIndex, std::uint32_t> ports;
            for (LinkIndex link = 0; link < fly.links(); ++link) {
                if (fly.source(link) < fly.nodes() || fly.target(link) < fly.nodes()) continue;
                const VertexIndex from = (fly.source(link) - fly.nodes()) / 4;
                const VertexIndex to = (fly.target(link) - fly.nodes()) / 4;
                if (from == to) continue;
                ++cables[{from, to}];
                ++ports[fly.source(link)];
            }
            CHECK(cables.size() == groups * (groups - 1));
            for (const auto& [pair, count] : cables) CHECK(count == 16 / (groups - 1));
            for (const auto& [router, count] : ports) CHECK(count <= 4);
        }
}

TEST_CASE("dragonflies and tori have the structure of the reference graphs")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/routing/topologies.json");
    std::ifstream stream(file);
    const auto golden = nlohmann::json::parse(stream);
    for (const auto& wanted : golden["dragonfly"]) {
        DragonflyParameters parameters;
        parameters.shape = {wanted["groups"], 1, wanted["routers_per_group"], 1};
        parameters.globalLinksPerRouter = wanted["global_links_per_router"];
        parameters.rule = GlobalLinkRule::Relative;
        const Topology fly = makeDragonfly(parameters, "").value();
        std::set<std::pair<int, int>> edges;
        for (LinkIndex link = 0; link < fly.links(); ++link)
            if (fly.source(link) >= fly.nodes() && fly.target(link) >= fly.nodes())
                edges.insert({static_cast<int>(fly.source(link) - fly.nodes()),
                              static_cast<int>(fly.target(link) - fly.nodes())});
        CHECK(edges == wanted["edges"].get<std::set<std::pair<int, int>>>());
        CHECK(histogramBySearch(fly, fly.nodes(), fly.vertices())
              == wanted["distance_histogram"].get<std::map<std::string, int>>());
    }
    for (const auto& wanted : golden["torus"]) {
        std::vector<GridDimension> dimensions;
        for (const auto& size : wanted["dims"]) dimensions.push_back({size, DimensionShape::Ring});
        const Topology torus = makeGrid(dimensions, "").value();
        CHECK(torus.nodes() == wanted["n"]);
        CHECK(torus.links() == wanted["directed_links"]);
        CHECK(histogramBySearch(torus, 0, torus.vertices())
              == wanted["distance_histogram"].get<std::map<std::string, int>>());
    }
}

TEST_CASE("a k-ary n-tree has n levels of switches with k children each")
{
    const Topology tree = made("fattree:k=4,n=3");
    CHECK(tree.nodes() == 64);
    CHECK(tree.vertices() == 64 + 3 * 16);
    CHECK(tree.links() == 2 * 3 * 64);
    for (VertexIndex vertex = 0; vertex < tree.vertices(); ++vertex) {
        const LinkIndex degree = tree.firstLink(vertex + 1) - tree.firstLink(vertex);
        CHECK(degree == (vertex < 64 ? 1u : vertex < 96 ? 8u : 4u));
    }
}

TEST_CASE("a spec that is wrong says which part and what would be right")
{
    const auto text = [](std::string_view spec) {
        const auto topology = makeTopology(spec);
        REQUIRE_FALSE(topology.has_value());
        return topology.error().message;
    };
    CHECK(text("ring:4").find("torus:4x4x4x16x2") != std::string::npos);
    CHECK(text("torus:").find("example") != std::string::npos);
    CHECK(text("torus:4x0x2").find("\"0\"") != std::string::npos);
    CHECK(text("torus:4x-2").find("\"-2\"") != std::string::npos);
    CHECK(text("torus:4x4y").find("\"4y\"") != std::string::npos);
    CHECK(text("torus:99999999999").find("99999999999") != std::string::npos);
    CHECK(text("dragonfly:groups=9,routers=2,nodes=1,global=1").find("global cables") != std::string::npos);
    CHECK(text("dragonfly:groups=9,rooters=2").find("rooters") != std::string::npos);
    CHECK(text("dragonfly:9x4x2,rule=spiral").find("palmtree") != std::string::npos);
    CHECK(text("fattree:k=4").find("k=4,n=3") != std::string::npos);
    CHECK(text("fattree:2;4,4;1").find("list of 2") != std::string::npos);
    CHECK(text("hypercube:60").find("24") != std::string::npos);
}

TEST_CASE("a machine that is too large is refused before anything is allocated")
{
    for (const char* spec : {"torus:65535x65535x65535", "hamming:65535", "hypercube:24",
                             "dragonfly:60000x60000x60000", "dragonfly:3x65000x1", "fattree:k=60000,n=16",
                             "fattree:xgft(2;4000000000,4000000000;4000000000,4000000000)"}) {
        INFO(spec);
        const auto topology = makeTopology(spec);
        REQUIRE_FALSE(topology.has_value());
        CHECK(topology.error().code == ErrorCode::OutOfMemory);
    }
}

TEST_CASE("machines of 65,536 nodes are built, with distances")
{
    for (const char* spec : {"torus:16x16x16x16", "hypercube:16", "fattree:k=16,n=4", "dragonfly:64x16x64"}) {
        const Topology topology = made(spec);
        CHECK(topology.nodes() == 65536);
        if (topology.isGrid()) CHECK(distances(topology, Task())->between(0, 65535) > 0);
    }
}

}  // namespace skein::topology_test
