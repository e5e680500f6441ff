// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/comm/comm_matrix.h"
#include "core/machine/placement.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// What all ranks of one node send to all ranks of another.
struct NodePair {
    VertexIndex from = 0;
    VertexIndex to = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    bool operator==(const NodePair&) const = default;
};

/// The communication of ranks seen as that of the nodes they run on.
struct NodeTraffic {
    std::vector<NodePair> pairs;        ///< of different nodes, by (from, to), each once
    std::uint64_t rankPairsInside = 0;  ///< pairs of ranks that share a node, self pairs included
    std::uint64_t messagesInside = 0;
    std::uint64_t bytesInside = 0;
};

/// Errors: InvalidArgument when the placement holds fewer ranks than the matrix. O(entries log entries).
/// Cancelled.
Result<NodeTraffic> nodeTraffic(const CommMatrix& matrix, const Placement& placement,
                                const Task& task = Task());

/// The same for pairs of nodes that may repeat and may be of one node. Without pairs where the task was
/// stopped.
NodeTraffic mergePairs(std::vector<NodePair> pairs, const Task& task = Task());

}  // namespace skein
