// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/search_course.h"

#include "algorithms/mapping/annealing/annealing.h"
#include "algorithms/mapping/annealing/annealing_anew.h"
#include "algorithms/mapping/annealing/general_annealer.h"
#include "algorithms/mapping/annealing/multilevel.h"
#include "algorithms/mapping/folding/folding.h"
#include "algorithms/mapping/moves/limited_moves.h"
#include "algorithms/mapping/partition/published_method.h"
#include "algorithms/mapping/partition/scotch_start.h"
#include "algorithms/mapping/qap/branch_and_bound.h"
#include "algorithms/mapping/qap/dense_problem.h"
#include "algorithms/mapping/qap/qap_search.h"
#include "algorithms/mapping/search/method_choice.h"
#include "algorithms/mapping/search/search_methods.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace skein {
namespace {

/// Part of the budget that the start from coarse to fine gets.
constexpr double kStartShare = 0.2;
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
/// Cold refinement: swaps that help, then so cold that the order stays, then a little less so; each with a
/// share of what is left.
struct ColdPhase {
    double share = 1.0;
    AnnealingSchedule schedule;
};
constexpr std::array kColdPhases{ColdPhase{0.15, {.firstAcceptance = 1e-9, .lastAcceptance = 1e-9}},
                                 ColdPhase{0.5, {.firstAcceptance = 3e-4, .lastAcceptance = 2e-5}},
                                 ColdPhase{1.0, {.firstAcceptance = 1.5e-3, .lastAcceptance = 1e-4}}};
/// The shares on a part of a machine, where a fold is a start that swaps have to mend: for folding, and of
/// what is left for cold, gentle and hot annealing.
constexpr double kPartFoldingShare = 0.08;
constexpr double kColdPartShare = 0.2;
constexpr double kGentlePartShare = 0.35;
constexpr double kHotPartShare = 0.75;
constexpr AnnealingSchedule kGentleFromFold{
    .firstAcceptance = 0.04, .lastAcceptance = 0.004, .regions = 1, .replicas = 2};
/// Part of the budget for the last, gentle annealing.
constexpr double kGentleShare = 0.15;
/// Part of the time for swaps under the limit of moves alone, where more than half of the ranks may move.
constexpr double kHardLimitShare = 0.4;
/// Tries a rank from which on annealing hotter pays; measured on MiniAMR and MiniMD.
constexpr double kReferenceTries = 24000.0;
constexpr double kReferenceAcceptance = 0.1;
/// Above this share nearly every order is lost, so nothing is gained by more heat.
constexpr double kHottest = 0.12;
/// Tries a rank that a competing run needs to be worth it.
constexpr double kTriesPerReplica = 150000.0;
constexpr double kLargeTriesPerReplica = 400000.0;
/// Tries of swaps per second that are weighed rank by rank.
constexpr double kUsualGeneralRate = 1e6;
/// Part of the time that Scotch may be expected to need, and up to which its map is waited for.
constexpr double kScotchShare = 0.35;
constexpr double kScotchWait = 0.55;
/// A phase of annealing that would last less than so many of its preparations is left out.
constexpr double kSetupsWorthIt = 3.0;
/// Seconds for each flow that the fields of annealing and all levels of coarsening take to prepare on a free
/// core, and how many flows a slot is worth; measured on 65,536 ranks.
constexpr double kFieldSeconds = 6e-8;
constexpr double kCoarseningSeconds = 2e-7;
constexpr std::size_t kEntriesPerSlot = 8;
/// Tries of the shortest annealing of those that begin anew, for every pair of open slots: with fields, and
/// weighed rank by rank.
constexpr std::uint64_t kTriesPerPair = 2000;
constexpr std::uint64_t kGeneralTriesPerPair = 100;
constexpr std::uint64_t kBranches = std::uint64_t{1} << 40;

AnnealingSchedule scheduleFor(std::uint32_t ranks, double tries)
{
    AnnealingSchedule schedule;
    const double perRank = tries / std::max(1u, ranks);
    const bool small = ranks <= kSmallMachine;
    const double runs = perRank / (small ? kTriesPerReplica : kLargeTriesPerReplica);
    schedule.replicas = static_cast<std::uint32_t>(std::clamp(runs, small ? 2.0 : 1.0, small ? 8.0 : 3.0));
    schedule.regions = small ? 1 : 2;
    schedule.firstAcceptance = small
        ? 0.09
        : std::clamp(kReferenceAcceptance * std::sqrt(perRank / kReferenceTries), 0.02, kHottest);
    schedule.lastAcceptance = small ? 0.006 : 0.003;
    return schedule;
}

}  // namespace

/// One search: the problem, its model if it has one, and what the methods have used so far.
class MethodRunner {
public:
    MethodRunner(SearchState& state, const CourseParams& params, const Task& task)
        : state_(state), params_(params), task_(task), model_(modelFor(state))
    {
    }

    /// Folding and Scotch are quick to try: where folding finds a clearly better order, that decides.
    MethodChoice chooseAfterFolding(const SearchClock& clock)
    {
        MethodChoice choice = chooseMethod(state_);
        if (!findSearchMethod(choice.method)->afterFolds || !foldable(state_)) return choice;
        const double budget = clock.bySteps() ? static_cast<double>(clock.steps()) / kUsualRate
                                              : (clock.seconds() - clock.elapsed()) / clock.slowdown();
        const ScotchStart scotch(
            state_.problem, params_.withoutScotch || !wholeMachine(state_) ? 0.0 : kScotchShare * budget);
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
                atBound()
                    ? "the ranks form a regular grid that folds onto the machine, and no mapping is below "
                      "this one"
                    : "the ranks form a regular grid that folds onto the machine; then gentle annealing"};
    }

    Result<void> run(const SearchMethod& method, const SearchClock& clock)
    {
        if (state_.prepared.openSlots == 0) return {};
        const auto done = method.run(*this, clock);
        if (done && folded_ && !clock.bySteps()) foldOn(clock);
        return done;
    }

    std::uint64_t steps() const { return steps_; }
    bool noTime() const { return noTime_; }
    bool foldsWell() const { return foldsWell_; }
    bool hadScotch() const { return hadScotch_; }
    bool optimal() const { return optimal_ || atBound(); }

private:
    friend Result<void> courses::annealing(MethodRunner& runner, const SearchClock& clock);
    friend Result<void> courses::folding(MethodRunner& runner, const SearchClock& clock);
    friend Result<void> courses::greedy(MethodRunner& runner, const SearchClock& clock);
    friend Result<void> courses::multilevel(MethodRunner& runner, const SearchClock& clock);
    friend Result<void> courses::optimal(MethodRunner& runner, const SearchClock& clock);
    friend Result<void> courses::published(MethodRunner& runner, const SearchClock& clock);
    friend Result<void> courses::random(MethodRunner& runner, const SearchClock& clock);
    friend Result<void> courses::tabu(MethodRunner& runner, const SearchClock& clock);

    Result<void> greedily(const SearchClock& clock)
    {
        return anneal(
            clock,
            AnnealingSchedule{.firstAcceptance = 1e-9, .lastAcceptance = 1e-9, .regions = 1, .replicas = 1});
    }
    std::vector<std::uint32_t> openSlots() const
    {
        std::vector<std::uint32_t> open;
        for (std::uint32_t slot = 0; slot < state_.problem.slots(); ++slot) {
            if (!state_.prepared.rules.fixed(slot)) open.push_back(slot);
        }
        return open;
    }
    /// How much of the whole search is done after these steps.
    double doneAfter(std::uint64_t steps) const { return std::min(1.0, state_.clock.spent(steps)); }
    bool offer(std::span<const std::uint32_t> mapping)
    {
        return state_.offer(mapping, params_.firstStep + steps_);
    }
    bool atBound() const { return state_.bestCost() <= state_.params.lowerBound; }
    Result<void> needWhole(std::string_view what, std::uint32_t mostSlots) const
    {
        if (!wholeMachine(state_)) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("The method {} treats neither constraints nor a part of a machine.", what));
        }
        if (state_.problem.slots() <= mostSlots) return {};
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The method {} treats at most {} slots; there are {}.", what, mostSlots,
                                state_.problem.slots()));
    }

    /// The placement as a permutation of slots: ranks, then empties in the free slots.
    std::vector<std::uint32_t> asPermutation(std::span<const std::uint32_t> slotOfRank) const
    {
        std::vector<std::uint32_t> permutation(slotOfRank.begin(), slotOfRank.end());
        const auto rankAt = ranksOfSlots(slotOfRank, state_.problem.slots());
        for (std::uint32_t slot = 0; slot < rankAt.size(); ++slot) {
            if (rankAt[slot] == kNoRank) permutation.push_back(slot);
        }
        return permutation;
    }
    void offerPermutation(std::vector<std::uint32_t> permutation)
    {
        permutation.resize(state_.problem.flow.ranks);
        offer(permutation);
    }

    Result<void> exactly(const SearchClock& clock)
    {
        if (const auto fine = needWhole("optimal", 20); !fine) return fine;
        const QapInstance instance = denseProblem(state_.problem);
        const BranchAndBoundResult exact =
            branchAndBound(instance, asPermutation(state_.best()),
                           clock.bySteps() ? SearchClock(SearchBudget{0.0, kBranches}) : clock, task_);
        steps_ += exact.nodes;
        optimal_ = exact.complete;
        offerPermutation(exact.permutation);
        return {};
    }

    Result<void> densely(const SearchClock& clock)
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
            slot =
                static_cast<std::uint32_t>(std::lower_bound(open.begin(), open.end(), slot) - open.begin());
        auto result = solveQap(denseProblem(state_.problem, ranks, open), params, task_);
        if (!result) return Unexpected(result.error());
        steps_ += result->steps;
        optimal_ = result->optimal;
        for (std::uint32_t& place : result->permutation) place = open[place];
        offerPermutation(std::move(result->permutation));
        return {};
    }

    Result<void> asPublished(const SearchClock& clock)
    {
        if (const auto fine = needWhole("published", 1u << 14); !fine) return fine;
        const auto mapping = publishedMapping(state_.problem, params_.seed, clock, task_);
        noTime_ = !mapping && mapping.error().cancelled();
        if (!mapping) return noTime_ ? Result<void>() : Unexpected(mapping.error());
        offer(*mapping);
        return {};
    }

    /// Shuffles all ranks that may move among all slots that are open.
    Result<void> randomly(const SearchClock& clock)
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

    /// Looks for the order of a regular grid of ranks. True where it is clearly better than the current
    /// placement.
    bool fold(const SearchClock& clock)
    {
        if (!foldable(state_)) return false;
        room_ = foldingRoom(state_.problem, state_.prepared.rules);
        const std::int64_t before = state_.bestCost();
        if (foldOnce(clock.part(steps_, wholeMachine(state_) ? kFoldingShare : kPartFoldingShare),
                     params_.seed)
                .empty())
            return false;
        return static_cast<double>(state_.bestCost()) < (1.0 - kGoodFold) * static_cast<double>(before);
    }
    /// Where the time is too short to prepare anything else, or something else ended early, other folds are
    /// looked for.
    void foldOn(const SearchClock& clock)
    {
        std::uint64_t seed = params_.seed;
        while (!clock.late() && !atBound() && !task_.stopRequested()) {
            if (foldOnce(clock.part(0, 1.0), ++seed).empty()) return;
        }
    }
    /// Empty where the problem cannot be folded, or the task is stopped.
    std::vector<std::uint32_t> foldOnce(const SearchClock& share, std::uint64_t seed)
    {
        if (task_.stopRequested()) return {};
        const SearchClock part(
            SearchBudget{std::min(kFoldingSeconds, share.seconds()),
                         share.bySteps() ? std::max<std::uint64_t>(1, share.steps() / kSwapsPerFold) : 0});
        const double begin = doneAfter(params_.firstStep + steps_);
        const double end = part.bySteps()
            ? doneAfter(params_.firstStep + steps_ + part.steps() * kSwapsPerFold)
            : begin + part.seconds() / std::max(1e-9, state_.clock.seconds());
        FoldingOutcome outcome = foldRanks(state_.problem, room_, state_.params.lowerBound, seed, part,
                                           task_.part(begin, std::min(1.0, end)));
        steps_ += outcome.steps * kSwapsPerFold;
        offer(outcome.slotOfRank);
        return std::move(outcome.slotOfRank);
    }

    Result<void> folded(const SearchClock& clock)
    {
        if (!std::exchange(folded_, true)) fold(clock);
        if (atBound()) return {};
        if (!wholeMachine(state_)) return refinedPart(clock);
        const std::int64_t foldedCost = state_.bestCost();
        if (const auto fine = search(clock.part(steps_, kOtherShare)); !fine) return fine;
        if (state_.bestCost() < foldedCost) return gently(clock);
        return coldly(clock);
    }

    /// On a part of a machine folds leave remnants that only swaps place: coldly where the order is a
    /// crystal, gently where it is none.
    Result<void> refinedPart(const SearchClock& clock)
    {
        if (const auto fine = coldly(clock.part(steps_, kColdPartShare)); !fine) return fine;
        if (const auto fine = anneal(clock.part(steps_, kGentlePartShare), kGentleFromFold); !fine)
            return fine;
        const std::int64_t before = state_.bestCost();
        if (const auto fine = anneal(clock.part(steps_, kHotPartShare), std::nullopt); !fine) return fine;
        return state_.bestCost() < before ? gently(clock) : coldly(clock);
    }

    /// Leaves the order as it is: first only swaps that help, then annealing so cold that few others are
    /// done.
    Result<void> coldly(const SearchClock& clock)
    {
        for (const ColdPhase& phase : kColdPhases) {
            AnnealingSchedule schedule = phase.schedule;
            schedule.regions = small() ? 1 : 2;
            if (const auto fine = anneal(clock.part(steps_, phase.share), schedule); !fine) return fine;
        }
        return {};
    }
    bool small() const { return state_.problem.flow.ranks <= kSmallMachine; }

    /// What finds the order of a program that is no grid: from coarse to fine on large machines, else from
    /// hot to cold.
    Result<void> search(const SearchClock& clock)
    {
        const bool coarse = model_ && state_.problem.slots() > kSmallMachine;
        if (!coarse) return anneal(clock.part(0, 1.0), std::nullopt);
        fromCoarse(clock.part(0, 1.0));
        return {};
    }

    /// Is there time for more than the preparations? They hear no clock; `seconds` are what they take for
    /// each flow.
    bool worthPreparing(const SearchClock& clock, double seconds) const
    {
        const double expected = seconds
            * static_cast<double>(state_.problem.flow.entries() + kEntriesPerSlot * state_.problem.slots());
        return clock.bySteps() || clock.seconds() >= kSetupsWorthIt * expected * clock.slowdown();
    }

    void fromCoarse(const SearchClock& clock)
    {
        if (!worthPreparing(clock, kCoarseningSeconds)) return;
        AnnealingOutcome outcome = multilevelStart(state_.problem.flow, *model_, state_.problem.ranksPerNode,
                                                   params_.seed, clock, task_);
        steps_ += outcome.steps;
        rate_ = static_cast<double>(outcome.steps) / std::max(1e-3, clock.elapsed());
        coarseHelped_ = offer(outcome.slotOfRank);
    }

    Result<void> coarseToFine(const SearchClock& clock)
    {
        if (const auto fine = needWhole("multilevel", std::numeric_limits<std::uint32_t>::max()); !fine)
            return fine;
        if (!model_)
            return fail(
                ErrorCode::InvalidArgument,
                "The multilevel method needs a machine whose distances are a sum over dimensions, and "
                "steps enough for its preparations.");
        fromCoarse(clock.part(steps_, kStartShare));
        return hotThenGentle(clock);
    }

    /// Hot for the large-scale order, then gently from the best so far; coldly where heat found no better
    /// order than that of the start, which may be the placement that the user has or Scotch's.
    Result<void> hotThenGentle(const SearchClock& clock)
    {
        if (state_.prepared.rules.limitsMoves()) return limited(clock);
        if (annealsAnew(state_)) return anew(clock.part(steps_, 1.0));
        const std::int64_t before = state_.bestCost();
        if (const auto fine = anneal(clock.part(steps_, 1.0 - kGentleShare), std::nullopt); !fine)
            return fine;
        return state_.bestCost() < before ? gently(clock) : coldly(clock);
    }

    Result<void> anew(const SearchClock& clock)
    {
        const AnnealOnce once = [&](std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                                    std::uint64_t seed, const SearchClock& part, const Task& task) {
            return annealOnce(std::move(start), schedule, seed, part, {}, task);
        };
        const std::uint64_t before = steps_;
        const auto ended = [&](const AnnealingOutcome& outcome) {
            steps_ += outcome.steps;
            offer(outcome.slotOfRank);
            task_.report(clock.bySteps() ? doneAfter(params_.firstStep + steps_) : clock.spent(0),
                         "searching for a mapping");
        };
        const std::uint64_t pairs = std::uint64_t{state_.prepared.openSlots} * state_.prepared.openSlots;
        steps_ = before
            + annealAnew(once, state_.prepared.start, pairs * (model_ ? kTriesPerPair : kGeneralTriesPerPair),
                         params_.seed, clock, ended, task_);
        return {};
    }

    /// Few ranks may move: first with a price of moves, then from the best by swaps within the limit.
    Result<void> limited(const SearchClock& clock)
    {
        if (state_.prepared.rules.moveLimit() > state_.problem.flow.ranks / 2) {
            if (const auto fine = anneal(clock.part(0, kHardLimitShare), std::nullopt); !fine) return fine;
        }
        const std::uint64_t before = steps_;
        const auto found = [&](std::span<const std::uint32_t> mapping, std::uint64_t steps) {
            steps_ = before + steps;
            offer(mapping);
            task_.report(clock.bySteps() ? doneAfter(params_.firstStep + steps_) : clock.spent(0),
                         "searching for a mapping");
        };
        steps_ = before
            + searchLimitedMoves(state_.problem, state_.prepared, model_ ? &*model_ : nullptr, params_.seed,
                                 clock.part(before, 1.0 - kGentleShare), found, task_);
        return anneal(
            clock.part(steps_, 1.0),
            AnnealingSchedule{.firstAcceptance = 1e-3, .lastAcceptance = 1e-4, .regions = 1, .replicas = 1});
    }

    Result<void> gently(const SearchClock& clock)
    {
        return anneal(clock.part(steps_, 1.0),
                      AnnealingSchedule{.firstAcceptance = 0.008,
                                        .lastAcceptance = 0.002,
                                        .regions = small() ? 1u : 2u,
                                        .replicas = 1});
    }

    Result<void> anneal(const SearchClock& clock, std::optional<AnnealingSchedule> schedule)
    {
        const SearchClock rest = clock.part(0, 1.0);
        if (!worthPreparing(rest, kFieldSeconds)
            || (!rest.bySteps() && rest.seconds() < kSetupsWorthIt * setupSeconds_))
            return {};
        const double usual = model_ ? kUsualRate * std::min(2, task_.threads()) : kUsualGeneralRate;
        const double tries = rest.bySteps() ? static_cast<double>(rest.steps())
                                            : (rate_ > 0.0 ? rate_ : usual) * rest.seconds();
        if (!schedule) {
            schedule = scheduleFor(state_.problem.flow.ranks, tries);
            if (!coarseHelped_) schedule->firstAcceptance = std::min(schedule->firstAcceptance, 0.02);
        }
        const std::uint64_t before = params_.firstStep + steps_;
        const AnnealingObserver observer = [&](double spent, std::span<const std::uint32_t>) {
            task_.report(
                doneAfter(before + static_cast<std::uint64_t>(spent * static_cast<double>(rest.steps()))),
                "searching for a mapping");
        };
        const AnnealingOutcome outcome =
            annealOnce(state_.best(), *schedule, params_.seed, rest, observer, task_);
        steps_ += outcome.steps;
        setupSeconds_ = std::max(setupSeconds_, outcome.setupSeconds);
        offer(outcome.slotOfRank);
        return {};
    }

    AnnealingOutcome annealOnce(std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                                std::uint64_t seed, const SearchClock& clock,
                                const AnnealingObserver& observer, const Task& task) const
    {
        if (!model_)
            return annealGenerally(state_.problem, state_.prepared.rules, std::move(start), schedule, seed,
                                   clock, observer, task);
        return skein::anneal({state_.problem.flow, *model_, state_.prepared.rules}, std::move(start),
                             schedule, seed, clock, observer, task);
    }

    SearchState& state_;
    const CourseParams& params_;
    const Task& task_;
    std::optional<FieldModel> model_;
    FoldingRoom room_;
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

namespace courses {

Result<void> annealing(MethodRunner& runner, const SearchClock& clock) { return runner.hotThenGentle(clock); }
Result<void> folding(MethodRunner& runner, const SearchClock& clock) { return runner.folded(clock); }
Result<void> greedy(MethodRunner& runner, const SearchClock& clock) { return runner.greedily(clock); }
Result<void> multilevel(MethodRunner& runner, const SearchClock& clock) { return runner.coarseToFine(clock); }
Result<void> optimal(MethodRunner& runner, const SearchClock& clock) { return runner.exactly(clock); }
Result<void> published(MethodRunner& runner, const SearchClock& clock) { return runner.asPublished(clock); }
Result<void> random(MethodRunner& runner, const SearchClock& clock) { return runner.randomly(clock); }
Result<void> tabu(MethodRunner& runner, const SearchClock& clock) { return runner.densely(clock); }

}  // namespace courses

Result<CourseOutcome> runCourse(SearchState& state, const CourseParams& params, const SearchClock& clock,
                                const Task& task)
{
    MethodRunner search(state, params, task);
    MethodChoice choice = params.method == kAutoMethod ? search.chooseAfterFolding(clock)
                                                       : MethodChoice{params.method, "chosen by the user"};
    if (const auto fine = search.run(*findSearchMethod(choice.method), clock); !fine)
        return Unexpected(fine.error());
    if (search.noTime()) choice.reason += "; it had no time for a map";
    return CourseOutcome{std::move(choice.method), std::move(choice.reason), search.steps(),
                         search.optimal(),         search.foldsWell(),       search.hadScotch()};
}

}  // namespace skein
