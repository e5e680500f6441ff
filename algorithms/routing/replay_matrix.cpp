// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/replay_matrix.h"

#include "algorithms/routing/node_pairs.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace skein {
namespace {

void orderOfSending(std::span<const CommMatrix::Entry> row, std::vector<CommMatrix::Entry>& ordered)
{
    ordered.assign(row.begin(), row.end());
    if (row.empty()) return;
    const auto higher = std::ranges::partition_point(
        ordered, [sender = row.front().sender](const auto& entry) { return entry.receiver < sender; });
    // Not of std::ranges: clang 14 does not get on with its subrange.
    std::rotate(ordered.begin(), higher, ordered.end());
}

std::uint32_t routeOfEntry(const std::vector<NodePair>& pairs, const Placement& placement,
                           const CommMatrix::Entry& entry, std::uint32_t inside)
{
    const std::pair wanted(placement.nodeOf(entry.sender), placement.nodeOf(entry.receiver));
    if (wanted.first == wanted.second) return inside;
    const auto found = std::ranges::lower_bound(
        pairs, wanted, {}, [](const NodePair& pair) { return std::pair(pair.from, pair.to); });
    return static_cast<std::uint32_t>(found - pairs.begin());
}

}  // namespace

Result<Replay> replayMatrix(const Topology& topology, const Placement& placement, const RoutingModel& model,
                            const MeasuredPaths* measured, const CommMatrix& matrix,
                            const ReplayParams& params, const Task& task)
{
    const auto nodes = nodeTraffic(matrix, placement, task);
    if (!nodes) return Unexpected(nodes.error());
    auto paths = routePairs(topology, model, nodes->pairs, measured, task);
    if (!paths) return Unexpected(paths.error());
    const auto inside = static_cast<std::uint32_t>(paths->size());
    paths->add({});
    std::vector<ReplayMessage> messages;
    std::vector<CommMatrix::Entry> ordered;
    for (std::uint32_t rank = 0; rank < matrix.ranks(); ++rank) {
        orderOfSending(matrix.row(rank), ordered);
        for (const CommMatrix::Entry& entry : ordered)
            messages.push_back({rank, routeOfEntry(nodes->pairs, placement, entry, inside), entry.bytes});
    }
    return replayMessages(topology, *paths, messages, params, task);
}

}  // namespace skein
