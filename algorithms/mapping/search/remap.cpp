// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/remap.h"

#include "algorithms/mapping/constraints/group_moves.h"
#include "algorithms/mapping/constraints/socket_order.h"
#include "algorithms/mapping/search/search_methods.h"
#include "algorithms/mapping/search/search_stages.h"
#include "algorithms/mapping/search/search_state.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

namespace skein {
namespace {

/// Part of the budget that hop-bytes get where link loads are the objective: short ways are a good start for
/// both.
constexpr double kHopShareOfLoads = 0.5;
constexpr double kWeightedHopShare = 0.5;
Result<void> checkParams(const RemapParams& params)
{
    if (params.objective != RemapObjective::HopBytes && !params.route)
        return fail(ErrorCode::InvalidArgument,
                    "Link loads need a routing that gives one route for every pair of nodes.");
    if (findSearchMethod(params.method)) return {};
    std::string known;
    for (const RemapMethod& method : remapMethods())
        known += fmt::format("{}{}", known.empty() ? "" : ", ", method.name);
    return fail(ErrorCode::InvalidArgument,
                fmt::format("There is no remapping method {}; there are {}.", params.method, known));
}

/// Lowers hop-bytes. After each stage groups that stay together may cost less elsewhere, for the other ranks
/// have moved.
class HopStages {
public:
    explicit HopStages(SearchState& state) : state_(state) {}

    Result<MethodOutcome> run(const MethodParams& params, const SearchClock& clock, const Task& task)
    {
        auto outcome = runMethod(state_, params, clock, task);
        if (outcome) moveGroupsOnceMore(task);
        return outcome;
    }
    /// The search goes on by rules that hold groups where they were: what moved them is told when it is over.
    void offerMoved(std::uint64_t steps) { state_.offer(moved_, steps); }

private:
    void moveGroupsOnceMore(const Task& task)
    {
        if (state_.problem.constraints.together.empty()) return;
        std::vector<std::uint32_t> slots = state_.best();
        moveGroups(state_.problem, state_.prepared.usable, slots, task);
        if (moved_.empty() || state_.cost(slots) < state_.cost(moved_)) moved_ = std::move(slots);
    }

    SearchState& state_;
    std::vector<std::uint32_t> moved_;
};

/// Lowers link loads. Short ways come first: they are found by hop-bytes alone.
class LoadStages {
public:
    /// `hops` has the same problem with groups moved for hop-bytes.
    LoadStages(SearchState& loads, SearchState& hops)
        : loads_(loads),
          hops_(hops),
          rules_(&loads.prepared),
          start_(loads.best()),
          firstLoad_(loads.bestCost())
    {
    }

    Result<MethodOutcome> run(const MethodParams& params, const SearchClock& clock, const Task& task)
    {
        auto outcome = shortenWays(params, clock.part(0, kHopShareOfLoads), task);
        if (!outcome) return outcome;
        loads_.offer(hops_.best(), params.firstStep + outcome->steps);
        if (hops_.bestCost() < hopsTold_ && loads_.cost(hops_.best()) < firstLoad_) {
            start_ = hops_.best();
            rules_ = &hops_.prepared;
        }
        hopsTold_ = hops_.bestCost();
        const double hopShare = loads_.params.objective == RemapObjective::Weighted ? kWeightedHopShare : 0.0;
        const LoadSearchOutcome lowered =
            lowerLoads(loads_.problem, *rules_, loads_.params.route, loads_.params.links, hopShare, start_,
                       params.seed, clock.part(outcome->steps, 1.0), task);
        outcome->optimal = false;
        if (lowered.slotOfRank.empty()) return outcome;
        outcome->steps += lowered.steps;
        start_ = lowered.slotOfRank;
        loads_.offer(lowered.slotOfRank, params.firstStep + outcome->steps,
                     loads_.objectiveOf(lowered.hopBytes, lowered.maximumLoad));
        outcome->reason += "; then swaps on the most loaded links";
        return outcome;
    }

private:
    /// By time the stages are those of this half: loads fall all the time, so that a second stage of their
    /// own would cost more.
    Result<MethodOutcome> shortenWays(const MethodParams& params, const SearchClock& clock, const Task& task)
    {
        const StageSearch search = [&](const MethodParams& stage, const SearchClock& part) {
            return runMethod(hops_, stage, part, task);
        };
        if (clock.bySteps()) return search(params, clock);
        return searchInStages(stageEnds({clock.seconds(), 0}, moreTime(hops_, params.method), 0), params,
                              clock, search, task);
    }

    SearchState& loads_;
    SearchState& hops_;
    const PreparedMapping* rules_;  ///< those that the start was made by
    std::vector<std::uint32_t>
        start_;  ///< where swaps on loaded links begin: the shortest ways, or where they ended before
    std::int64_t firstLoad_;
    std::int64_t hopsTold_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

std::span<const RemapMethod> remapMethods()
{
    static const std::vector<RemapMethod> told = [] {
        std::vector<RemapMethod> methods;
        for (const SearchMethod& method : searchMethods()) methods.push_back(method.told);
        return methods;
    }();
    return told;
}

Result<RemapResult> remap(const MappingProblem& problem, const RemapParams& params, const Task& task)
{
    const SearchClock clock(params.budget);
    if (const auto fine = checkParams(params); !fine) return Unexpected(fine.error());
    const auto prepared = prepareMapping(problem, GroupPlaces::Searched, task);
    if (!prepared) return Unexpected(prepared.error());
    const bool loads = params.objective != RemapObjective::HopBytes;
    // Blocks of ranks were moved for hop-bytes: where link loads are the objective, leaving them is as good a
    // start.
    const auto unmoved = loads && !problem.constraints.together.empty()
        ? prepareMapping(problem, GroupPlaces::Nearest, task)
        : *prepared;
    if (!unmoved) return Unexpected(unmoved.error());
    SearchState state(problem, *unmoved, params, clock, task);
    const std::int64_t costBefore = unmoved->startIsCurrent ? state.bestCost() : state.cost(problem.current);
    if (state.bestCost() == SearchState::kUnknownCost || costBefore == SearchState::kUnknownCost)
        return cancelled();
    RemapParams hopParams = params;
    hopParams.objective = RemapObjective::HopBytes;
    if (loads) hopParams.onImprovement = {};
    if (loads) hopParams.onMapping = {};
    std::optional<SearchState> hopState;
    std::optional<LoadStages> loadStages;
    if (loads) loadStages.emplace(state, hopState.emplace(problem, *prepared, hopParams, clock, task));
    HopStages hopStages(state);
    const StageSearch search = [&](const MethodParams& stage, const SearchClock& part) {
        return loadStages ? loadStages->run(stage, part, task) : hopStages.run(stage, part, task);
    };
    const MoreTime more = loads && !clock.bySteps() ? MoreTime::Once : moreTime(state, params.method);
    const auto ends = stageEnds(params.budget, more, leastStepsOf(state.prepared.openSlots));
    MethodParams first;
    first.method = params.method;
    first.seed = params.seed;
    auto stage = searchInStages(ends, first, clock, search, task);
    if (!stage) return Unexpected(stage.error());
    hopStages.offerMoved(stage->steps);
    RemapResult result;
    result.steps = stage->steps;
    result.optimal = stage->optimal;
    result.method = std::move(stage->method);
    result.reason = std::move(stage->reason);
    result.objectiveBefore = costBefore;
    result.slotOfRank = keepCores(problem, state.best());
    orderSockets(problem, result.slotOfRank, clock, task);
    result.objectiveAfter = state.bestCost();
    result.history = state.takeHistory();
    result.stopped = task.stopRequested();
    result.seconds = clock.elapsed();
    return result;
}

}  // namespace skein
