// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/field_annealer.h"
#include "algorithms/mapping/base/search_clock.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace skein {

/// How hot annealing begins and ends. Temperatures follow from the share of tried swaps that are done, which
/// needs no knowledge of the flows' scale: hot enough that `firstAcceptance` of the tries succeed, then
/// cooling so that the share falls geometrically to `lastAcceptance`.
struct AnnealingSchedule {
    double firstAcceptance = 0.09;
    double lastAcceptance = 0.005;
    std::uint32_t regions = 2;   ///< parts of the machine that are worked on side by side
    std::uint32_t replicas = 1;  ///< runs that compete; the worse ones are given up on the way
};

struct AnnealingOutcome {
    std::vector<std::uint32_t> slotOfRank;
    std::uint64_t steps = 0;
    double setupSeconds = 0.0;  ///< before the first try; 0 where it is not worth knowing
};

/// Called now and then with what is done of the budget (0…1) and the mapping at that time.
using AnnealingObserver = std::function<void(double spent, std::span<const std::uint32_t> slotOfRank)>;

/// Anneals from a start until the budget is spent or the task stops, and ends with a descent to a local
/// optimum. With more than one replica, as many runs with their own seeds cool side by side and the worse
/// ones are given up while the large-scale order forms, so that the survivors cool more slowly: where that
/// order is a matter of luck, as on small tori, many short beginnings and few ends beat one run and many
/// whole ones.
AnnealingOutcome anneal(const FieldAnnealer::Problem& problem, std::vector<std::uint32_t> start,
                        const AnnealingSchedule& schedule, std::uint64_t seed, const SearchClock& clock,
                        const AnnealingObserver& observer, const Task& task);

}  // namespace skein
