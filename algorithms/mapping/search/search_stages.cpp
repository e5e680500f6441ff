// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/search_stages.h"

#include "algorithms/mapping/base/random.h"

#include <algorithm>
#include <array>

namespace skein {
namespace {

constexpr std::array kStageSeconds{2.0, 10.0, 60.0, 600.0};
/// What is left after a stage in seconds must be worth a stage of its own.
constexpr double kNextStage = 2.5;
constexpr std::uint64_t kStepFactor = 5;
constexpr std::uint64_t kStepsPerSlot = 100;

std::vector<SearchBudget> stagesOfSteps(std::uint64_t steps, std::uint64_t least)
{
    std::vector<SearchBudget> ends;
    for (; ends.empty() || steps >= least; steps /= kStepFactor) ends.push_back({0.0, steps});
    std::reverse(ends.begin(), ends.end());
    return ends;
}

std::vector<SearchBudget> stagesOfSeconds(double seconds)
{
    std::vector<SearchBudget> ends;
    for (const double stage : kStageSeconds) {
        if (seconds >= kNextStage * stage) ends.push_back({stage, 0});
    }
    ends.push_back({seconds, 0});
    return ends;
}

/// The clock of the stage that ends at `end`.
SearchClock stageClock(const SearchClock& clock, std::uint64_t used, const SearchBudget& end)
{
    if (clock.bySteps())
        return clock.withSteps(std::max<std::uint64_t>(1, end.steps - std::min(end.steps, used)));
    const double left = clock.seconds() - clock.elapsed();
    return clock.part(0, left > 0.0 ? std::clamp((end.seconds - clock.elapsed()) / left, 0.0, 1.0) : 0.0);
}

}  // namespace

std::uint64_t leastStepsOf(std::uint32_t slots) { return kStepsPerSlot * std::max(1u, slots); }

std::vector<SearchBudget> stageEnds(const SearchBudget& whole, MoreTime method, std::uint64_t leastSteps)
{
    if (method == MoreTime::Once) return {whole};
    if (whole.steps > 0) return stagesOfSteps(whole.steps, std::max<std::uint64_t>(1, leastSteps));
    return method == MoreTime::Cools ? stagesOfSeconds(whole.seconds) : std::vector<SearchBudget>{whole};
}

Result<MethodOutcome> searchInStages(const std::vector<SearchBudget>& ends, MethodParams params,
                                     const SearchClock& clock, const StageSearch& search, const Task& task)
{
    MethodOutcome outcome;
    for (const SearchBudget& end : ends) {
        if (params.firstStep > 0 && (outcome.optimal || task.stopRequested() || clock.late())) break;
        const auto stage = search(params, stageClock(clock, params.firstStep, end));
        if (!stage) return stage;
        outcome = *stage;
        outcome.steps = params.firstStep += stage->steps;
        params.withoutScotch = params.withoutScotch || stage->hadScotch;
        params.foldsWell = params.foldsWell || stage->foldsWell;
        params.seed = Random::mix(params.seed);
    }
    return outcome;
}

}  // namespace skein
