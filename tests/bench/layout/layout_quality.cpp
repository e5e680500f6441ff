// SPDX-License-Identifier: GPL-3.0-or-later
// Lays a graph out and says how well, or how well other places are: see tests/bench/layout_bench.py.
//
// usage: skein-layout-quality EDGES [PLACES]
// EDGES: "from to weight" a line. PLACES: "node x y" a line; without, the graph is laid out here.
#include "algorithms/layout/force_layout.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <optional>

using namespace skein;

namespace {

constexpr std::uint32_t kAskedNodes = 500;  ///< of large graphs

LayoutGraph readEdges(const char* file)
{
    LayoutGraph graph;
    std::ifstream in(file);
    LayoutEdge edge;
    while (in >> edge.from >> edge.to >> edge.weight) {
        graph.edges.push_back(edge);
        graph.nodes = std::max({graph.nodes, edge.from + 1, edge.to + 1});
    }
    return graph;
}

std::vector<PlanePoint> readPlaces(const char* file, std::uint32_t nodes)
{
    std::vector<PlanePoint> points(nodes);
    std::ifstream in(file);
    std::uint32_t node = 0;
    PlanePoint point;
    while (in >> node >> point.x >> point.y)
        if (node < nodes) points[node] = point;
    return points;
}

using Neighbours = std::vector<std::vector<std::uint32_t>>;

Neighbours neighboursOf(const LayoutGraph& graph)
{
    Neighbours near(graph.nodes);
    for (const LayoutEdge& edge : graph.edges) {
        if (edge.from == edge.to) continue;
        near[edge.from].push_back(edge.to);
        near[edge.to].push_back(edge.from);
    }
    for (auto& list : near) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return near;
}

/// Edges from a node to each other one; -1: no way.
std::vector<int> stepsFrom(const Neighbours& near, std::uint32_t start)
{
    std::vector<int> steps(near.size(), -1);
    std::vector<std::uint32_t> open{start};
    steps[start] = 0;
    for (std::size_t i = 0; i < open.size(); ++i)
        for (const std::uint32_t next : near[open[i]]) {
            if (steps[next] >= 0) continue;
            steps[next] = steps[open[i]] + 1;
            open.push_back(next);
        }
    return steps;
}

double distance(PlanePoint a, PlanePoint b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Of a node's neighbours and as many nearest nodes the part that is both (Jaccard).
double preserved(const Neighbours& near, const std::vector<PlanePoint>& points, std::uint32_t node)
{
    const std::size_t count = near[node].size();
    std::vector<std::pair<double, std::uint32_t>> others;
    for (std::uint32_t other = 0; other < points.size(); ++other)
        if (other != node) others.push_back({distance(points[node], points[other]), other});
    std::nth_element(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count) - 1, others.end());
    std::size_t both = 0;
    for (std::size_t i = 0; i < count; ++i)
        both += std::binary_search(near[node].begin(), near[node].end(), others[i].second);
    return static_cast<double>(both) / static_cast<double>(2 * count - both);
}

struct Quality {
    double stress = 0, preservation = 0;
};

/// Stress with weights 1/steps², at the scale at which it is least, a pair: 1 − (Σ d/s)² / (n Σ (d/s)²).
Quality qualityOf(const LayoutGraph& graph, const std::vector<PlanePoint>& points)
{
    const Neighbours near = neighboursOf(graph);
    const std::uint32_t stride = std::max(1u, graph.nodes / kAskedNodes);
    double sum = 0, squares = 0, pairs = 0, kept = 0, asked = 0;
    for (std::uint32_t node = 0; node < graph.nodes; node += stride) {
        const std::vector<int> steps = stepsFrom(near, node);
        for (std::uint32_t other = 0; other < graph.nodes; ++other) {
            if (steps[other] <= 0) continue;
            const double ratio = distance(points[node], points[other]) / steps[other];
            sum += ratio;
            squares += ratio * ratio;
            pairs += 1;
        }
        if (near[node].empty()) continue;
        kept += preserved(near, points, node);
        asked += 1;
    }
    return {1 - sum * sum / squares / pairs, kept / asked};
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 2) return 2;
    const LayoutGraph graph = readEdges(argv[1]);
    std::vector<PlanePoint> points;
    std::string times;
    if (argc > 2) points = readPlaces(argv[2], graph.nodes);
    else {
        using Clock = std::chrono::steady_clock;
        const auto begin = Clock::now();
        const std::clock_t cpu = std::clock();
        const auto ms = [&] {
            return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        };
        std::optional<double> first;
        LayoutParams params;
        params.picture = [&](std::span<const PlanePoint>) {
            if (!first) first = ms();
        };
        auto result = forceLayout(graph, params, Task());
        if (!result) {
            std::cerr << result.error().text() << '\n';
            return 1;
        }
        points = std::move(*result);
        times = fmt::format(", \"first_ms\": {:.1f}, \"settled_ms\": {:.1f}, \"cpu_ms\": {:.0f}",
                            first.value_or(0), ms(),
                            1000.0 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
    }
    const Quality quality = qualityOf(graph, points);
    std::cout << fmt::format(
        "{{\"nodes\": {}, \"edges\": {}, \"stress\": {:.4f}, \"preservation\": {:.4f}{}}}\n", graph.nodes,
        graph.edges.size(), quality.stress, quality.preservation, times);
    return 0;
}
