// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the engine for machines: rerouting one route, and communication from file to all link loads.
#include "algorithms/routing/reroute.h"
#include "algorithms/routing/reroute_many.h"
#include "algorithms/routing/traffic.h"
#include "core/io/importer.h"
#include "core/machine/topology.h"
#include "core/machine/topology_spec.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <random>

namespace skein {
namespace {

/// A five-dimensional torus of 2,048 nodes in which every cable is double: 36,864 links.
Topology doubledTorus()
{
    const Topology torus = makeTopology("torus:4x4x4x16x2").value();
    Topology::Parts parts;
    parts.spec = "torus:4x4x4x16x2, every cable twice";
    parts.nodes = torus.nodes();
    for (LinkIndex link = 0; link < torus.links(); ++link)
        for (int copy = 0; copy < 2; ++copy)
            parts.links.push_back({torus.source(link), torus.target(link), 1.0f});
    return Topology::create(std::move(parts)).value();
}

/// A circulant graph of 2,048 nodes with 18 links each: 36,864 links, diameter far below 10.
Topology circulant()
{
    Topology::Parts parts;
    parts.spec = "circulant graph";
    parts.nodes = 2048;
    for (VertexIndex node = 0; node < parts.nodes; ++node)
        for (const VertexIndex step : {1u, 3u, 7u, 17u, 41u, 101u, 251u, 601u, 999u}) {
            parts.links.push_back({node, (node + step) % parts.nodes, 1.0f});
            parts.links.push_back({node, (node + parts.nodes - step) % parts.nodes, 1.0f});
        }
    return Topology::create(std::move(parts)).value();
}

/// Walks of up to ten hops that do not meet themselves, and the loads they make.
LinkPaths randomWalks(const Topology& topology, std::size_t count)
{
    std::mt19937 random(1);
    LinkPaths paths;
    while (paths.size() < count) {
        std::vector<LinkIndex> path;
        std::vector<char> visited(topology.vertices(), 0);
        auto at = static_cast<VertexIndex>(random() % topology.nodes());
        while (path.size() < 10) {
            visited[at] = 1;
            const LinkIndex first = topology.firstLink(at);
            const LinkIndex link =
                first + static_cast<LinkIndex>(random() % (topology.firstLink(at + 1) - first));
            if (visited[topology.target(link)]) continue;
            path.push_back(link);
            at = topology.target(link);
        }
        paths.add(path);
    }
    return paths;
}

void rerouteOne(benchmark::State& state, const Topology& topology, RerouteCriterion criterion)
{
    const LinkPaths paths = randomWalks(topology, 4000);
    std::vector<std::uint64_t> amounts(paths.size());
    for (std::size_t i = 0; i < amounts.size(); ++i) amounts[i] = 1000 + 37 * (i % 101);
    const auto loads = loadsOf(topology, paths, amounts);
    Rerouter rerouter(topology);
    std::size_t route = 0;
    std::size_t found = 0;
    for (auto _ : state) {
        route = (route + 1) % 200;
        found +=
            rerouter.alternative(paths[route], amounts[route], loads, {criterion, 0}).has_value() ? 1 : 0;
    }
    state.counters["links"] = static_cast<double>(topology.links());
    state.counters["found_share"] =
        benchmark::Counter(static_cast<double>(found), benchmark::Counter::kAvgIterations);
}

void RerouteOnTorusByLoad(benchmark::State& state)
{
    rerouteOne(state, doubledTorus(), RerouteCriterion::Load);
}
void RerouteOnTorusByLength(benchmark::State& state)
{
    rerouteOne(state, doubledTorus(), RerouteCriterion::Length);
}
void RerouteOnCirculantByLoad(benchmark::State& state)
{
    rerouteOne(state, circulant(), RerouteCriterion::Load);
}
void RerouteOnCirculantByLength(benchmark::State& state)
{
    rerouteOne(state, circulant(), RerouteCriterion::Length);
}
BENCHMARK(RerouteOnTorusByLoad)->Unit(benchmark::kMicrosecond);
BENCHMARK(RerouteOnTorusByLength)->Unit(benchmark::kMicrosecond);
BENCHMARK(RerouteOnCirculantByLoad)->Unit(benchmark::kMicrosecond);
BENCHMARK(RerouteOnCirculantByLength)->Unit(benchmark::kMicrosecond);

/// SKEIN_BENCH_COMM names a file; the machine is that of MiniAMR_Mira_n2048_c2_s2.
void FileToLinkLoads(benchmark::State& state)
{
    const char* file = std::getenv("SKEIN_BENCH_COMM");
    if (!file) return state.SkipWithError("SKEIN_BENCH_COMM names no file of communication");
    for (auto _ : state) {
        const auto experiment = openExperiment(file, Task());
        if (!experiment || !(*experiment)->commMatrix)
            return state.SkipWithError("the file holds no communication");
        const Topology topology = makeTopology("torus:4x4x4x16x2").value();
        const auto placement = placeInBlocks(topology, (*experiment)->commMatrix->ranks(), 0);
        if (!placement) return state.SkipWithError("the ranks do not fit the machine");
        const auto result =
            traffic(topology, usualRouting(topology),
                    nodeTraffic(*(*experiment)->commMatrix, *placement).value(), nullptr, Task());
        benchmark::DoNotOptimize(result->summary.maximum);
    }
}
BENCHMARK(FileToLinkLoads)->Unit(benchmark::kMillisecond);

void BuildMachineOf65536Nodes(benchmark::State& state)
{
    for (auto _ : state) {
        const auto topology = makeTopology("torus:16x16x16x16");
        benchmark::DoNotOptimize(distances(*topology, Task()).value().nodes());
    }
}
BENCHMARK(BuildMachineOf65536Nodes)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skein
