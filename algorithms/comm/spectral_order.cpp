// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/spectral_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace skein {
namespace {

constexpr std::uint32_t kNoCoarseVertex = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kCoarsestVertices = 48;
/// Contracting is given up where it leaves more than this part of the vertices: stars hardly contract.
constexpr double kMostLeft = 0.9;
constexpr int kCoarsestSteps = 300, kFinerSteps = 40;

using PulledValues = std::vector<double>;

/// A graph of which every edge is listed at both ends.
struct PulledGraph {
    std::vector<std::size_t> first{0};  ///< of a vertex; one more than vertices
    std::vector<std::uint32_t> neighbors;
    PulledValues weights;
    PulledValues degrees;  ///< sums of a vertex's weights

    std::uint32_t size() const { return static_cast<std::uint32_t>(degrees.size()); }
};

/// Pairs that occur several times add up.
PulledGraph pulledGraphOf(std::uint32_t vertices, std::vector<WeightedPair> pairs)
{
    std::ranges::sort(pairs, [](const WeightedPair& a, const WeightedPair& b) {
        return a.low != b.low ? a.low < b.low : a.high < b.high;
    });
    PulledGraph graph;
    graph.degrees.assign(vertices, 0);
    std::vector<std::size_t> ends(vertices + std::size_t{1}, 0);
    std::size_t kept = 0;
    for (const WeightedPair& pair : pairs) {
        if (kept > 0 && pairs[kept - 1].low == pair.low && pairs[kept - 1].high == pair.high)
            pairs[kept - 1].weight += pair.weight;
        else pairs[kept++] = pair;
    }
    pairs.resize(kept);
    for (const WeightedPair& pair : pairs)
        for (const std::uint32_t end : {pair.low, pair.high}) ++ends[end + std::size_t{1}];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    graph.first = ends;
    graph.neighbors.resize(ends.back());
    graph.weights.resize(ends.back());
    const auto add = [&](std::uint32_t from, std::uint32_t to, double weight) {
        graph.neighbors[ends[from]] = to;
        graph.weights[ends[from]++] = weight;
        graph.degrees[from] += weight;
    };
    for (const WeightedPair& pair : pairs) {
        add(pair.low, pair.high, pair.weight);
        add(pair.high, pair.low, pair.weight);
    }
    return graph;
}

double dotProduct(const PulledValues& a, const PulledValues& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// a += factor · b
void addScaled(PulledValues& a, double factor, const PulledValues& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

/// The constant is the eigenvector of the smallest eigenvalue, 0.
void takeMeanAway(PulledValues& values)
{
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double& value : values) value -= mean;
}

/// False where nothing is left to scale.
bool scaledToOne(PulledValues& values)
{
    const double length = std::sqrt(dotProduct(values, values));
    if (!(length > 1e-300)) return false;
    for (double& value : values) value /= length;
    return true;
}

/// The Laplacian times a vector.
PulledValues laplacian(const PulledGraph& graph, const PulledValues& values)
{
    PulledValues result(values.size());
    for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex) {
        double sum = graph.degrees[vertex] * values[vertex];
        for (std::size_t i = graph.first[vertex]; i < graph.first[vertex + std::size_t{1}]; ++i)
            sum -= graph.weights[i] * values[graph.neighbors[i]];
        result[vertex] = sum;
    }
    return result;
}

/// Lowers the Rayleigh quotient: conjugate gradients (Polak, Ribière), preconditioned by the degrees, with
/// the best vector of the plane that the last one and the direction span.
PulledValues refined(const PulledGraph& graph, PulledValues x, int steps, const Task& task)
{
    takeMeanAway(x);
    if (!scaledToOne(x)) return x;
    PulledValues pulled = laplacian(graph, x), direction, residual;
    double before = 0;
    for (int step = 0; step < steps && !task.stopRequested(); ++step) {
        const double quotient = dotProduct(x, pulled);
        PulledValues now = pulled;
        addScaled(now, -quotient, x);
        PulledValues down(now.size());
        for (std::size_t i = 0; i < now.size(); ++i) down[i] = now[i] / graph.degrees[i];
        const double size = dotProduct(down, now);
        if (!(dotProduct(now, now) > 1e-24 * quotient * quotient)) break;
        const double keep = before > 0 ? std::max(0.0, (size - dotProduct(down, residual)) / before) : 0;
        if (keep > 0) addScaled(down, keep, direction);
        direction = down;
        residual = std::move(now);
        before = size;
        takeMeanAway(down);
        addScaled(down, -dotProduct(down, x), x);
        if (!scaledToOne(down)) break;
        const PulledValues across = laplacian(graph, down);
        const double angle =
            0.5 * std::atan2(-2 * dotProduct(x, across), dotProduct(down, across) - quotient);
        const double cosine = std::cos(angle), sine = std::sin(angle);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = cosine * x[i] + sine * down[i];
            pulled[i] = cosine * pulled[i] + sine * across[i];
        }
    }
    return x;
}

struct PulledContraction {
    PulledGraph graph;
    std::vector<std::uint32_t> vertexOf;  ///< of each finer vertex
};

/// The edge to the free neighbour that pulls a vertex most, if any pulls about as much as the strongest of
/// all: what hangs together loosely stays apart, else ends of a chain would become one vertex.
std::size_t edgeToJoinBy(const PulledGraph& graph, std::uint32_t vertex,
                         const std::vector<std::uint32_t>& joined)
{
    constexpr double kLeastPart = 0.1;
    const std::size_t end = graph.first[vertex + std::size_t{1}];
    double strongest = 0;
    for (std::size_t i = graph.first[vertex]; i < end; ++i) strongest = std::max(strongest, graph.weights[i]);
    std::size_t best = end;
    for (std::size_t i = graph.first[vertex]; i < end; ++i)
        if (joined[graph.neighbors[i]] == kNoCoarseVertex && graph.weights[i] >= kLeastPart * strongest
            && (best == end || graph.weights[i] > graph.weights[best]))
            best = i;
    return best;
}

/// Half of the vertices or a few more, each one or two joined ones.
PulledContraction contractedPull(const PulledGraph& graph)
{
    PulledContraction result;
    result.vertexOf.assign(graph.size(), kNoCoarseVertex);
    std::uint32_t count = 0;
    for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex) {
        if (result.vertexOf[vertex] != kNoCoarseVertex) continue;
        const std::size_t edge = edgeToJoinBy(graph, vertex, result.vertexOf);
        if (edge < graph.first[vertex + std::size_t{1}]) result.vertexOf[graph.neighbors[edge]] = count;
        result.vertexOf[vertex] = count++;
    }
    std::vector<WeightedPair> pairs;
    for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex)
        for (std::size_t i = graph.first[vertex]; i < graph.first[vertex + std::size_t{1}]; ++i) {
            const auto [low, high] =
                std::minmax({result.vertexOf[vertex], result.vertexOf[graph.neighbors[i]]});
            if (vertex < graph.neighbors[i] && low != high) pairs.push_back({low, high, graph.weights[i]});
        }
    result.graph = pulledGraphOf(count, std::move(pairs));
    return result;
}

/// The second eigenvector of a connected graph of two vertices and more.
PulledValues secondVector(const PulledGraph& graph, const Task& task)
{
    const auto fromNumbers = [&] {
        PulledValues start(graph.size());
        std::iota(start.begin(), start.end(), 0.0);
        return refined(graph, std::move(start), kCoarsestSteps, task);
    };
    if (graph.size() <= kCoarsestVertices || task.stopRequested()) return fromNumbers();
    const PulledContraction coarser = contractedPull(graph);
    if (coarser.graph.size() > kMostLeft * graph.size() || coarser.graph.size() < 2) return fromNumbers();
    const PulledValues coarse = secondVector(coarser.graph, task);
    PulledValues start(graph.size());
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = coarse[coarser.vertexOf[i]];
    return refined(graph, std::move(start), kFinerSteps, task);
}

/// The vertices of each connected part, ascending, by their lowest.
std::vector<std::vector<std::uint32_t>> pulledParts(const PulledGraph& graph)
{
    std::vector<std::vector<std::uint32_t>> parts;
    std::vector<char> seen(graph.size(), 0);
    for (std::uint32_t start = 0; start < graph.size(); ++start) {
        if (seen[start]) continue;
        std::vector<std::uint32_t> part{start};
        seen[start] = 1;
        for (std::size_t next = 0; next < part.size(); ++next)
            for (std::size_t i = graph.first[part[next]]; i < graph.first[part[next] + std::size_t{1}]; ++i)
                if (!std::exchange(seen[graph.neighbors[i]], 1)) part.push_back(graph.neighbors[i]);
        std::ranges::sort(part);
        parts.push_back(std::move(part));
    }
    return parts;
}

PulledGraph pulledPartOf(const PulledGraph& graph, const std::vector<std::uint32_t>& part,
                         std::vector<std::uint32_t>& numbers)
{
    for (std::size_t i = 0; i < part.size(); ++i) numbers[part[i]] = static_cast<std::uint32_t>(i);
    std::vector<WeightedPair> pairs;
    for (const std::uint32_t vertex : part)
        for (std::size_t i = graph.first[vertex]; i < graph.first[vertex + std::size_t{1}]; ++i)
            if (vertex < graph.neighbors[i])
                pairs.push_back({numbers[vertex], numbers[graph.neighbors[i]], graph.weights[i]});
    return pulledGraphOf(static_cast<std::uint32_t>(part.size()), std::move(pairs));
}

}  // namespace

Result<std::vector<std::uint32_t>> spectralOrder(std::uint32_t vertices, std::span<const WeightedPair> pairs,
                                                 const Task& task)
{
    const PulledGraph graph = pulledGraphOf(vertices, {pairs.begin(), pairs.end()});
    std::vector<std::uint32_t> order, numbers(vertices);
    for (const std::vector<std::uint32_t>& part : pulledParts(graph)) {
        if (task.stopRequested()) return cancelled();
        std::vector<std::uint32_t> places(part.size());
        std::iota(places.begin(), places.end(), 0u);
        if (part.size() > 2) {
            PulledValues values = secondVector(pulledPartOf(graph, part, numbers), task);
            // Either end may come first: the part's lowest vertex lies in the first half.
            if (values.front() > 0)
                for (double& value : values) value = -value;
            std::ranges::stable_sort(places, {}, [&](std::uint32_t place) { return values[place]; });
        }
        for (const std::uint32_t place : places) order.push_back(part[place]);
    }
    if (task.stopRequested()) return cancelled();
    return order;
}

}  // namespace skein
