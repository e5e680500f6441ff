// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/method_choice.h"

#include "algorithms/mapping/search/search_methods.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::uint32_t kExactSlots = 9;
constexpr std::uint32_t kDenseSlots = 48;
/// Up to so many open slots short annealings with restarts find more than a long one.
constexpr std::uint32_t kRestartSlots = 64;

/// Where there are so many flows and slots, a budget in steps must have one for so many of them to be worth
/// the preparations of a model.
constexpr std::uint64_t kManyItems = std::uint64_t{1} << 23;
constexpr std::uint64_t kItemsOfStep = 64;
constexpr std::uint64_t kEntriesOfSlot = 8;

bool sumsOverDimensions(const SearchState& state) { return modelFor(state).has_value(); }

}  // namespace

std::optional<FieldModel> modelFor(const SearchState& state)
{
    const std::uint64_t items =
        state.problem.flow.entries() + kEntriesOfSlot * std::uint64_t{state.problem.slots()};
    if (state.clock.bySteps() && items > kManyItems && state.clock.steps() < items / kItemsOfStep)
        return std::nullopt;
    return makeFieldModel(state.problem.distances, state.problem.ranksPerNode);
}

bool wholeMachine(const SearchState& state)
{
    return state.prepared.rules.free() && state.prepared.openSlots == state.problem.slots();
}

bool onlyPinned(const SearchState& state)
{
    return state.prepared.rules.free() && state.problem.constraints.together.empty();
}

bool allMove(const SearchState& state)
{
    const auto held = [&](std::uint32_t slot) { return state.prepared.rules.fixed(slot); };
    return state.prepared.rules.free()
        && std::none_of(state.prepared.start.begin(), state.prepared.start.end(), held);
}

bool foldable(const SearchState& state)
{
    return wholeMachine(state) || (allMove(state) && state.prepared.openSlots > kRestartSlots);
}

bool restartsAnnealing(const SearchState& state) { return state.prepared.openSlots <= kRestartSlots; }

MethodChoice chooseMethod(const SearchState& state)
{
    const std::uint32_t slots = state.problem.slots();
    const bool whole = wholeMachine(state);
    const bool restarts = restartsAnnealing(state);
    if (state.prepared.openSlots == 0) return {std::string(kGreedyMethod), "no rank may move"};
    if (state.prepared.rules.limitsMoves() && state.prepared.rules.moveLimit() == 0)
        return {std::string(kGreedyMethod), "no rank may move"};
    if (state.prepared.rules.limitsMoves())
        return {std::string(kAnnealingMethod),
                fmt::format("at most {} ranks may move: a price of moves makes it so",
                            state.prepared.rules.moveLimit())};
    if (onlyPinned(state) && state.prepared.openSlots <= kExactSlots)
        return {std::string(kOptimalMethod),
                fmt::format("{} slots can be searched completely", state.prepared.openSlots)};
    if (allMove(state) && state.prepared.openSlots <= kDenseSlots)
        return {std::string(kTabuMethod),
                fmt::format("{} slots: all swaps are weighed at every step", state.prepared.openSlots)};
    if (!restarts && !sumsOverDimensions(state))
        return {std::string(kAnnealingMethod),
                "distances are no sum over dimensions, so each swap is weighed rank by rank"};
    if (restarts)
        return {std::string(kAnnealingMethod),
                fmt::format("{} slots that are open: again and again from hot to cold",
                            state.prepared.openSlots)};
    if (!whole)
        return {std::string(kAnnealingMethod),
                "constraints or nodes of others leave no regular machine to coarsen"};
    if (slots <= kSmallMachine)
        return {std::string(kAnnealingMethod),
                fmt::format("{} slots: competing runs from hot to cold", slots)};
    return {std::string(kMultilevelMethod),
            fmt::format("{} slots of a regular machine: coarse to fine, then annealing", slots)};
}

MoreTime moreTime(const SearchState& state, std::string_view method)
{
    const SearchMethod* chosen =
        findSearchMethod(method == kAutoMethod ? chooseMethod(state).method : method);
    if (!chosen) return MoreTime::Once;
    const bool restarts = restartsAnnealing(state) && !state.prepared.rules.limitsMoves();
    return restarts ? chosen->moreWithRestarts : chosen->more;
}

}  // namespace skein
