// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/annealing.h"
#include "algorithms/mapping/problem/mapping_problem.h"

namespace skein {

/// Annealing for machines that no FieldModel describes: any table of distances, asymmetric ones included. A
/// try costs O(degree) and is exact. Candidates lie on or beside the nodes of peers. Ends with a descent to a
/// local optimum.
AnnealingOutcome annealGenerally(const MappingProblem& problem, const SwapRules& rules,
                                 std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                                 std::uint64_t seed, const SearchClock& clock,
                                 const AnnealingObserver& observer, const Task& task);

}  // namespace skein
