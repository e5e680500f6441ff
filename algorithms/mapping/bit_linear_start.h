// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/mapping_problem.h"
#include "algorithms/mapping/search_clock.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

struct BitLinearOutcome {
    std::vector<std::uint32_t> slotOfRank;  ///< empty where the problem is not of this kind
    std::uint64_t steps = 0;                ///< maps tried
};

/// Folds the regular grid that ranks usually form onto the machine: where ranks and slots are the same power of two,
/// tries mappings slot = M · rank over the bits (an invertible matrix over GF(2)) and anneals M by exchanging and
/// adding rows and columns. Such maps are all orders of dimensions, all ways to split and join them, and all folds and
/// snakes (the Gray code is one), so structured programs on tori find their large-scale order at once, where local
/// search needs minutes. A map is judged on a fixed sample of the flows. Every slot must be usable.
/// The bits of the result do not depend on threads; with a budget in time they depend on the machine's speed.
BitLinearOutcome bitLinearStart(const MappingProblem& problem, std::uint64_t seed, const SearchClock& clock, const Task& task);

}  // namespace skein
