// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The slots that ranks are folded onto, in an order in which digits mean something on the machine.
struct FoldingGrid {
    std::vector<std::uint32_t> slotAt;  ///< slot of each place; as many as a multiple of the ranks
    std::vector<std::uint32_t>
        sizes;  ///< the places as a grid, slowest dimension first; their product is the places
};

/// The room that a job has: all slots that are not fixed, or as many as a multiple of the ranks.
///
/// On a whole machine places are slots. A part of a grid, as schedulers hand them out, is mostly full blocks
/// (the positions of the last dimensions) with remnants of others: those come first that lie in the largest
/// full blocks, so that the digits of a place still are positions on the machine, and the remnants come last.
/// Empty where there are fewer slots than ranks, a whole machine's are no multiple of them, or less than half
/// of a part lies in full blocks of several nodes. O(slots × dimensions).
FoldingGrid foldingGrid(const MappingProblem& problem, const SwapRules& rules);

}  // namespace skein
