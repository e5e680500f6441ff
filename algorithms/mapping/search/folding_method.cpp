// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/folding/folding.h"
#include "algorithms/mapping/search/method_runner.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

/// Part of the budget, and time at most, for folding the ranks' grid; a map tried costs as much as many
/// swaps.
constexpr double kFoldingShare = 0.4;
constexpr double kFoldingSeconds = 12.0;
constexpr std::uint64_t kSwapsPerFold = 200;
/// So much better than the current placement that the order found needs no hot search.
constexpr double kGoodFold = 0.02;
/// Part of what is left after folding for a search without it, which on irregular programs finds better
/// orders.
constexpr double kOtherShare = 0.4;
/// The shares on a part of a machine, where a fold is a start that swaps have to mend: for folding, and of
/// what is left for cold, gentle and hot annealing.
constexpr double kPartFoldingShare = 0.08;
constexpr double kColdPartShare = 0.2;
constexpr double kGentlePartShare = 0.35;
constexpr double kHotPartShare = 0.75;
constexpr AnnealingSchedule kGentleFromFold{
    .firstAcceptance = 0.04, .lastAcceptance = 0.004, .regions = 1, .replicas = 2};

}  // namespace

bool MethodRunner::fold(const SearchClock& clock)
{
    if (!foldable(state_)) return false;
    grid_ = foldingGrid(state_.problem, state_.prepared.rules);
    const std::int64_t before = state_.bestCost();
    if (foldOnce(clock.part(steps_, wholeMachine(state_) ? kFoldingShare : kPartFoldingShare), params_.seed)
            .empty())
        return false;
    return static_cast<double>(state_.bestCost()) < (1.0 - kGoodFold) * static_cast<double>(before);
}

void MethodRunner::foldOn(const SearchClock& clock)
{
    std::uint64_t seed = params_.seed;
    while (!clock.late() && !atBound() && !task_.stopRequested()) {
        if (foldOnce(clock.part(0, 1.0), ++seed).empty()) return;
    }
}

std::vector<std::uint32_t> MethodRunner::foldOnce(const SearchClock& share, std::uint64_t seed)
{
    if (task_.stopRequested()) return {};
    const SearchClock part(
        SearchBudget{std::min(kFoldingSeconds, share.seconds()),
                     share.bySteps() ? std::max<std::uint64_t>(1, share.steps() / kSwapsPerFold) : 0});
    const double begin = doneAfter(params_.firstStep + steps_);
    const double end = part.bySteps() ? doneAfter(params_.firstStep + steps_ + part.steps() * kSwapsPerFold)
                                      : begin + part.seconds() / std::max(1e-9, state_.clock.seconds());
    FoldingOutcome outcome = foldRanks(state_.problem, grid_, state_.params.lowerBound, seed, part,
                                       task_.part(begin, std::min(1.0, end)));
    steps_ += outcome.steps * kSwapsPerFold;
    offer(outcome.slotOfRank);
    return std::move(outcome.slotOfRank);
}

Result<void> MethodRunner::runFolding(const SearchClock& clock)
{
    if (!std::exchange(folded_, true)) fold(clock);
    if (atBound()) return {};
    if (!wholeMachine(state_)) return refinedPart(clock);
    const std::int64_t foldedCost = state_.bestCost();
    if (const auto fine = search(clock.part(steps_, kOtherShare)); !fine) return fine;
    if (state_.bestCost() < foldedCost) return gently(clock);
    return coldly(clock);
}

Result<void> MethodRunner::refinedPart(const SearchClock& clock)
{
    if (const auto fine = coldly(clock.part(steps_, kColdPartShare)); !fine) return fine;
    if (const auto fine = anneal(clock.part(steps_, kGentlePartShare), kGentleFromFold); !fine) return fine;
    const std::int64_t before = state_.bestCost();
    if (const auto fine = anneal(clock.part(steps_, kHotPartShare), std::nullopt); !fine) return fine;
    return state_.bestCost() < before ? gently(clock) : coldly(clock);
}

}  // namespace skein
