// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/comm/comm_matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Who exchanges how much with whom, seen from every rank: compressed rows over the peers in both directions.
/// What a rank sends to itself is left out, since it never leaves the node. Immutable after building.
struct FlowGraph {
    std::uint32_t ranks = 0;
    std::vector<std::uint32_t> first{0};  ///< row of rank r: [first[r], first[r + 1])
    std::vector<std::uint32_t> peer;      ///< ascending in each row
    std::vector<std::int64_t> sent;       ///< bytes rank → peer
    std::vector<std::int64_t> received;   ///< bytes peer → rank

    std::size_t entries() const { return peer.size(); }
    std::uint32_t degree(std::uint32_t rank) const { return first[rank + 1] - first[rank]; }
    std::int64_t both(std::size_t entry) const { return sent[entry] + received[entry]; }
    /// Both directions between two ranks; 0 if they never communicate. O(log degree).
    std::int64_t between(std::uint32_t a, std::uint32_t b) const;
    /// Bytes that leave ranks for other ranks.
    std::int64_t totalSent() const;
};

/// The flows of a matrix in bytes, or in messages if its source has no sizes at all. O(ranks + entries).
/// Without flows if the task was stopped.
FlowGraph makeFlowGraph(const CommMatrix& matrix, const Task& task = Task());

/// The graph in which every `group[rank]` (0 … groups-1) is one vertex; flows inside a group vanish.
/// O(entries log). Incomplete if the task was stopped.
FlowGraph contract(const FlowGraph& flow, std::span<const std::uint32_t> group, std::uint32_t groups,
                   const Task& task);

}  // namespace skein
