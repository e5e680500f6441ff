// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// How far neighbours of one level are apart, from middle to middle.
struct TidyTreeParams {
    double siblings = 1.0;  ///< of one parent; > 0
    double cousins = 1.0;   ///< of two parents; > 0
    double trees = 1.0;     ///< between the last place that a tree takes and the first of the next; ≥ 0
};

/// Where the nodes of a forest are: `depth` levels from their root, and `across` the levels.
struct TidyTreeLayout {
    std::vector<double> across;        ///< one a node
    std::vector<std::uint32_t> depth;  ///< 0 for roots
    double least = 0.0;                ///< smallest and largest place across
    double greatest = 0.0;
    std::uint32_t levels = 0;
};

/// Stands for "no parent" in the parents of a forest.
inline constexpr std::uint32_t kNoParent = 0xFFFFFFFFu;

/// The tidy drawing of a forest: parents in the middle of their outermost children, siblings in the order of
/// their numbers, no two nodes of a level nearer than asked for, equal subtrees drawn alike. `parents` has an
/// entry a node: the number of its parent, which is smaller than its own, or kNoParent. The first root lies
/// at 0; trees are stacked in the order of their roots, none reaching into the range of another.
/// O(nodes), without recursion. Errors: InvalidArgument (a parent that does not stand before its child, a
/// separation that is not a positive number), Cancelled.
///
/// C. Buchheim, M. Jünger, S. Leipert: Improving Walker's Algorithm to Run in Linear Time. Graph Drawing
/// 2002, LNCS 2528; after E. M. Reingold, J. S. Tilford: Tidier Drawings of Trees. IEEE TSE 7 (2), 1981.
Result<TidyTreeLayout> tidyTree(std::span<const std::uint32_t> parents, const TidyTreeParams& params,
                                const Task& task);

}  // namespace skein
