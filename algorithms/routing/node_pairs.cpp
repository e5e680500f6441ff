// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/node_pairs.h"

#include "core/base/bucket_sort.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

namespace skein {
namespace {

bool stopped(std::size_t pair, const Task& task)
{
    return pair % kItemsBetweenStopChecks == 0 && task.stopRequested();
}

/// Counts the pairs within nodes and removes them; one more than the last node that sends. A stop leaves
/// none.
VertexIndex keepBetweenNodes(std::vector<NodePair>& pairs, NodeTraffic& traffic, const Task& task)
{
    VertexIndex nodes = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (stopped(i, task)) {
            kept = 0;
            break;
        }
        const NodePair pair = pairs[i];
        if (pair.from != pair.to) {
            nodes = std::max(nodes, pair.from + 1);
            pairs[kept++] = pair;
            continue;
        }
        ++traffic.rankPairsInside;
        traffic.messagesInside += pair.messages;
        traffic.bytesInside += pair.bytes;
    }
    pairs.resize(kept);
    return nodes;
}

/// Joins neighbours of the same nodes. A stop leaves none.
void sumEqualPairs(std::vector<NodePair>& pairs, const Task& task)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (stopped(i, task)) return pairs.clear();
        if (kept == 0 || pairs[kept - 1].from != pairs[i].from || pairs[kept - 1].to != pairs[i].to) {
            pairs[kept++] = pairs[i];
            continue;
        }
        pairs[kept - 1].messages += pairs[i].messages;
        pairs[kept - 1].bytes += pairs[i].bytes;
    }
    pairs.resize(kept);
    if (kept < pairs.capacity() / 2) pairs.shrink_to_fit();
}

}  // namespace

NodeTraffic mergePairs(std::vector<NodePair> pairs, const Task& task)
{
    NodeTraffic traffic;
    const VertexIndex nodes = keepBetweenNodes(pairs, traffic, task);
    const bool sorted = sortInBuckets(
        pairs, nodes, [](const NodePair& pair) { return pair.from; },
        [](const NodePair& a, const NodePair& b) { return a.to < b.to; }, task);
    if (!sorted) return traffic;
    sumEqualPairs(pairs, task);
    traffic.pairs = std::move(pairs);
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
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        if (stopped(pairs.size(), task)) return cancelled();
        pairs.push_back(
            {placement.nodeOf(entry.sender), placement.nodeOf(entry.receiver), entry.messages, entry.bytes});
    }
    NodeTraffic merged = mergePairs(std::move(pairs), task);
    return task.stopRequested() ? Result<NodeTraffic>(cancelled()) : std::move(merged);
}

}  // namespace skein
