// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/remap.h"

#include "algorithms/mapping/group_moves.h"
#include "algorithms/mapping/search_stages.h"
#include "algorithms/mapping/search_state.h"
#include "algorithms/mapping/socket_order.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace skein {
namespace {

constexpr std::array kMethods{
    RemapMethod{"annealing", "Annealing by swaps; competing runs where the problem is small", "Kirkpatrick, Gelatt, Vecchi 1983"},
    RemapMethod{"auto", "The method that fits the problem and the time", "docs/REMAPPING.md"},
    RemapMethod{"folding", "Folds of the grid of ranks onto that of slots, then gentle annealing", "docs/REMAPPING.md"},
    RemapMethod{"greedy", "Swaps that help, from the current placement, until none does", "steepest descent by the same swaps as annealing"},
    RemapMethod{"multilevel", "Coarsening of ranks and machine, annealed at every level", "docs/REMAPPING.md"},
    RemapMethod{"optimal", "Branch and bound over all placements of few ranks", "Gilmore 1962, Lawler 1963"},
    RemapMethod{"published", "Partition flows and links by METIS, assign parts, then inside them", "Fujiwara et al. 2017, Algorithm 1"},
    RemapMethod{"random", "Random placements, the best of them", "Fujiwara et al. 2017, selected routes"},
    RemapMethod{"tabu", "Memetic tabu search on all pairs of slots", "Taillard 1991; Benlic and Hao 2015"},
};

/// Part of the budget that hop-bytes get where link loads are the objective: short ways are a good start for both.
constexpr double kHopShareOfLoads = 0.5;
constexpr double kWeightedHopShare = 0.5;
Result<void> checkParams(const RemapParams& params)
{
    if (params.objective != RemapObjective::HopBytes && !params.route) return fail(ErrorCode::InvalidArgument, "Link loads need a routing that gives one route for every pair of nodes.");
    std::string known;
    for (const RemapMethod& method : kMethods) {
        if (method.name == params.method) return {};
        known += fmt::format("{}{}", known.empty() ? "" : ", ", method.name);
    }
    return fail(ErrorCode::InvalidArgument, fmt::format("There is no remapping method {}; there are {}.", params.method, known));
}

/// Lowers link loads from the best mapping by the rules that it was made with. Returns the swaps tried.
std::uint64_t lowerLinkLoads(SearchState& state, const PreparedMapping& prepared, std::uint64_t used, const SearchClock& clock, const Task& task)
{
    const double hopShare = state.params.objective == RemapObjective::Weighted ? kWeightedHopShare : 0.0;
    const LoadSearchOutcome outcome = lowerLoads(state.problem, prepared, state.params.route, state.params.links, hopShare, state.best(),
                                                 state.params.seed, clock, task);
    state.offer(outcome.slotOfRank, used + outcome.steps);
    return outcome.steps;
}

/// The other ranks have moved: groups that stay together may cost less elsewhere now.
void moveGroupsOnceMore(SearchState& state, std::uint64_t steps)
{
    if (state.problem.constraints.together.empty()) return;
    std::vector<std::uint32_t> slots = state.best();
    moveGroups(state.problem, state.prepared.usable, slots);
    state.offer(slots, steps);
}

}  // namespace

std::span<const RemapMethod> remapMethods() { return kMethods; }

Result<RemapResult> remap(const MappingProblem& problem, const RemapParams& params, const Task& task)
{
    const SearchClock clock(params.budget);
    if (const auto fine = checkParams(params); !fine) return Unexpected(fine.error());
    const auto prepared = prepareMapping(problem, GroupPlaces::Searched);
    if (!prepared) return Unexpected(prepared.error());
    const bool loads = params.objective != RemapObjective::HopBytes;
    // Blocks of ranks were moved for hop-bytes: where link loads are the objective, leaving them is as good a start.
    const auto unmoved = loads && !problem.constraints.together.empty() ? prepareMapping(problem, GroupPlaces::Nearest) : *prepared;
    if (!unmoved) return Unexpected(unmoved.error());
    SearchState state(problem, *unmoved, params, clock);
    // Short ways come first: they are found by hop-bytes alone.
    RemapParams hopParams = params;
    hopParams.objective = RemapObjective::HopBytes;
    SearchState hopState(problem, *prepared, hopParams, clock);
    const auto course = searchInStages(loads ? hopState : state, clock.part(0, loads ? kHopShareOfLoads : 1.0), task);
    if (!course) return Unexpected(course.error());
    if (!loads) moveGroupsOnceMore(state, course->steps);
    RemapResult result;
    result.steps = course->steps;
    result.optimal = course->optimal && !loads;
    if (loads) {
        const bool shorter = state.offer(hopState.best(), result.steps);
        result.steps += lowerLinkLoads(state, shorter ? *prepared : *unmoved, result.steps, clock.part(result.steps, 1.0), task);
    }
    result.method = course->method;
    result.reason = loads ? course->reason + "; then swaps on the most loaded links" : course->reason;
    result.objectiveBefore = state.cost(problem.current);
    result.slotOfRank = keepCores(problem.current, state.best(), problem.ranksPerNode);
    orderSockets(problem, *prepared, result.slotOfRank, clock, task);
    result.objectiveAfter = state.bestCost();
    result.history = state.takeHistory();
    result.stopped = task.stopRequested();
    result.seconds = clock.elapsed();
    return result;
}

}  // namespace skein
