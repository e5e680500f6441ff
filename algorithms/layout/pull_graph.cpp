// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/pull_graph.h"

#include "algorithms/mapping/base/random.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint32_t kNoLayoutNode = 0xFFFFFFFFu;
constexpr double kStrongestPull = 16;

struct PlainEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double weight = 0;
};

Result<std::vector<PlainEdge>> checkedEdges(const LayoutGraph& graph)
{
    std::vector<PlainEdge> edges;
    edges.reserve(graph.edges.size());
    for (const LayoutEdge& edge : graph.edges) {
        if (edge.from >= graph.nodes || edge.to >= graph.nodes)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("An edge joins the nodes {} and {}; there are {}.", edge.from, edge.to,
                                    graph.nodes));
        if (!std::isfinite(edge.weight) || edge.weight < 0)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("The edge of the nodes {} and {} has the weight {}.", edge.from, edge.to,
                                    edge.weight));
        if (edge.from == edge.to) continue;
        edges.push_back({std::min(edge.from, edge.to), std::max(edge.from, edge.to), edge.weight});
    }
    return edges;
}

/// Each pair once, by nodes.
void addUp(std::vector<PlainEdge>& edges)
{
    std::stable_sort(edges.begin(), edges.end(), [](const PlainEdge& a, const PlainEdge& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    std::size_t kept = 0;
    for (const PlainEdge& edge : edges) {
        if (kept > 0 && edges[kept - 1].from == edge.from && edges[kept - 1].to == edge.to)
            edges[kept - 1].weight += edge.weight;
        else edges[kept++] = edge;
    }
    edges.resize(kept);
}

void soften(std::vector<PlainEdge>& edges)
{
    double sum = 0;
    for (const PlainEdge& edge : edges) sum += std::sqrt(edge.weight);
    const double mean = edges.empty() ? 1 : sum / static_cast<double>(edges.size());
    for (PlainEdge& edge : edges)
        edge.weight =
            mean > 0 ? std::clamp(std::sqrt(edge.weight) / mean, 1 / kStrongestPull, kStrongestPull) : 1;
}

/// From edges that are by nodes and each once.
PullGraph pullGraphOf(std::vector<float> mass, const std::vector<PlainEdge>& edges)
{
    PullGraph graph;
    graph.mass = std::move(mass);
    graph.first.assign(graph.mass.size() + 1, 0);
    for (const PlainEdge& edge : edges) {
        ++graph.first[edge.from + 1];
        ++graph.first[edge.to + 1];
    }
    std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
    graph.neighbours.resize(2 * edges.size());
    std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
    // Lower neighbours of a node come before higher ones: edges are by their lower node.
    for (const PlainEdge& edge : edges)
        graph.neighbours[next[edge.to]++] = {edge.from, static_cast<float>(edge.weight)};
    for (const PlainEdge& edge : edges)
        graph.neighbours[next[edge.from]++] = {edge.to, static_cast<float>(edge.weight)};
    return graph;
}

std::vector<std::uint32_t> shuffledNodes(std::uint32_t nodes, std::uint64_t seed)
{
    std::vector<std::uint32_t> order(nodes);
    std::iota(order.begin(), order.end(), 0u);
    Random random(seed);
    for (std::uint32_t i = nodes; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    return order;
}

/// How much two nodes belong together: heavy edges first, light nodes before heavy ones, so that nodes of a
/// level stand for about as much.
double affinity(const PullGraph& graph, std::uint32_t node, const PullGraph::Neighbour& neighbour)
{
    return neighbour.weight / (static_cast<double>(graph.mass[node]) * graph.mass[neighbour.node]);
}

class Matching {
public:
    Matching(const PullGraph& graph, double leastPart)
        : graph_(graph), leastPart_(leastPart), partner_(graph.nodes(), kNoLayoutNode)
    {
    }

    void joinNeighbours(const std::vector<std::uint32_t>& order)
    {
        for (const std::uint32_t node : order) {
            if (partner_[node] != kNoLayoutNode) continue;
            const std::uint32_t best =
                bestNeighbour(node, [&](std::uint32_t other) { return partner_[other] == kNoLayoutNode; });
            if (best != kNoLayoutNode) join(node, best);
        }
    }

    /// Leaves of a star have one neighbour, which one of them took.
    void joinLeftOver(const std::vector<std::uint32_t>& order)
    {
        std::vector<std::uint32_t> waiting(graph_.nodes(), kNoLayoutNode);
        for (const std::uint32_t node : order) {
            if (partner_[node] != kNoLayoutNode) continue;
            const std::uint32_t around = bestNeighbour(node, [](std::uint32_t) { return true; });
            if (around == kNoLayoutNode) continue;
            if (waiting[around] == kNoLayoutNode) waiting[around] = node;
            else join(node, std::exchange(waiting[around], kNoLayoutNode));
        }
    }

    Coarsening coarse() const
    {
        Coarsening result;
        result.parent.assign(graph_.nodes(), kNoLayoutNode);
        std::vector<float> mass;
        for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
            if (result.parent[node] == kNoLayoutNode) {
                result.parent[node] = static_cast<std::uint32_t>(mass.size());
                if (partner_[node] != kNoLayoutNode) result.parent[partner_[node]] = result.parent[node];
                mass.push_back(0);
            }
            mass[result.parent[node]] += graph_.mass[node];
        }
        std::vector<PlainEdge> edges;
        for (std::uint32_t node = 0; node < graph_.nodes(); ++node)
            for (const PullGraph::Neighbour& neighbour : graph_.of(node)) {
                const std::uint32_t a = result.parent[node], b = result.parent[neighbour.node];
                if (neighbour.node > node && a != b)
                    edges.push_back({std::min(a, b), std::max(a, b), neighbour.weight});
            }
        addUp(edges);
        result.graph = pullGraphOf(std::move(mass), edges);
        return result;
    }

private:
    template <typename Allowed>
    std::uint32_t bestNeighbour(std::uint32_t node, const Allowed& allowed) const
    {
        std::uint32_t best = kNoLayoutNode;
        double most = -1;
        const double least = leastWeight(node);
        for (const PullGraph::Neighbour& neighbour : graph_.of(node)) {
            if (neighbour.weight < least || !allowed(neighbour.node)) continue;
            const double value = affinity(graph_, node, neighbour);
            if (value <= most) continue;
            most = value;
            best = neighbour.node;
        }
        return best;
    }

    double leastWeight(std::uint32_t node) const
    {
        if (leastPart_ <= 0) return 0;
        float heaviest = 0;
        for (const PullGraph::Neighbour& neighbour : graph_.of(node))
            heaviest = std::max(heaviest, neighbour.weight);
        return leastPart_ * heaviest;
    }

    void join(std::uint32_t a, std::uint32_t b)
    {
        partner_[a] = b;
        partner_[b] = a;
    }

    const PullGraph& graph_;
    double leastPart_;
    std::vector<std::uint32_t> partner_;
};

}  // namespace

Result<PullGraph> pullGraph(const LayoutGraph& graph, PullWeights weights)
{
    auto edges = checkedEdges(graph);
    if (!edges) return Unexpected(edges.error());
    addUp(*edges);
    if (weights == PullWeights::Softened) soften(*edges);
    return pullGraphOf(std::vector<float>(graph.nodes, 1.0f), *edges);
}

Coarsening coarsened(const PullGraph& graph, std::uint64_t seed, double leastPart)
{
    const std::vector<std::uint32_t> order = shuffledNodes(graph.nodes(), seed);
    Matching matching(graph, leastPart);
    matching.joinNeighbours(order);
    matching.joinLeftOver(order);
    return matching.coarse();
}

std::vector<std::uint32_t> connectedParts(const PullGraph& graph)
{
    std::vector<std::uint32_t> part(graph.nodes(), kNoLayoutNode), open;
    std::uint32_t parts = 0;
    for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
        if (part[node] != kNoLayoutNode) continue;
        part[node] = parts;
        open.push_back(node);
        while (!open.empty()) {
            const std::uint32_t next = open.back();
            open.pop_back();
            for (const PullGraph::Neighbour& neighbour : graph.of(next)) {
                if (part[neighbour.node] != kNoLayoutNode) continue;
                part[neighbour.node] = parts;
                open.push_back(neighbour.node);
            }
        }
        ++parts;
    }
    return part;
}

}  // namespace skein
