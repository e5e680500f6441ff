// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search_stages.h"

#include "algorithms/mapping/random.h"

#include <algorithm>
#include <array>

namespace skein {
namespace {

constexpr std::array kStages{2.0, 10.0, 60.0, 600.0};
constexpr double kSwapsPerSecond = 2.0 * kUsualRate;
/// What is left after a stage must be worth a stage of its own.
constexpr double kNextStage = 2.5;

/// The clock of the stage that ends at `end`.
SearchClock stageClock(const SearchClock& clock, std::uint64_t used, double end)
{
    const double whole = clock.bySteps() ? static_cast<double>(clock.steps()) : clock.seconds();
    const double spent = clock.bySteps() ? static_cast<double>(std::min(used, clock.steps())) : clock.elapsed();
    return clock.part(used, whole > spent ? std::clamp((end - spent) / (whole - spent), 0.0, 1.0) : 0.0);
}

}  // namespace

std::vector<double> stageEnds(const SearchClock& clock, bool staged)
{
    const double unit = clock.bySteps() ? kSwapsPerSecond : 1.0;
    const double whole = clock.bySteps() ? static_cast<double>(clock.steps()) : clock.seconds();
    std::vector<double> ends;
    if (!staged) return {whole};
    for (const double stage : kStages) {
        if (whole >= kNextStage * stage * unit) ends.push_back(stage * unit);
    }
    ends.push_back(whole);
    return ends;
}

Result<CourseOutcome> searchInStages(SearchState& state, const SearchClock& clock, const Task& task)
{
    CourseParams params;
    params.method = state.params.method;
    params.seed = state.params.seed;
    CourseOutcome outcome;
    for (const double end : stageEnds(clock, cools(state, params.method))) {
        if (params.firstStep > 0 && (outcome.optimal || task.stopRequested() || clock.late())) break;
        const auto stage = runCourse(state, params, stageClock(clock, params.firstStep, end), task);
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
