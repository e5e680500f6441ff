// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/node_pairs.h"

#include "core/base/bucket_sort.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {

NodeTraffic mergePairs(std::vector<NodePair> pairs, const Task& task)
{
    NodeTraffic traffic;
    const auto inside =
        std::partition(pairs.begin(), pairs.end(), [](const NodePair& pair) { return pair.from != pair.to; });
    traffic.rankPairsInside = static_cast<std::uint64_t>(pairs.end() - inside);
    for (auto pair = inside; pair != pairs.end(); ++pair) {
        traffic.messagesInside += pair->messages;
        traffic.bytesInside += pair->bytes;
    }
    pairs.erase(inside, pairs.end());
    VertexIndex nodes = 0;
    for (const NodePair& pair : pairs) nodes = std::max(nodes, pair.from + 1);
    const bool sorted = sortInBuckets(
        pairs, nodes, [](const NodePair& pair) { return pair.from; },
        [](const NodePair& a, const NodePair& b) { return a.to < b.to; }, task);
    if (!sorted) pairs.clear();
    for (const NodePair& pair : pairs) {
        if (traffic.pairs.empty() || traffic.pairs.back().from != pair.from
            || traffic.pairs.back().to != pair.to) {
            traffic.pairs.push_back(pair);
            continue;
        }
        traffic.pairs.back().messages += pair.messages;
        traffic.pairs.back().bytes += pair.bytes;
    }
    return traffic;
}

Result<NodeTraffic> nodeTraffic(const CommMatrix& matrix, const Placement& placement, const Task& task)
{
    if (matrix.ranks() > placement.ranks())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The communication is of {} ranks, the placement of {}.", matrix.ranks(),
                                placement.ranks()));
    std::vector<NodePair> pairs;
    pairs.reserve(matrix.entries().size());
    for (const CommMatrix::Entry& entry : matrix.entries())
        pairs.push_back(
            {placement.nodeOf(entry.sender), placement.nodeOf(entry.receiver), entry.messages, entry.bytes});
    NodeTraffic merged = mergePairs(std::move(pairs), task);
    return task.stopRequested() ? Result<NodeTraffic>(cancelled()) : std::move(merged);
}

}  // namespace skein
