// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/reroute.h"
#include "algorithms/routing/reroute_many.h"
#include "algorithms/routing/traffic.h"
#include "core/machine/topology_builders.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>

namespace skein::reroute_test {
namespace {

using Json = nlohmann::json;
using Vertices = std::vector<VertexIndex>;

Topology graphOf(std::uint32_t nodes, const std::vector<std::pair<VertexIndex, VertexIndex>>& edges)
{
    Topology::Parts parts;
    parts.nodes = nodes;
    for (const auto& [from, to] : edges) parts.links.push_back({from, to, 1.0f});
    return Topology::create(std::move(parts)).value();
}

std::vector<LinkIndex> linksAlong(const Topology& topology, const Vertices& vertices)
{
    std::vector<LinkIndex> links;
    for (std::size_t i = 1; i < vertices.size(); ++i)
        links.push_back(topology.findLink(vertices[i - 1], vertices[i]));
    return links;
}

Vertices verticesOf(const Topology& topology, std::span<const LinkIndex> links)
{
    Vertices vertices{topology.source(links.front())};
    for (const LinkIndex link : links) vertices.push_back(topology.target(link));
    return vertices;
}

struct Instance {
    LinkPaths routes;
    std::vector<std::uint64_t> amounts;
    std::vector<std::uint64_t> loads;
};

Instance instanceOf(const Topology& topology, const Json& routes)
{
    Instance instance;
    for (const auto& route : routes) {
        instance.routes.add(linksAlong(topology, route["path"].get<Vertices>()));
        instance.amounts.push_back(route["bytes"]);
    }
    instance.loads = loadsOf(topology, instance.routes, instance.amounts);
    return instance;
}

/// Every simple path from the route's source to its destination that the limits allow, other than the route.
std::vector<RouteOffer> allAlternatives(const Topology& topology, std::span<const LinkIndex> route,
                                        std::uint64_t amount, const std::vector<std::uint64_t>& loads,
                                        std::uint32_t tolerance)
{
    std::uint64_t highest = 0;
    for (const LinkIndex link : route) highest = std::max(highest, loads[link]);
    const VertexIndex goal = topology.target(route.back());
    std::vector<RouteOffer> found;
    RouteOffer path;
    std::set<VertexIndex> visited;
    const std::function<void(VertexIndex, std::uint64_t)> walk = [&](VertexIndex at, std::uint64_t load) {
        if (at == goal) {
            path.highestLoad = load;
            if (!std::ranges::equal(path.links, route)) found.push_back(path);
            return;
        }
        if (path.links.size() == route.size() + tolerance) return;
        visited.insert(at);
        for (LinkIndex link = topology.firstLink(at); link < topology.firstLink(at + 1); ++link) {
            const bool kept = std::ranges::count(route, link) > 0;
            const std::uint64_t with = loads[link] + (kept ? 0 : amount);
            if (visited.contains(topology.target(link)) || with > highest) continue;
            path.links.push_back(link);
            walk(topology.target(link), std::max(load, with));
            path.links.pop_back();
        }
        visited.erase(at);
    };
    walk(topology.source(route.front()), 0);
    return found;
}

std::optional<RouteOffer> bestOf(const Topology& topology, const std::vector<RouteOffer>& offers,
                                 RerouteCriterion criterion)
{
    const auto key = [&](const RouteOffer& offer) {
        const std::uint64_t hops = offer.links.size();
        return std::tuple(criterion == RerouteCriterion::Length ? hops : offer.highestLoad,
                          criterion == RerouteCriterion::Length ? offer.highestLoad : hops,
                          verticesOf(topology, offer.links), offer.links);
    };
    const auto best =
        std::ranges::min_element(offers, [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return best == offers.end() ? std::nullopt : std::optional(*best);
}

void checkGolden(const Topology& topology, const std::vector<RouteOffer>& all,
                 const std::optional<RouteOffer>& first, const std::optional<RouteOffer>& second,
                 const Json& wanted)
{
    CHECK(all.size() == wanted["n_feasible"]);
    CHECK(first.has_value() == (wanted["n_feasible"] > 0));
    CHECK(second.has_value() == first.has_value());
    if (!first || !second) return;
    CHECK(first->links.size() == wanted["eq1"]["min_length"]);
    CHECK(first->highestLoad == wanted["eq1"]["tie_broken_load"]);
    CHECK(verticesOf(topology, first->links) == wanted["eq1"]["tie_broken"].get<Vertices>());
    CHECK(second->highestLoad == wanted["eq2"]["min_max_load"]);
    CHECK(second->links.size() == wanted["eq2"]["tie_broken_length"]);
    CHECK(verticesOf(topology, second->links) == wanted["eq2"]["tie_broken"].get<Vertices>());
}

Topology randomGraph(std::mt19937& random, std::uint32_t nodes)
{
    std::vector<std::pair<VertexIndex, VertexIndex>> edges;
    for (VertexIndex node = 0; node < nodes; ++node) edges.push_back({node, (node + 1) % nodes});
    for (std::uint32_t extra = 0; extra < 2 * nodes; ++extra) {
        const auto from = static_cast<VertexIndex>(random() % nodes);
        const auto to = static_cast<VertexIndex>(random() % nodes);
        if (from == to) continue;
        edges.push_back({from, to});
        if (random() % 4 == 0) edges.push_back({from, to});
    }
    return graphOf(nodes, edges);
}

/// A walk without repeated vertices, as long as it gets.
std::vector<LinkIndex> randomPath(const Topology& topology, std::mt19937& random, std::size_t longest)
{
    std::vector<LinkIndex> path;
    auto at = static_cast<VertexIndex>(random() % topology.nodes());
    std::set<VertexIndex> visited{at};
    while (path.size() < longest) {
        const LinkIndex first = topology.firstLink(at);
        const LinkIndex link =
            first + static_cast<LinkIndex>(random() % (topology.firstLink(at + 1) - first));
        if (!visited.insert(topology.target(link)).second) break;
        path.push_back(link);
        at = topology.target(link);
    }
    return path;
}

Instance randomInstance(const Topology& topology, std::mt19937& random, std::size_t routes,
                        std::size_t longest)
{
    Instance instance;
    while (instance.routes.size() < routes) {
        const auto path = randomPath(topology, random, longest);
        if (path.empty()) continue;
        instance.routes.add(path);
        instance.amounts.push_back(1 + random() % 30);
    }
    instance.loads = loadsOf(topology, instance.routes, instance.amounts);
    return instance;
}

}  // namespace

TEST_CASE("one route is rerouted as the reference enumeration says")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/routing/reroute.json");
    std::ifstream stream(file);
    const Json reference = Json::parse(stream);
    for (const auto& example : reference["cases"]) {
        INFO(example["name"]);
        const Topology topology = graphOf(
            example["n_nodes"], example["edges"].get<std::vector<std::pair<VertexIndex, VertexIndex>>>());
        const Instance instance = instanceOf(topology, example["routes"]);
        for (const auto& wanted : example["link_loads"])
            CHECK(instance.loads[topology.findLink(wanted[0], wanted[1])] == wanted[2]);
        const std::size_t selected = example["selected"];
        Rerouter rerouter(topology);
        for (const auto& [delta, wanted] : example["results"].items()) {
            const auto tolerance = static_cast<std::uint32_t>(std::stoul(delta));
            const auto offer = [&](RerouteCriterion criterion) {
                return rerouter.alternative(instance.routes[selected], instance.amounts[selected],
                                            instance.loads, {criterion, tolerance});
            };
            const auto all = allAlternatives(topology, instance.routes[selected], instance.amounts[selected],
                                             instance.loads, tolerance);
            checkGolden(topology, all, offer(RerouteCriterion::Length), offer(RerouteCriterion::Load),
                        wanted["after_move"]);
        }
    }
}

TEST_CASE("the paper's heuristic for many routes makes the reference's changes in its order")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/routing/reroute.json");
    std::ifstream stream(file);
    const Json reference = Json::parse(stream);
    for (const auto& example : reference["multi_route"]["cases"]) {
        std::vector<GridDimension> dimensions;
        for (const auto& size : example["dims"]) dimensions.push_back({size, DimensionShape::Ring});
        const Topology topology = makeGrid(dimensions, "").value();
        const Instance instance = instanceOf(topology, example["routes"]);
        const auto& wanted = example["result"];
        RerouteParameters parameters;
        parameters.limits = {wanted["criterion"] == "load" ? RerouteCriterion::Load
                                                           : RerouteCriterion::Length,
                             wanted["delta"]};
        parameters.strategy = RerouteStrategy::OnePass;
        const auto selected = example["selected"].get<std::vector<std::uint32_t>>();
        const auto result =
            rerouteMany(topology, instance.routes, instance.amounts, selected, parameters, Task()).value();
        CHECK(result.maximumBefore == wanted["max_link_load_before"]);
        CHECK(result.maximumAfter == wanted["max_link_load_after"]);
        CHECK(result.hopsBefore == wanted["total_hops_before"]);
        CHECK(result.hopsAfter == wanted["total_hops_after"]);
        REQUIRE(result.steps.size() == wanted["steps"].size());
        for (std::size_t i = 0; i < result.steps.size(); ++i) {
            CHECK(result.steps[i] == RerouteStep{wanted["steps"][i]["route"], wanted["steps"][i]["changed"]});
            CHECK(verticesOf(topology, result.paths[result.steps[i].route])
                  == wanted["steps"][i]["path"].get<Vertices>());
        }
    }
}

TEST_CASE(
    "an alternative is the best of all simple paths on random graphs with parallel links, and on meshes")
{
    std::mt19937 random(5);
    for (int round = 0; round < 120; ++round) {
        const Topology topology = round % 3 == 0
            ? makeTopology("mesh:3x4").value()
            : randomGraph(random, 5 + static_cast<std::uint32_t>(random() % 5));
        const Instance instance = randomInstance(topology, random, 1 + random() % 12, 6);
        Rerouter rerouter(topology);
        for (std::uint32_t route = 0; route < instance.routes.size(); ++route)
            for (const std::uint32_t tolerance : {0u, 1u, 3u}) {
                const auto all = allAlternatives(topology, instance.routes[route], instance.amounts[route],
                                                 instance.loads, tolerance);
                for (const RerouteCriterion criterion : {RerouteCriterion::Length, RerouteCriterion::Load}) {
                    const auto found = rerouter.alternative(instance.routes[route], instance.amounts[route],
                                                            instance.loads, {criterion, tolerance});
                    CHECK(found == bestOf(topology, all, criterion));
                }
            }
    }
}

TEST_CASE("an improvement is offered exactly where some simple path is strictly better")
{
    std::mt19937 random(6);
    for (int round = 0; round < 80; ++round) {
        const Topology topology = randomGraph(random, 6 + static_cast<std::uint32_t>(random() % 4));
        const Instance instance = randomInstance(topology, random, 8, 5);
        Rerouter rerouter(topology);
        for (std::uint32_t route = 0; route < instance.routes.size(); ++route) {
            const auto path = instance.routes[route];
            const auto best =
                bestOf(topology, allAlternatives(topology, path, instance.amounts[route], instance.loads, 2),
                       RerouteCriterion::Load);
            std::uint64_t highest = 0;
            for (const LinkIndex link : path) highest = std::max(highest, instance.loads[link]);
            const auto found =
                rerouter.improvement(path, instance.amounts[route], instance.loads, RerouteCriterion::Load,
                                     static_cast<std::uint32_t>(path.size()) + 2);
            CHECK(found.has_value() == (best && best->highestLoad < highest));
            if (found && best) CHECK(*found == *best);
        }
    }
}

TEST_CASE("a parallel link is another way for a route")
{
    const Topology topology = graphOf(2, {{0, 1}, {0, 1}, {1, 0}});
    Rerouter rerouter(topology);
    const std::vector<LinkIndex> route{0};
    const std::vector<std::uint64_t> loads{30, 5, 0};
    const auto found = rerouter.alternative(route, 10, loads, {});
    REQUIRE(found);
    CHECK(*found == RouteOffer{{1}, 15});
}

TEST_CASE("rerouting many routes ends where no single change helps and never raises the largest load")
{
    std::mt19937 random(7);
    for (const char* spec : {"torus:4x4x2", "mesh:4x4", "hamming:3x3x2"}) {
        const Topology topology = makeTopology(spec).value();
        const Instance instance = randomInstance(topology, random, 60, 6);
        std::vector<std::uint32_t> selected(30);
        std::iota(selected.begin(), selected.end(), 10u);
        for (const RerouteStrategy strategy :
             {RerouteStrategy::OnePass, RerouteStrategy::Iterated, RerouteStrategy::MinimizeMaximum})
            for (const RerouteCriterion criterion : {RerouteCriterion::Length, RerouteCriterion::Load}) {
                RerouteParameters parameters;
                parameters.limits = {criterion, 1};
                parameters.strategy = strategy;
                const auto result =
                    rerouteMany(topology, instance.routes, instance.amounts, selected, parameters, Task())
                        .value();
                INFO(spec << " strategy " << static_cast<int>(strategy) << " criterion "
                          << static_cast<int>(criterion));
                CHECK(result.loads == loadsOf(topology, result.paths, instance.amounts));
                CHECK(result.maximumAfter <= result.maximumBefore);
                CHECK(result.maximumAfter >= result.maximumLowerBound);
                Rerouter rerouter(topology);
                for (std::uint32_t route = 0; route < instance.routes.size(); ++route) {
                    const bool fixed = std::ranges::count(selected, route) == 0;
                    if (fixed) CHECK(std::ranges::equal(result.paths[route], instance.routes[route]));
                    CHECK(result.paths[route].size() <= instance.routes[route].size() + 1);
                    CHECK(verticesOf(topology, result.paths[route]).front()
                          == verticesOf(topology, instance.routes[route]).front());
                    CHECK(verticesOf(topology, result.paths[route]).back()
                          == verticesOf(topology, instance.routes[route]).back());
                    if (fixed || strategy == RerouteStrategy::OnePass) continue;
                    const auto limit = static_cast<std::uint32_t>(instance.routes[route].size()) + 1;
                    const auto by =
                        strategy == RerouteStrategy::MinimizeMaximum ? RerouteCriterion::Load : criterion;
                    CHECK_FALSE(rerouter.improvement(result.paths[route], instance.amounts[route],
                                                     result.loads, by, limit));
                }
            }
    }
}

TEST_CASE("the largest load over all routes reaches its optimum on small cases")
{
    // Four equal routes from corner to corner of a square: two go each way.
    const Topology square = makeTopology("mesh:2x2").value();
    LinkPaths routes;
    for (int i = 0; i < 4; ++i) routes.add(linksAlong(square, {0, 1, 3}));
    const std::vector<std::uint64_t> amounts{10, 10, 10, 10};
    RerouteParameters parameters;
    parameters.strategy = RerouteStrategy::MinimizeMaximum;
    const std::vector<std::uint32_t> selected{0, 1, 2, 3};
    const auto result = rerouteMany(square, routes, amounts, selected, parameters, Task()).value();
    CHECK(result.maximumBefore == 40);
    CHECK(result.maximumAfter == 20);
    CHECK(result.maximumLowerBound == 20);
}

TEST_CASE("a wrong selection of routes is refused and a stop is heard")
{
    const Topology square = makeTopology("mesh:2x2").value();
    LinkPaths routes;
    routes.add(linksAlong(square, {0, 1, 3}));
    const std::vector<std::uint64_t> amounts{10};
    const auto refused = [&](std::vector<std::uint32_t> selected) {
        return !rerouteMany(square, routes, amounts, selected, {}, Task()).has_value();
    };
    CHECK(refused({1}));
    CHECK(refused({0, 0}));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped =
        rerouteMany(square, routes, amounts, std::vector<std::uint32_t>{0}, {}, Task(stop.get_token()));
    REQUIRE_FALSE(stopped.has_value());
    CHECK(stopped.error().cancelled());
}

}  // namespace skein::reroute_test
