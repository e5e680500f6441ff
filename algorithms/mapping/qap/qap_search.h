// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/qap/qap_instance.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skein {

struct QapParams {
    SearchBudget budget;  ///< steps are tabu steps, each over all n(n−1)/2 swaps
    std::uint64_t seed = 1;
    std::vector<std::uint32_t> start;  ///< a permutation that is always a candidate; empty: none
    /// A cost that no permutation goes below: reaching it ends the search. nullopt: gilmoreLawlerBound(),
    /// which hears no stop.
    std::optional<std::int64_t> lowerBound;
    /// A cost at which the search ends though nothing proves it the least, such as a best known one; nullopt:
    /// none.
    std::optional<std::int64_t> enough;
    /// Called from the searching thread with each better permutation, and the steps until then.
    std::function<void(std::span<const std::uint32_t> permutation, std::uint64_t steps)> onImprovement;
};

struct QapResult {
    std::vector<std::uint32_t> permutation;
    std::int64_t cost = 0;
    std::int64_t lowerBound = 0;
    bool optimal = false;  ///< proven by the bound or by exhausting the branches
    std::uint64_t steps = 0;
    double seconds = 0.0;
    std::string method;
};

/// Memetic search after Benlic and Hao (2015): a small population, uniform crossover that keeps what both
/// parents share, improvement of every child by tabu search, and a shake of the whole population when it has
/// grown together. Where we differ: robust tabu search in the place of breakout local search, runs of several
/// lengths in turn (short ones suit structured problems, long ones unstructured), two children a generation
/// so that two cores have work, and branch and bound instead where the problem is small enough to be solved.
/// Anytime: a stop request returns the best. The same bits for any number of threads with a budget in steps.
Result<QapResult> solveQap(const QapInstance& instance, const QapParams& params, const Task& task);

}  // namespace skein
