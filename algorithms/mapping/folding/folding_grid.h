// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The slots that ranks are folded onto, in an order in which digits are positions on the machine.
struct FoldingGrid {
    std::vector<std::uint32_t> slotAt;  ///< slot of each place; a multiple of the ranks
    std::vector<std::uint32_t>
        sizes;  ///< the places as a grid, slowest dimension first; their product is the number of places
};

/// The grid for a job: all slots that are not fixed, or the largest multiple of the ranks among them.
///
/// On a whole machine places are slots. A part of a machine, as schedulers hand them out, consists mostly of
/// full blocks (all positions of the last dimensions) and of remnants of others. Slots in the largest full
/// blocks come first, so that the digits of a place are still positions on the machine, and remnants come
/// last. Empty if there are fewer slots than ranks, if the slots of a whole machine are no multiple of the
/// ranks, or if less than half of a part lies in full blocks of several nodes. O(slots × dimensions).
FoldingGrid foldingGrid(const MappingProblem& problem, const SwapRules& rules);

}  // namespace skein
