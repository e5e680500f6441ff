// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/spectral_order.h"

#include "algorithms/layout/pull_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint32_t kCoarsestVertices = 48;
/// Contracting is given up where it leaves more than this part of the vertices.
constexpr double kMostLeft = 0.9;
/// What hangs together loosely stays apart, else ends of a chain would become one vertex.
constexpr double kLeastPart = 0.1;
constexpr std::uint64_t kContractionSeed = 1;
constexpr int kCoarsestSteps = 300, kFinerSteps = 40;

using PulledValues = std::vector<double>;

struct SpectralGraph {
    PullGraph pull;
    PulledValues degrees;  ///< sums of a vertex's weights

    explicit SpectralGraph(PullGraph graph) : pull(std::move(graph)), degrees(pull.nodes(), 0.0)
    {
        for (std::uint32_t vertex = 0; vertex < size(); ++vertex)
            for (const PullGraph::Neighbour& neighbour : pull.of(vertex))
                degrees[vertex] += static_cast<double>(neighbour.weight);
    }
    std::uint32_t size() const { return pull.nodes(); }
};

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
PulledValues laplacian(const SpectralGraph& graph, const PulledValues& values)
{
    PulledValues result(values.size());
    for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex) {
        double sum = graph.degrees[vertex] * values[vertex];
        for (const PullGraph::Neighbour& neighbour : graph.pull.of(vertex))
            sum -= static_cast<double>(neighbour.weight) * values[neighbour.node];
        result[vertex] = sum;
    }
    return result;
}

/// Lowers the Rayleigh quotient: conjugate gradients (Polak, Ribière), preconditioned by the degrees, with
/// the best vector of the plane that the last one and the direction span.
PulledValues refined(const SpectralGraph& graph, PulledValues x, int steps, const Task& task)
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

/// The second eigenvector of a connected graph of two vertices and more.
PulledValues secondVector(const SpectralGraph& graph, const Task& task)
{
    const auto fromNumbers = [&] {
        PulledValues start(graph.size());
        std::iota(start.begin(), start.end(), 0.0);
        return refined(graph, std::move(start), kCoarsestSteps, task);
    };
    if (graph.size() <= kCoarsestVertices || task.stopRequested()) return fromNumbers();
    Coarsening coarser = coarsened(graph.pull, kContractionSeed, kLeastPart);
    if (coarser.graph.nodes() > kMostLeft * graph.size() || coarser.graph.nodes() < 2) return fromNumbers();
    const PulledValues coarse = secondVector(SpectralGraph(std::move(coarser.graph)), task);
    PulledValues start(graph.size());
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = coarse[coarser.parent[i]];
    return refined(graph, std::move(start), kFinerSteps, task);
}

/// A connected part of a graph, whose vertices are numbered anew in their order.
struct SpectralPart {
    std::vector<std::uint32_t> vertices;  ///< ascending
    LayoutGraph graph;
};

/// By their lowest vertices.
std::vector<SpectralPart> partsOf(const PullGraph& graph)
{
    const std::vector<std::uint32_t> partOf = connectedParts(graph);
    std::vector<SpectralPart> parts;
    std::vector<std::uint32_t> numbers(partOf.size());
    for (std::uint32_t vertex = 0; vertex < partOf.size(); ++vertex) {
        if (partOf[vertex] == parts.size()) parts.emplace_back();
        SpectralPart& part = parts[partOf[vertex]];
        numbers[vertex] = part.graph.nodes++;
        part.vertices.push_back(vertex);
        // Lower neighbours have their numbers already.
        for (const PullGraph::Neighbour& neighbour : graph.of(vertex))
            if (neighbour.node < vertex)
                part.graph.edges.push_back({numbers[neighbour.node], numbers[vertex], neighbour.weight});
    }
    return parts;
}

}  // namespace

Result<std::vector<std::uint32_t>> spectralOrder(const LayoutGraph& graph, const Task& task)
{
    const auto whole = pullGraph(graph, PullWeights::AsTold);
    if (!whole) return Unexpected(whole.error());
    std::vector<std::uint32_t> order;
    for (const SpectralPart& part : partsOf(*whole)) {
        if (task.stopRequested()) return cancelled();
        std::vector<std::uint32_t> places(part.vertices.size());
        std::iota(places.begin(), places.end(), 0u);
        if (places.size() > 2) {
            PulledValues values =
                secondVector(SpectralGraph(pullGraph(part.graph, PullWeights::AsTold).value()), task);
            // Either end may come first: the part's lowest vertex lies in the first half.
            if (values.front() > 0)
                for (double& value : values) value = -value;
            std::ranges::stable_sort(places, {}, [&](std::uint32_t place) { return values[place]; });
        }
        for (const std::uint32_t place : places) order.push_back(part.vertices[place]);
    }
    if (task.stopRequested()) return cancelled();
    return order;
}

}  // namespace skein
