// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/field_annealer.h"
#include "algorithms/mapping/base/search_clock.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace skein {

/// How hot annealing begins and ends. Temperatures follow the fraction of tried swaps that are accepted, so
/// the scale of the flows does not matter: hot enough at first to accept `firstAcceptance` of the tries, then
/// cooling so that the fraction falls geometrically to `lastAcceptance`.
struct AnnealingSchedule {
    double firstAcceptance = 0.09;
    double lastAcceptance = 0.005;
    std::uint32_t regions = 2;   ///< parts of the machine that are annealed in parallel
    std::uint32_t replicas = 1;  ///< competing runs; the worse ones are dropped along the way
};

struct AnnealingOutcome {
    std::vector<std::uint32_t> slotOfRank;
    std::uint64_t steps = 0;
    double setupSeconds = 0.0;  ///< before the first try; 0 where it is negligible
};

/// Called now and then with the fraction of the budget that is spent (0…1) and the mapping at that time.
using AnnealingObserver = std::function<void(double spent, std::span<const std::uint32_t> slotOfRank)>;

/// Anneals from a start until the budget is spent or the task stops, and ends with a descent to a local
/// optimum. Several replicas are runs with seeds of their own that cool side by side. The worse ones are
/// dropped while the large-scale order forms, so that the survivors can cool more slowly. Where that order is
/// a matter of luck, as on small tori, many starts and few finishes beat one whole run, and many whole runs.
AnnealingOutcome anneal(const FieldAnnealer::Problem& problem, std::vector<std::uint32_t> start,
                        const AnnealingSchedule& schedule, std::uint64_t seed, const SearchClock& clock,
                        const AnnealingObserver& observer, const Task& task);

}  // namespace skein
