// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/execution_tree.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

/// Where two executions of one function differ.
namespace skein {

/// A node of both trees together.
struct AlignedNode {
    std::uint32_t parent = kNoNode;  ///< a smaller number
    std::uint32_t first = kNoNode;   ///< node of the first tree; kNoNode: missing there
    std::uint32_t second = kNoNode;  ///< node of the second tree; kNoNode: the first has it in addition
    TimeNs differenceNs = 0;         ///< own time in the first tree less that in the second
    TimeNs belowNs = 0;              ///< the same with all nodes below

    bool extra() const { return second == kNoNode; }
    bool missing() const { return first == kNoNode; }
};

struct TreeAlignment {
    std::vector<AlignedNode>
        nodes;                    ///< in preorder; Σ differenceNs = difference of the durations of the roots
    std::uint32_t unmatched = 0;  ///< nodes of one tree alone, the fewest that there can be
    TimeNs costNs = 0;            ///< Σ |differenceNs|, the least with as few

    std::vector<std::uint32_t> parents() const;
};

/// Puts nodes of one function upon each other whose parents lie upon each other, in the order of siblings;
/// whole subtrees are left over (S. M. Selkow, The tree-to-tree editing problem, Information Processing
/// Letters 6(6), 1977). The roots belong together. As few nodes as possible are left over; of all such ways
/// the one is taken whose own times differ least: in all |difference| of nodes upon each other, and the own
/// times of the others.
/// O(nodes · nodes) time and memory. Errors: InvalidArgument for an empty tree, a parent behind its child, or
/// more than kMostExecutionNodes nodes; Cancelled.
Result<TreeAlignment> alignTrees(const ExecutionTree& first, const ExecutionTree& second, const Task& task);

}  // namespace skein
