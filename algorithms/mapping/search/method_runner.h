// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/annealing.h"
#include "algorithms/mapping/annealing/field_model.h"
#include "algorithms/mapping/folding/folding_grid.h"
#include "algorithms/mapping/search/method_choice.h"
#include "algorithms/mapping/search/run_method.h"
#include "algorithms/mapping/search/search_methods.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace skein {

/// One search: the problem, its model if it has one, and what the methods have used so far. For runMethod()
/// and the table of methods only. Not thread-safe.
class MethodRunner {
public:
    MethodRunner(SearchState& state, const MethodParams& params, const Task& task);

    /// Folding and Scotch are quick to try: where folding finds a clearly better order, that decides.
    MethodChoice chooseAfterFolding(const SearchClock& clock);
    Result<void> run(const SearchMethod& method, const SearchClock& clock);

    std::uint64_t steps() const { return steps_; }
    bool noTime() const { return noTime_; }
    bool foldsWell() const { return foldsWell_; }
    bool hadScotch() const { return hadScotch_; }
    bool optimal() const { return optimal_ || atBound(); }

    // What the methods do until a clock is spent. Errors: InvalidArgument for a problem that the method
    // cannot treat.
    /// Hot for the large-scale order, then gently from the best so far; coldly where heat found no better
    /// order than that of the start, which may be the placement that the user has or Scotch's.
    Result<void> runAnnealing(const SearchClock& clock);
    Result<void> runFolding(const SearchClock& clock);
    Result<void> runGreedy(const SearchClock& clock);
    Result<void> runMultilevel(const SearchClock& clock);
    Result<void> runExact(const SearchClock& clock);
    Result<void> runPublished(const SearchClock& clock);
    /// Shuffles all ranks that may move among all slots that are open.
    Result<void> runRandom(const SearchClock& clock);
    Result<void> runTabu(const SearchClock& clock);

private:
    /// How much of the whole search is done after these steps.
    double doneAfter(std::uint64_t steps) const { return std::min(1.0, state_.clock.spent(steps)); }
    bool offer(std::span<const std::uint32_t> mapping)
    {
        return state_.offer(mapping, params_.firstStep + steps_);
    }
    bool atBound() const { return state_.bestCost() <= state_.params.lowerBound; }
    bool small() const { return state_.problem.flow.ranks <= kSmallMachine; }
    std::vector<std::uint32_t> openSlots() const;
    /// The ranks that the best mapping has in ascending slots, and where in them: then what is empty.
    std::vector<std::uint32_t> ranksIn(std::span<const std::uint32_t> slots) const;
    std::vector<std::uint32_t> placesIn(std::span<const std::uint32_t> slots,
                                        std::span<const std::uint32_t> ranks) const;
    Result<void> needWhole(std::string_view what, std::uint32_t mostSlots) const;
    /// The placement as a permutation of slots: ranks, then empties in the free slots.
    std::vector<std::uint32_t> asPermutation(std::span<const std::uint32_t> slotOfRank) const;
    void offerPermutation(std::vector<std::uint32_t> permutation);

    /// Looks for the order of a regular grid of ranks. True where it is clearly better than the current
    /// placement.
    bool fold(const SearchClock& clock);
    /// Where the time is too short to prepare anything else, or something else ended early, other folds are
    /// looked for.
    void foldOn(const SearchClock& clock);
    /// Empty where the problem cannot be folded, or the task is stopped.
    std::vector<std::uint32_t> foldOnce(const SearchClock& share, std::uint64_t seed);
    /// On a part of a machine folds leave remnants that only swaps place: coldly where the order is a
    /// crystal, gently where it is none.
    Result<void> refinedPart(const SearchClock& clock);

    /// Leaves the order as it is: first only swaps that help, then annealing so cold that few others are
    /// done.
    Result<void> coldly(const SearchClock& clock);
    /// What finds the order of a program that is no grid: from coarse to fine on large machines, else from
    /// hot to cold.
    Result<void> search(const SearchClock& clock);
    /// Is there time for more than the preparations? They hear no clock; `seconds` are what they take for
    /// each flow.
    bool worthPreparing(const SearchClock& clock, double seconds) const;
    void fromCoarse(const SearchClock& clock);
    Result<void> withRestarts(const SearchClock& clock);
    /// Few ranks may move: first with a price of moves, then from the best by swaps within the limit.
    Result<void> limited(const SearchClock& clock);
    Result<void> gently(const SearchClock& clock);
    Result<void> anneal(const SearchClock& clock, std::optional<AnnealingSchedule> schedule);
    AnnealingOutcome annealOnce(std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                                std::uint64_t seed, const SearchClock& clock,
                                const AnnealingObserver& observer, const Task& task) const;

    SearchState& state_;
    const MethodParams& params_;
    const Task& task_;
    std::optional<FieldModel> model_;
    FoldingGrid grid_;
    std::uint64_t steps_ = 0;
    double rate_ = 0.0;
    double setupSeconds_ = 0.0;
    bool coarseHelped_ = true;
    bool folded_ = false;
    bool optimal_ = false;
    bool noTime_ = false;
    bool foldsWell_ = false;
    bool hadScotch_ = false;
};

}  // namespace skein
