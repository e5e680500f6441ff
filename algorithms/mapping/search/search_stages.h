// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/search/method_choice.h"
#include "algorithms/mapping/search/run_method.h"

#include <functional>
#include <vector>

namespace skein {

/// The budgets, from the begin of a search, at which its stages end; the last is the whole. A stage is a
/// search of its own from the best until then, so what a limit buys is never worse than what it buys with
/// fewer stages.
///
/// By steps a limit is first searched as its fifth would be, down to `leastSteps`: with five times the steps
/// a search does first, to the bit, what it would have done with its own, so its result is never worse.
/// By time, methods that cool restart after 2, 10, 60 and 600 seconds, as far as what is left is worth a
/// stage: a longer search does first what a shorter one does, but how far that cools follows the speed of the
/// machine at that time.
std::vector<SearchBudget> stageEnds(const SearchBudget& whole, MoreTime method, std::uint64_t leastSteps);

/// The steps that a search of so many slots needs before a stage is worth anything.
std::uint64_t leastStepsOf(std::uint32_t slots);

/// One stage of a search.
using StageSearch =
    std::function<Result<MethodOutcome>(const MethodParams& params, const SearchClock& clock)>;

/// Searches in stages; `params` are those of the first. Ends early where a stage has proven that nothing is
/// better. Errors: those of a stage.
Result<MethodOutcome> searchInStages(const std::vector<SearchBudget>& ends, MethodParams params,
                                     const SearchClock& clock, const StageSearch& search, const Task& task);

}  // namespace skein
