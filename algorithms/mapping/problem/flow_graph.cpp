// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/problem/flow_graph.h"

#include "core/base/bucket_sort.h"

#include <algorithm>

namespace skein {
namespace {

/// Ranks whose flows are gone through in some milliseconds.
constexpr std::uint32_t kRanksBetweenStopChecks = 4096;

struct DirectedFlow {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t sent = 0;
    std::int64_t received = 0;
};

/// Sums equal pairs of flows and lays them out in rows.
FlowGraph fromFlows(std::uint32_t ranks, std::vector<DirectedFlow> flows, const Task& task)
{
    const bool sorted = sortInBuckets(
        flows, ranks, [](const DirectedFlow& flow) { return flow.from; },
        [](const DirectedFlow& a, const DirectedFlow& b) { return a.to < b.to; }, task);
    if (!sorted) flows.clear();
    FlowGraph graph;
    graph.ranks = ranks;
    graph.first.assign(ranks + std::size_t{1}, 0);
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const DirectedFlow& flow = flows[i];
        if (i > 0 && flows[i - 1].from == flow.from && flows[i - 1].to == flow.to) {
            graph.sent.back() += flow.sent;
            graph.received.back() += flow.received;
            continue;
        }
        graph.peer.push_back(flow.to);
        graph.sent.push_back(flow.sent);
        graph.received.push_back(flow.received);
        ++graph.first[flow.from + std::size_t{1}];
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) graph.first[rank + 1] += graph.first[rank];
    return graph;
}

}  // namespace

std::int64_t FlowGraph::between(std::uint32_t a, std::uint32_t b) const
{
    const auto begin = peer.begin() + first[a];
    const auto end = peer.begin() + first[a + 1];
    const auto found = std::lower_bound(begin, end, b);
    return found != end && *found == b ? both(static_cast<std::size_t>(found - peer.begin())) : 0;
}

std::int64_t FlowGraph::totalSent() const
{
    std::int64_t total = 0;
    for (const std::int64_t bytes : sent) total += bytes;
    return total;
}

FlowGraph makeFlowGraph(const CommMatrix& matrix, const Task& task)
{
    const bool bytesKnown = matrix.totalBytes() > 0;
    std::vector<DirectedFlow> flows;
    flows.reserve(2 * matrix.entries().size());
    std::size_t looked = 0;
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        if (looked++ % kItemsBetweenStopChecks == 0 && task.stopRequested()) break;
        const auto amount = static_cast<std::int64_t>(bytesKnown ? entry.bytes : entry.messages);
        if (entry.sender == entry.receiver || amount == 0) continue;
        flows.push_back({entry.sender, entry.receiver, amount, 0});
        flows.push_back({entry.receiver, entry.sender, 0, amount});
    }
    return fromFlows(matrix.ranks(), std::move(flows), task);
}

FlowGraph contract(const FlowGraph& flow, std::span<const std::uint32_t> group, std::uint32_t groups,
                   const Task& task)
{
    std::vector<DirectedFlow> flows;
    flows.reserve(flow.entries());
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        if (rank % kRanksBetweenStopChecks == 0 && task.stopRequested()) break;
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            const std::uint32_t from = group[rank];
            const std::uint32_t to = group[flow.peer[entry]];
            if (from != to) flows.push_back({from, to, flow.sent[entry], flow.received[entry]});
        }
    }
    return fromFlows(groups, std::move(flows), task);
}

}  // namespace skein
