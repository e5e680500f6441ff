// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/comm_graph.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kAskEveryFlows = 4096;

/// Gathers flows over places, and then numbers the vertices that there are.
class CommGraphBuilder {
public:
    explicit CommGraphBuilder(std::size_t places) : used_(places, 0) {}

    CommGraph& graph() { return graph_; }

    void addFlow(CommGraph::Flow flow, std::span<const std::uint32_t> way)
    {
        flow.firstStop = static_cast<std::uint32_t>(graph_.stops.size());
        flow.stops = static_cast<std::uint32_t>(way.size());
        for (const std::uint32_t place : way) used_[place] = 1;
        graph_.stops.insert(graph_.stops.end(), way.begin(), way.end());
        graph_.flows.push_back(flow);
    }
    void use(std::uint32_t place) { used_[place] = 1; }

    /// Vertices in the order of places; flows and ways named by them.
    CommGraph finish(const std::vector<CommGraph::Vertex>& totals)
    {
        graph_.vertexOf.assign(used_.size(), CommGraph::kNone);
        for (std::uint32_t place = 0; place < used_.size(); ++place) {
            if (!used_[place]) continue;
            graph_.vertexOf[place] = static_cast<std::uint32_t>(graph_.vertices.size());
            graph_.vertices.push_back(totals[place]);
            graph_.places.push_back(place);
            graph_.firstPlace.push_back(static_cast<std::uint32_t>(graph_.places.size()));
        }
        for (std::uint32_t& stop : graph_.stops) stop = graph_.vertexOf[stop];
        for (CommGraph::Flow& flow : graph_.flows) {
            flow.from = graph_.vertexOf[flow.from];
            flow.to = graph_.vertexOf[flow.to];
        }
        return std::move(graph_);
    }

private:
    CommGraph graph_;
    std::vector<char> used_;
};

void sortFlows(CommGraph& graph)
{
    std::stable_sort(graph.flows.begin(), graph.flows.end(),
                     [&](const CommGraph::Flow& a, const CommGraph::Flow& b) {
                         const std::uint64_t left = graph.amountOf(a), right = graph.amountOf(b);
                         if (left != right) return left > right;
                         return std::pair(a.from, a.to) < std::pair(b.from, b.to);
                     });
}

/// Adds what flows from one vertex to another to both. Partners count where no messages are told.
void addDegrees(std::vector<CommGraph::Vertex>& totals, std::uint32_t from, std::uint32_t to,
                std::uint64_t messages, std::uint64_t bytes)
{
    totals[from].out += messages;
    totals[to].in += messages;
    totals[from].bytesOut += bytes;
    totals[to].bytesIn += bytes;
}

LoadUnit commUnitOf(const CommMatrix& matrix)
{
    return matrix.totalBytes() > 0 || matrix.totalMessages() == 0 ? LoadUnit::Bytes : LoadUnit::Messages;
}

std::uint64_t highestLoad(const LinkAmounts& loads, std::span<const LinkIndex> links)
{
    std::uint64_t most = 0;
    for (const LinkIndex link : links) most = std::max(most, loads[link]);
    return most;
}

/// What ranks of the same node send each other.
void addInside(std::vector<CommGraph::Vertex>& totals, const CommMatrix& matrix, const Placement& placement)
{
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        if (entry.sender >= placement.ranks() || entry.receiver >= placement.ranks()) continue;
        const VertexIndex node = placement.nodeOf(entry.sender);
        if (node != placement.nodeOf(entry.receiver)) continue;
        totals[node].bytesInside += entry.bytes;
        totals[node].messagesInside += entry.messages;
    }
}

}  // namespace

CommGraph graphOfRanks(const CommMatrix& matrix)
{
    CommGraphBuilder builder(matrix.ranks());
    builder.graph().unit = commUnitOf(matrix);
    std::vector<CommGraph::Vertex> totals(matrix.ranks());
    const bool told = matrix.totalMessages() > 0;
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        if (entry.sender == entry.receiver) {
            builder.use(entry.sender);
            totals[entry.sender].bytesInside += entry.bytes;
            totals[entry.sender].messagesInside += entry.messages;
            continue;
        }
        addDegrees(totals, entry.sender, entry.receiver, told ? entry.messages : 1, entry.bytes);
        const std::uint32_t way[] = {entry.sender, entry.receiver};
        builder.addFlow({entry.sender, entry.receiver, entry.bytes, entry.messages, 0, 0, 0, 0, 0}, way);
    }
    CommGraph graph = builder.finish(totals);
    sortFlows(graph);
    return graph;
}

CommGraph graphOnMachine(const Topology& topology, const Traffic& traffic, const CommMatrix* matrix,
                         const Placement* placement)
{
    CommGraphBuilder builder(topology.vertices());
    builder.graph().unit = traffic.unit;
    builder.graph().ofMachine = true;
    std::vector<CommGraph::Vertex> totals(topology.vertices());
    const bool routed = traffic.paths.size() == traffic.pairs.size();
    std::vector<std::uint32_t> way;
    for (std::size_t i = 0; i < traffic.pairs.size(); ++i) {
        const NodePair& pair = traffic.pairs[i];
        addDegrees(totals, pair.from, pair.to, traffic.messages > 0 ? pair.messages : 1, pair.bytes);
        CommGraph::Flow flow{pair.from, pair.to, pair.bytes, pair.messages, 0, 0, 0, 0, 0};
        way.assign(1, pair.from);
        if (routed) {
            const std::span<const LinkIndex> links = traffic.paths[i];
            for (const LinkIndex link : links) way.push_back(topology.target(link));
            flow.hops = static_cast<std::uint32_t>(links.size());
            flow.hopBytes = flow.hops * amountOf(pair, traffic.unit);
            flow.highestLoad = highestLoad(traffic.loads, links);
        } else way.push_back(pair.to);
        // A recording may end early: the flow is drawn as far as it goes.
        flow.to = way.back();
        if (flow.from != flow.to || way.size() > 1) builder.addFlow(flow, way);
    }
    if (placement)
        for (std::uint32_t rank = 0; rank < placement->ranks(); ++rank) builder.use(placement->nodeOf(rank));
    if (matrix && placement) addInside(totals, *matrix, *placement);
    CommGraph graph = builder.finish(totals);
    sortFlows(graph);
    return graph;
}

namespace {

/// The same flow over the vertices of groups: stops of the same vertex one after the other are one.
class FlowMerger {
public:
    FlowMerger(const CommGraph& fine, CommGraph& coarse) : fine_(fine), coarse_(coarse) {}

    bool run(const Task& task)
    {
        for (std::size_t i = 0; i < fine_.flows.size(); ++i) {
            if (i % kAskEveryFlows == 0 && task.stopRequested()) return false;
            follow(fine_.flows[i]);
        }
        std::vector<std::uint32_t> order(flows_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
            return std::ranges::lexicographical_compare(wayOf(flows_[a]), wayOf(flows_[b]));
        });
        for (const std::uint32_t index : order) add(flows_[index]);
        return !task.stopRequested();
    }

private:
    std::span<const std::uint32_t> wayOf(const CommGraph::Flow& flow) const
    {
        return {stops_.data() + flow.firstStop, flow.stops};
    }

    void follow(const CommGraph::Flow& flow)
    {
        const auto first = static_cast<std::uint32_t>(stops_.size());
        for (const std::uint32_t stop : fine_.wayOf(flow)) {
            const std::uint32_t vertex = coarse_.vertexOf[fine_.places[fine_.firstPlace[stop]]];
            if (stops_.size() == first || stops_.back() != vertex) stops_.push_back(vertex);
        }
        CommGraph::Flow moved = flow;
        moved.from = stops_[first];
        moved.to = stops_.back();
        moved.firstStop = first;
        moved.stops = static_cast<std::uint32_t>(stops_.size()) - first;
        if (moved.stops > 1) {
            flows_.push_back(moved);
            return;
        }
        coarse_.vertices[moved.from].bytesInside += flow.bytes;
        coarse_.vertices[moved.from].messagesInside += flow.messages;
        stops_.resize(first);
    }

    void add(const CommGraph::Flow& flow)
    {
        if (!coarse_.flows.empty() && std::ranges::equal(coarse_.wayOf(coarse_.flows.back()), wayOf(flow))) {
            CommGraph::Flow& known = coarse_.flows.back();
            known.bytes += flow.bytes;
            known.messages += flow.messages;
            known.hopBytes += flow.hopBytes;
            known.hops = std::max(known.hops, flow.hops);
            known.highestLoad = std::max(known.highestLoad, flow.highestLoad);
            return;
        }
        CommGraph::Flow added = flow;
        added.firstStop = static_cast<std::uint32_t>(coarse_.stops.size());
        const auto way = wayOf(flow);
        coarse_.stops.insert(coarse_.stops.end(), way.begin(), way.end());
        coarse_.flows.push_back(added);
    }

    const CommGraph& fine_;
    CommGraph& coarse_;
    std::vector<CommGraph::Flow> flows_;
    std::vector<std::uint32_t> stops_;
};

/// A vertex for each group that has vertices, or each vertex of an expanded group, by their first places.
void makeGroupVertices(const CommGraph& fine, std::span<const std::uint32_t> groupOf,
                       const std::vector<char>& isExpanded, CommGraph& coarse)
{
    std::vector<std::uint32_t> vertexOfGroup(isExpanded.size(), CommGraph::kNone);
    coarse.vertexOf.assign(fine.vertexOf.size(), CommGraph::kNone);
    std::uint32_t vertices = 0;
    for (std::uint32_t place = 0; place < fine.vertexOf.size(); ++place) {
        if (fine.vertexOf[place] == CommGraph::kNone) continue;
        const std::uint32_t group = groupOf[place];
        if (isExpanded[group]) coarse.vertexOf[place] = vertices++;
        else {
            if (vertexOfGroup[group] == CommGraph::kNone) vertexOfGroup[group] = vertices++;
            coarse.vertexOf[place] = vertexOfGroup[group];
        }
    }
    coarse.vertices.resize(vertices);
    coarse.firstPlace.assign(vertices + 1, 0);
    for (const std::uint32_t vertex : coarse.vertexOf)
        if (vertex != CommGraph::kNone) ++coarse.firstPlace[vertex + 1];
    std::partial_sum(coarse.firstPlace.begin(), coarse.firstPlace.end(), coarse.firstPlace.begin());
    coarse.places.resize(coarse.firstPlace.back());
    std::vector<std::uint32_t> next(coarse.firstPlace.begin(), coarse.firstPlace.end() - 1);
    for (std::uint32_t place = 0; place < coarse.vertexOf.size(); ++place)
        if (coarse.vertexOf[place] != CommGraph::kNone) coarse.places[next[coarse.vertexOf[place]]++] = place;
}

}  // namespace

Result<CommGraph> groupedGraph(const CommGraph& places, std::span<const std::uint32_t> groupOf,
                               std::span<const std::uint32_t> expanded, const Task& task)
{
    if (groupOf.size() != places.vertexOf.size())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("Groups of {} places do not fit a graph of {}.", groupOf.size(),
                                places.vertexOf.size()));
    std::uint32_t groups = 0;
    for (const std::uint32_t group : groupOf) groups = std::max(groups, group + 1);
    std::vector<char> isExpanded(groups, 0);
    for (const std::uint32_t group : expanded)
        if (group < groups) isExpanded[group] = 1;
    CommGraph coarse;
    coarse.unit = places.unit;
    coarse.ofMachine = places.ofMachine;
    makeGroupVertices(places, groupOf, isExpanded, coarse);
    for (std::uint32_t vertex = 0; vertex < places.vertices.size(); ++vertex) {
        const CommGraph::Vertex& fine = places.vertices[vertex];
        CommGraph::Vertex& joined =
            coarse.vertices[coarse.vertexOf[places.places[places.firstPlace[vertex]]]];
        joined.in += fine.in;
        joined.out += fine.out;
        joined.bytesIn += fine.bytesIn;
        joined.bytesOut += fine.bytesOut;
        joined.bytesInside += fine.bytesInside;
        joined.messagesInside += fine.messagesInside;
    }
    if (!FlowMerger(places, coarse).run(task)) return cancelled();
    sortFlows(coarse);
    return coarse;
}

LayoutGraph layoutGraph(const CommGraph& graph)
{
    LayoutGraph layout;
    layout.nodes = static_cast<std::uint32_t>(graph.vertices.size());
    layout.edges.reserve(graph.flows.size());
    std::vector<char> met(graph.vertices.size(), 0);
    for (const CommGraph::Flow& flow : graph.flows) {
        layout.edges.push_back({flow.from, flow.to, static_cast<double>(graph.amountOf(flow))});
        met[flow.from] = met[flow.to] = 1;
    }
    // Vertices that only pass on lie between those that they join.
    for (const CommGraph::Flow& flow : graph.flows) {
        const std::span<const std::uint32_t> way = graph.wayOf(flow);
        for (std::size_t i = 1; i < way.size(); ++i)
            if (!met[way[i]] || !met[way[i - 1]])
                layout.edges.push_back({way[i - 1], way[i], static_cast<double>(graph.amountOf(flow))});
    }
    return layout;
}

std::vector<PlanePoint> carriedPlaces(const CommGraph& before, std::span<const PlanePoint> points,
                                      const CommGraph& after)
{
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    constexpr double kTurn = 6.283185307179586, kCircle = 0.35;
    std::vector<PlanePoint> carried(after.vertices.size(), {kNothing, kNothing});
    std::vector<std::uint32_t> outOf(before.vertices.size(), 0), number(after.vertices.size(), 0);
    std::vector<std::uint32_t> origin(after.vertices.size(), CommGraph::kNone);
    for (std::uint32_t vertex = 0; vertex < after.vertices.size(); ++vertex) {
        PlanePoint sum;
        double known = 0;
        for (const std::uint32_t place : after.placesOf(vertex)) {
            const std::uint32_t was =
                place < before.vertexOf.size() ? before.vertexOf[place] : CommGraph::kNone;
            if (was == CommGraph::kNone) continue;
            sum = {sum.x + points[was].x, sum.y + points[was].y};
            known += 1;
            origin[vertex] = was;
        }
        if (known == 0) continue;
        carried[vertex] = {sum.x / known, sum.y / known};
        number[vertex] = outOf[origin[vertex]]++;
    }
    for (std::uint32_t vertex = 0; vertex < after.vertices.size(); ++vertex) {
        const std::uint32_t was = origin[vertex];
        if (was == CommGraph::kNone || outOf[was] < 2) continue;
        const double angle = kTurn * number[vertex] / outOf[was];
        const double reach = kCircle * std::sqrt(static_cast<double>(outOf[was]) / 4);
        carried[vertex].x += reach * std::cos(angle);
        carried[vertex].y += reach * std::sin(angle);
    }
    return carried;
}

}  // namespace skein
