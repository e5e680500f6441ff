// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/force_layout.h"

#include "algorithms/layout/pull_graph.h"
#include "algorithms/layout/push_tree.h"
#include "algorithms/mapping/base/random.h"

#include "tests/support/catch.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace skein::force_layout_test {
namespace {

LayoutGraph grid(std::uint32_t rows, std::uint32_t columns)
{
    LayoutGraph graph;
    graph.nodes = rows * columns;
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column) {
            const std::uint32_t node = row * columns + column;
            if (column + 1 < columns) graph.edges.push_back({node, node + 1, 1});
            if (row + 1 < rows) graph.edges.push_back({node, node + columns, 1});
        }
    return graph;
}

double distance(PlanePoint a, PlanePoint b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// The share of a node's nearest nodes that are its neighbours, as many as it has, on average.
double neighboursKept(const LayoutGraph& graph, const std::vector<PlanePoint>& points)
{
    std::vector<std::vector<std::uint32_t>> near(graph.nodes);
    for (const LayoutEdge& edge : graph.edges) {
        near[edge.from].push_back(edge.to);
        near[edge.to].push_back(edge.from);
    }
    double kept = 0;
    for (std::uint32_t node = 0; node < graph.nodes; ++node) {
        std::vector<std::pair<double, std::uint32_t>> others;
        for (std::uint32_t other = 0; other < graph.nodes; ++other)
            if (other != node) others.push_back({distance(points[node], points[other]), other});
        std::sort(others.begin(), others.end());
        const std::size_t count = near[node].size();
        const auto found = std::count_if(
            others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count), [&](const auto& other) {
                return std::ranges::find(near[node], other.second) != near[node].end();
            });
        kept += static_cast<double>(found) / static_cast<double>(count);
    }
    return kept / graph.nodes;
}

std::vector<PlanePoint> laidOut(const LayoutGraph& graph, const LayoutParams& params = {})
{
    const auto points = forceLayout(graph, params, Task());
    REQUIRE(points);
    REQUIRE(points->size() == graph.nodes);
    for (const PlanePoint& point : *points) REQUIRE((std::isfinite(point.x) && std::isfinite(point.y)));
    return *points;
}

}  // namespace

TEST_CASE("a quadtree that looks at everything pushes as all pairs do")
{
    Random random(3);
    std::vector<PlanePoint> points;
    std::vector<float> masses;
    for (int i = 0; i < 200; ++i) {
        points.push_back({random.unit(), random.unit() * 0.2});
        masses.push_back(static_cast<float>(1 + random.below(5)));
    }
    points[17] = points[16];
    const PushTree tree(points, masses);
    for (const PushRange range : {PushRange::Far, PushRange::Near})
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            PlanePoint wanted;
            for (std::size_t j = 0; j < points.size(); ++j) {
                const double away = distance(points[i], points[j]);
                if (away == 0) continue;
                const double strength = static_cast<double>(masses[j])
                    / (range == PushRange::Far ? away * away : away * away * away);
                wanted.x += strength * (points[i].x - points[j].x);
                wanted.y += strength * (points[i].y - points[j].y);
            }
            const double size = std::hypot(wanted.x, wanted.y);
            const PlanePoint exact = tree.pushOn(i, 0, range), rough = tree.pushOn(i, 0.5, range);
            CHECK(std::abs(exact.x - wanted.x) <= 1e-9 * (1 + size));
            CHECK(std::abs(exact.y - wanted.y) <= 1e-9 * (1 + size));
            CHECK(distance(rough, wanted) <= 0.1 * size + 5);
        }
}

TEST_CASE("coarsening keeps the mass and the weight between what it does not join")
{
    Random random(5);
    LayoutGraph graph;
    graph.nodes = 120;
    for (int i = 0; i < 300; ++i)
        graph.edges.push_back({random.below(100), random.below(100), 1.0 + random.below(9)});
    const auto fine = pullGraph(graph);
    REQUIRE(fine);
    const Coarsening coarse = coarsened(*fine, 1);
    CHECK(coarse.graph.nodes() < 90);
    float mass = 0;
    for (const float part : coarse.graph.mass) mass += part;
    CHECK(mass == 120.0f);
    std::vector<std::vector<double>> between(coarse.graph.nodes(),
                                             std::vector<double>(coarse.graph.nodes(), 0));
    for (std::uint32_t node = 0; node < fine->nodes(); ++node)
        for (const auto& neighbour : fine->of(node))
            if (coarse.parent[node] != coarse.parent[neighbour.node])
                between[coarse.parent[node]][coarse.parent[neighbour.node]] +=
                    static_cast<double>(neighbour.weight);
    for (std::uint32_t node = 0; node < coarse.graph.nodes(); ++node)
        for (const auto& neighbour : coarse.graph.of(node)) {
            CHECK(static_cast<double>(neighbour.weight)
                  == Approx(between[node][neighbour.node]).epsilon(1e-5));
            between[node][neighbour.node] = 0;
        }
    for (const auto& row : between)
        for (const double left : row) CHECK(left == 0);
}

TEST_CASE("leaves of a star are joined with each other")
{
    LayoutGraph star;
    star.nodes = 101;
    for (std::uint32_t leaf = 1; leaf < star.nodes; ++leaf) star.edges.push_back({0, leaf, 1});
    const auto graph = pullGraph(star);
    REQUIRE(graph);
    CHECK(coarsened(*graph, 7).graph.nodes() <= 52);
}

TEST_CASE("a grid comes out as a grid: neighbours lie next to each other")
{
    const LayoutGraph graph = grid(12, 20);
    const std::vector<PlanePoint> points = laidOut(graph);
    CHECK(neighboursKept(graph, points) > 0.9);
    double mean = 0;
    for (const LayoutEdge& edge : graph.edges) mean += distance(points[edge.from], points[edge.to]);
    CHECK(mean / static_cast<double>(graph.edges.size()) == Approx(1.0));
    // The longer side lies, and opposite corners are the farthest from each other.
    const double across = distance(points[0], points[12 * 20 - 1]);
    CHECK(across > 0.8 * std::hypot(11, 19));
}

TEST_CASE("what exchanges more lies nearer")
{
    LayoutGraph ring;
    ring.nodes = 16;
    for (std::uint32_t node = 0; node < 16; ++node)
        ring.edges.push_back({node, (node + 1) % 16, node % 2 == 0 ? 100.0 : 1.0});
    const std::vector<PlanePoint> points = laidOut(ring);
    for (std::uint32_t node = 0; node < 16; node += 2)
        CHECK(distance(points[node], points[node + 1])
              < 0.6 * distance(points[node + 1], points[(node + 2) % 16]));
}

TEST_CASE("a layout is the same bits on any number of threads, and another for another seed")
{
    const LayoutGraph graph = grid(20, 31);
    const auto one = forceLayout(graph, {}, Task().withThreads(1));
    const auto four = forceLayout(graph, {}, Task().withThreads(4));
    REQUIRE((one && four));
    CHECK(*one == *four);
    LayoutParams other;
    other.seed = 2;
    CHECK(laidOut(graph, other) != *one);
    LayoutParams watched;
    watched.pictureMs = 0;
    std::size_t pictures = 0;
    watched.picture = [&](std::span<const PlanePoint> points) {
        CHECK(points.size() == graph.nodes);
        ++pictures;
    };
    CHECK(laidOut(graph, watched) == *one);
    CHECK(pictures > 10);
}

TEST_CASE("a layout that goes on from an earlier one moves little")
{
    LayoutGraph graph = grid(15, 15);
    const std::vector<PlanePoint> before = laidOut(graph);
    for (std::size_t i = 0; i < graph.edges.size(); i += 7) graph.edges[i].weight = 1.3;
    graph.nodes += 1;
    graph.edges.push_back({225, 112, 1});
    graph.edges.push_back({225, 113, 1});
    LayoutParams params;
    std::vector<PlanePoint> start = before;
    start.push_back({std::numeric_limits<double>::quiet_NaN(), 0});
    params.start = start;
    const std::vector<PlanePoint> after = laidOut(graph, params);
    double farthest = 0;
    for (std::size_t node = 0; node < before.size(); ++node)
        farthest = std::max(farthest, distance(before[node], after[node]));
    CHECK(farthest < 1.0);  // the grid is 14 wide
    CHECK(distance(after[225], after[112]) < 2.0);
    CHECK(distance(after[225], after[113]) < 2.0);
}

TEST_CASE("fixed nodes stay where they are")
{
    const LayoutGraph graph = grid(6, 6);
    const std::vector<PlanePoint> before = laidOut(graph);
    LayoutParams params;
    std::vector<PlanePoint> start = before;
    params.fixed.assign(36, 1);
    for (const std::size_t free : {14u, 15u, 20u, 21u}) {
        params.fixed[free] = 0;
        start[free].x += 0.3;
    }
    params.start = start;
    const std::vector<PlanePoint> after = laidOut(graph, params);
    for (std::size_t node = 0; node < 36; ++node) {
        if (params.fixed[node]) CHECK(after[node] == before[node]);
        else CHECK(distance(after[node], before[node]) < 0.2);
    }
}

TEST_CASE("parts that are not connected lie beside each other, single nodes too")
{
    LayoutGraph graph = grid(5, 5);
    const LayoutGraph second = grid(5, 5);
    for (const LayoutEdge& edge : second.edges) graph.edges.push_back({edge.from + 25, edge.to + 25, 1});
    graph.nodes = 60;  // and ten alone
    const std::vector<PlanePoint> points = laidOut(graph);
    double widest = 0;
    for (const PlanePoint& point : points) widest = std::max(widest, std::hypot(point.x, point.y));
    CHECK(widest < 12);
    for (std::size_t a = 0; a < 60; ++a)
        for (std::size_t b = 0; b < a; ++b) CHECK(distance(points[a], points[b]) > 0.2);
}

TEST_CASE("circles do not overlap")
{
    LayoutGraph graph = grid(8, 8);
    for (std::uint32_t node = 0; node < 64; ++node) graph.radii.push_back(node % 5 == 0 ? 0.9 : 0.3);
    const std::vector<PlanePoint> points = laidOut(graph);
    for (std::size_t a = 0; a < 64; ++a)
        for (std::size_t b = 0; b < a; ++b)
            CHECK(distance(points[a], points[b]) > 0.97 * (graph.radii[a] + graph.radii[b]));
}

TEST_CASE("no node, one node, and nodes without edges have places")
{
    CHECK(laidOut({}).empty());
    CHECK(laidOut({1, {}, {}}).size() == 1);
    CHECK(laidOut({2, {{0, 1, 0.0}}, {}}).size() == 2);
    const std::vector<PlanePoint> points = laidOut({40, {}, {}});
    for (std::size_t a = 0; a < 40; ++a)
        for (std::size_t b = 0; b < a; ++b) CHECK(distance(points[a], points[b]) > 0.1);
}

TEST_CASE("edges that make no sense are refused in one sentence")
{
    const double notANumber = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(forceLayout({2, {{0, 2, 1.0}}, {}}, {}, Task()));
    CHECK_FALSE(forceLayout({2, {{0, 1, -1.0}}, {}}, {}, Task()));
    CHECK_FALSE(forceLayout({2, {{0, 1, notANumber}}, {}}, {}, Task()));
    CHECK_FALSE(forceLayout({2, {}, {1.0}}, {}, Task()));
    LayoutParams params;
    params.fixed = {1, 0};
    CHECK_FALSE(forceLayout({2, {}, {}}, params, Task()));
}

TEST_CASE("a layout that is asked to stop is cancelled")
{
    std::stop_source stop;
    LayoutParams params;
    params.pictureMs = 0;
    int pictures = 0;
    params.picture = [&](std::span<const PlanePoint>) {
        if (++pictures == 3) stop.request_stop();
    };
    const auto stopped = forceLayout(grid(40, 40), params, Task(stop.get_token()));
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().cancelled());
    CHECK(pictures == 3);
}

}  // namespace skein::force_layout_test
