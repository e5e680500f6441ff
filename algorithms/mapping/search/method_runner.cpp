// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/method_runner.h"

#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/partition/published_method.h"
#include "algorithms/mapping/partition/scotch_start.h"
#include "algorithms/mapping/qap/branch_and_bound.h"
#include "algorithms/mapping/qap/dense_problem.h"
#include "algorithms/mapping/qap/qap_search.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace skein {
namespace {

/// Part of the time that Scotch may be expected to need, and up to which its map is waited for.
constexpr double kScotchShare = 0.35;
constexpr double kScotchWait = 0.55;
constexpr std::uint32_t kMostExactSlots = 20;
constexpr std::uint64_t kBranches = std::uint64_t{1} << 40;

}  // namespace

MethodRunner::MethodRunner(SearchState& state, const MethodParams& params, const Task& task)
    : state_(state), params_(params), task_(task), model_(modelFor(state))
{
}

MethodChoice MethodRunner::chooseAfterFolding(const SearchClock& clock)
{
    MethodChoice choice = chooseMethod(state_);
    if (!findSearchMethod(choice.method)->afterFolds || !foldable(state_)) return choice;
    const double budget = clock.bySteps() ? static_cast<double>(clock.steps()) / kUsualRate
                                          : (clock.seconds() - clock.elapsed()) / clock.slowdown();
    const ScotchStart scotch(state_.problem,
                             params_.withoutScotch || !wholeMachine(state_) ? 0.0 : kScotchShare * budget);
    folded_ = true;
    const bool better = fold(clock);
    const std::vector<std::uint32_t> scotchMap =
        atBound() ? std::vector<std::uint32_t>{} : scotch.wait(clock, kScotchWait, task_);
    hadScotch_ = !scotchMap.empty();
    if (offer(scotchMap)) {
        choice.reason += "; from Scotch's map as one start";
        return choice;
    }
    if (!better && !params_.foldsWell) return choice;
    foldsWell_ = true;
    return {std::string(kFoldingMethod),
            atBound() ? "the ranks form a regular grid that folds onto the machine, and no mapping is below "
                        "this one"
                      : "the ranks form a regular grid that folds onto the machine; then gentle annealing"};
}

Result<void> MethodRunner::run(const SearchMethod& method, const SearchClock& clock)
{
    if (state_.prepared.openSlots == 0) return {};
    const auto done = (this->*method.run)(clock);
    if (done && folded_ && !clock.bySteps()) foldOn(clock);
    return done;
}

std::vector<std::uint32_t> MethodRunner::openSlots() const
{
    std::vector<std::uint32_t> open;
    for (std::uint32_t slot = 0; slot < state_.problem.slots(); ++slot) {
        if (!state_.prepared.rules.fixed(slot)) open.push_back(slot);
    }
    return open;
}

Result<void> MethodRunner::needWhole(std::string_view what, std::uint32_t mostSlots) const
{
    if (!wholeMachine(state_)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The method {} treats neither constraints nor a part of a machine.", what));
    }
    if (state_.problem.slots() <= mostSlots) return {};
    return fail(ErrorCode::InvalidArgument,
                fmt::format("The method {} treats at most {} slots; there are {}.", what, mostSlots,
                            state_.problem.slots()));
}

std::vector<std::uint32_t> MethodRunner::asPermutation(std::span<const std::uint32_t> slotOfRank) const
{
    std::vector<std::uint32_t> permutation(slotOfRank.begin(), slotOfRank.end());
    const auto rankAt = ranksOfSlots(slotOfRank, state_.problem.slots());
    for (std::uint32_t slot = 0; slot < rankAt.size(); ++slot) {
        if (rankAt[slot] == kNoRank) permutation.push_back(slot);
    }
    return permutation;
}

void MethodRunner::offerPermutation(std::vector<std::uint32_t> permutation)
{
    permutation.resize(state_.problem.flow.ranks);
    offer(permutation);
}

Result<void> MethodRunner::runExact(const SearchClock& clock)
{
    if (!onlyPinned(state_))
        return fail(
            ErrorCode::InvalidArgument,
            "The method optimal treats no constraints but ranks that stay and nodes that stay empty.");
    if (state_.prepared.openSlots > kMostExactSlots)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The method optimal treats at most {} slots that are open; there are {}.",
                                kMostExactSlots, state_.prepared.openSlots));
    const std::vector<std::uint32_t> open = openSlots();
    std::vector<std::uint32_t> mapping(state_.best().begin(), state_.best().end());
    const std::vector<std::uint32_t> movable = ranksIn(open);
    const std::vector<std::int64_t> linear = costToOthers(state_.problem, movable, open, mapping);
    const BranchAndBoundResult exact =
        branchAndBound(denseProblem(state_.problem, movable, open), linear, placesIn(open, movable),
                       clock.bySteps() ? SearchClock(SearchBudget{0.0, kBranches}) : clock, task_);
    steps_ += exact.nodes;
    optimal_ = exact.complete;
    for (std::size_t i = 0; i < movable.size(); ++i) mapping[movable[i]] = open[exact.permutation[i]];
    offer(mapping);
    return {};
}

std::vector<std::uint32_t> MethodRunner::ranksIn(std::span<const std::uint32_t> slots) const
{
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t rank = 0; rank < state_.problem.flow.ranks; ++rank)
        if (std::ranges::binary_search(slots, state_.best()[rank])) ranks.push_back(rank);
    return ranks;
}

std::vector<std::uint32_t> MethodRunner::placesIn(std::span<const std::uint32_t> slots,
                                                  std::span<const std::uint32_t> ranks) const
{
    std::vector<std::uint32_t> places;
    std::vector<char> taken(slots.size(), 0);
    for (const std::uint32_t rank : ranks) {
        const auto place = std::ranges::lower_bound(slots, state_.best()[rank]) - slots.begin();
        places.push_back(static_cast<std::uint32_t>(place));
        taken[places.back()] = 1;
    }
    for (std::uint32_t place = 0; place < slots.size(); ++place)
        if (!taken[place]) places.push_back(place);
    return places;
}

Result<void> MethodRunner::runTabu(const SearchClock& clock)
{
    if (!allMove(state_))
        return fail(ErrorCode::InvalidArgument,
                    "The method tabu treats no constraints but nodes that stay empty.");
    if (state_.prepared.openSlots > kMaximumQapSize) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The method tabu treats at most {} slots; there are {}.", kMaximumQapSize,
                                state_.prepared.openSlots));
    }
    const std::vector<std::uint32_t> open = openSlots();
    std::vector<std::uint32_t> ranks(state_.problem.flow.ranks);
    std::iota(ranks.begin(), ranks.end(), 0u);
    QapParams params;
    params.seed = params_.seed;
    params.budget = {clock.seconds() - clock.elapsed(), clock.steps()};
    params.start = asPermutation(state_.best());
    std::erase_if(params.start, [&](std::uint32_t slot) { return state_.prepared.rules.fixed(slot); });
    for (std::uint32_t& slot : params.start)
        slot = static_cast<std::uint32_t>(std::lower_bound(open.begin(), open.end(), slot) - open.begin());
    const std::uint64_t before = steps_;
    const auto offerPlaces = [&](std::span<const std::uint32_t> places, std::uint64_t steps) {
        std::vector<std::uint32_t> slots;
        for (const std::uint32_t place : places) slots.push_back(open[place]);
        steps_ = before + steps;
        offerPermutation(std::move(slots));
    };
    params.onImprovement = offerPlaces;
    const auto result = solveQap(denseProblem(state_.problem, ranks, open), params, task_);
    if (!result) return Unexpected(result.error());
    optimal_ = result->optimal;
    offerPlaces(result->permutation, result->steps);
    return {};
}

Result<void> MethodRunner::runPublished(const SearchClock& clock)
{
    if (const auto fine = needWhole("published", 1u << 14); !fine) return fine;
    const auto mapping = publishedMapping(state_.problem, params_.seed, clock, task_);
    noTime_ = !mapping && mapping.error().cancelled();
    if (!mapping) return noTime_ ? Result<void>() : Unexpected(mapping.error());
    offer(*mapping);
    return {};
}

Result<void> MethodRunner::runRandom(const SearchClock& clock)
{
    Random random(params_.seed);
    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> ranks;
    const auto rankAt = ranksOfSlots(state_.prepared.start, state_.problem.slots());
    for (std::uint32_t slot = 0; slot < rankAt.size(); ++slot) {
        if (state_.prepared.rules.fixed(slot)) continue;
        slots.push_back(slot);
        if (rankAt[slot] != kNoRank) ranks.push_back(rankAt[slot]);
    }
    if (!state_.prepared.rules.free())
        return fail(ErrorCode::InvalidArgument,
                    "The method random keeps neither ranks apart nor a limit of moves.");
    std::vector<std::uint32_t> mapping = state_.prepared.start;
    for (; clock.spent(steps_) < 1.0 && !task_.stopRequested(); ++steps_) {
        for (std::uint32_t i = static_cast<std::uint32_t>(slots.size()); i > 1; --i)
            std::swap(slots[i - 1], slots[random.below(i)]);
        for (std::size_t i = 0; i < ranks.size(); ++i) mapping[ranks[i]] = slots[i];
        offer(mapping);
    }
    return {};
}

}  // namespace skein
