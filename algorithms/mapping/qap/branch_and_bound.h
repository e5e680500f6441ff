// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/qap/qap_instance.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

struct BranchAndBoundResult {
    std::vector<std::uint32_t> permutation;
    std::int64_t cost = 0;
    bool complete = false;    ///< false: ended by the clock (a step is a node) or the task; the best so far
    std::uint64_t nodes = 0;  ///< partial permutations that were looked into
};

/// Solves a small problem to proven optimality: depth first, items in the order of their flows, places tried
/// by the bound of Gilmore and Lawler (1962) on what is left. `start` is the first incumbent. Practical to
/// about n = 14; exact for asymmetric matrices and non-zero diagonals. O(n³ log n) a node.
BranchAndBoundResult branchAndBound(const QapInstance& instance, std::vector<std::uint32_t> start,
                                    const SearchClock& clock, const Task& task);

/// The same where each item costs something at each place by itself (Lawler 1963): `linear`, item by item.
BranchAndBoundResult branchAndBound(const QapInstance& instance, std::span<const std::int64_t> linear,
                                    std::vector<std::uint32_t> start, const SearchClock& clock,
                                    const Task& task);

}  // namespace skein
