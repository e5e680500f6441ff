// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/functions_of_calls.h"
#include "core/trace/trace.h"

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// One execution of a function as a tree: itself and the calls in it (the CSTree of Xie et al., IEEE TVCG
/// 25(1), 2019).
namespace skein {

/// One call of one location.
struct CallOfLocation {
    LocationId location;
    std::uint32_t call = 0;

    auto operator<=>(const CallOfLocation&) const = default;
};

inline constexpr std::uint32_t kNoNode = 0xFFFFFFFFu;
inline constexpr std::size_t kMostExecutionNodes = 1024;

/// A call of the execution, or the calls of one function with the same callers in it.
struct ExecutionNode {
    std::uint32_t parent = kNoNode;  ///< a smaller number
    std::uint32_t function = 0;
    std::uint32_t call = 0;  ///< the first of them
    std::uint64_t calls = 1;
    TimeNs durationNs = 0;  ///< of all of them
    TimeNs ownNs = 0;       ///< without the nodes below; Σ over a tree = duration of its root
};

enum class ExecutionDetail : std::uint8_t {
    EachCall,  ///< a node a call
    Summed     ///< a node a call path, of executions with too many calls
};

struct ExecutionTree {
    std::vector<ExecutionNode> nodes;  ///< in preorder, the execution first
    std::uint64_t calls = 0;           ///< in it, itself included
    ExecutionDetail detail = ExecutionDetail::EachCall;
    bool complete = true;  ///< else calls that lie too deep count for their callers' own time

    std::vector<std::uint32_t> parents() const;
};

/// The first call behind those inside `call`. O(calls inside).
std::uint32_t endOfExecution(const CallIntervals& calls, std::uint32_t call);

/// Node by node, or as sums with siblings in the order of their functions. No more than kMostExecutionNodes:
/// levels that would not fit as a whole are left out. O(calls inside).
ExecutionTree executionTree(const CallIntervals& calls, const FunctionsOfCalls& functions, std::uint32_t call,
                            ExecutionDetail detail);

/// The trees of two executions in the same detail: each call where both fit, else sums.
std::pair<ExecutionTree, ExecutionTree> comparableTrees(const Trace& trace, const FunctionsOfCalls& functions,
                                                        const CallOfLocation& first,
                                                        const CallOfLocation& second);

/// Down to which depth a tree has about `wanted` nodes: the first that has as many, unless these are more
/// than twice that and the one above has half of them. `parents`: as in ExecutionNode. O(nodes).
std::uint32_t depthOfAbout(std::span<const std::uint32_t> parents, std::size_t wanted);

/// What of a tree is shown.
struct OpenedTree {
    std::vector<std::uint32_t> nodes;    ///< numbers, ascending
    std::vector<std::uint32_t> parents;  ///< as places among `nodes`
    std::vector<std::uint32_t> hidden;   ///< how many nodes each one stands for besides itself
    std::vector<std::uint32_t> placeOf;  ///< of every node: where it is, or what stands for it
};

/// Nodes down to `depth`, and below it those to be kept with all that lead to them. `keep`: one a node.
/// O(nodes).
OpenedTree openedTree(std::span<const std::uint32_t> parents, std::uint32_t depth,
                      const std::vector<bool>& keep);

}  // namespace skein
