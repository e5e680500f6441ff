// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/general_annealer.h"
#include "algorithms/mapping/annealing/multilevel.h"
#include "algorithms/mapping/annealing/restarted_annealing.h"
#include "algorithms/mapping/moves/limited_moves.h"
#include "algorithms/mapping/search/method_runner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace skein {
namespace {

/// Part of the budget that the start from coarse to fine gets.
constexpr double kStartShare = 0.2;
/// Cold refinement: swaps that help, then so cold that the order stays, then a little less so; each with a
/// share of what is left.
struct ColdPhase {
    double share = 1.0;
    AnnealingSchedule schedule;
};
constexpr std::array kColdPhases{ColdPhase{0.15, {.firstAcceptance = 1e-9, .lastAcceptance = 1e-9}},
                                 ColdPhase{0.5, {.firstAcceptance = 3e-4, .lastAcceptance = 2e-5}},
                                 ColdPhase{1.0, {.firstAcceptance = 1.5e-3, .lastAcceptance = 1e-4}}};
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
/// Swaps tried per second where each is evaluated rank by rank.
constexpr double kUsualGeneralRate = 1e6;
/// A phase of annealing that would last less than so many of its preparations is left out.
constexpr double kSetupsWorthIt = 3.0;
/// Seconds for each flow that the fields of annealing and all levels of coarsening take to prepare on a free
/// core, and how many flows a slot is worth; measured on 65,536 ranks.
constexpr double kFieldSeconds = 6e-8;
constexpr double kCoarseningSeconds = 2e-7;
constexpr std::size_t kEntriesPerSlot = 8;
/// Tries of the shortest annealing of those that restart, for every pair of open slots: with fields, and
/// evaluated rank by rank.
constexpr std::uint64_t kTriesPerPair = 2000;
constexpr std::uint64_t kGeneralTriesPerPair = 100;

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

Result<void> MethodRunner::runGreedy(const SearchClock& clock)
{
    return anneal(
        clock,
        AnnealingSchedule{.firstAcceptance = 1e-9, .lastAcceptance = 1e-9, .regions = 1, .replicas = 1});
}

Result<void> MethodRunner::coldly(const SearchClock& clock)
{
    for (const ColdPhase& phase : kColdPhases) {
        AnnealingSchedule schedule = phase.schedule;
        schedule.regions = small() ? 1 : 2;
        if (const auto fine = anneal(clock.part(steps_, phase.share), schedule); !fine) return fine;
    }
    return {};
}

Result<void> MethodRunner::search(const SearchClock& clock)
{
    const bool coarse = model_ && state_.problem.slots() > kSmallMachine;
    if (!coarse) return anneal(clock.part(0, 1.0), std::nullopt);
    fromCoarse(clock.part(0, 1.0));
    return {};
}

bool MethodRunner::worthPreparing(const SearchClock& clock, double seconds) const
{
    const double expected = seconds
        * static_cast<double>(state_.problem.flow.entries() + kEntriesPerSlot * state_.problem.slots());
    return clock.bySteps() || clock.seconds() >= kSetupsWorthIt * expected * clock.slowdown();
}

void MethodRunner::fromCoarse(const SearchClock& clock)
{
    if (!worthPreparing(clock, kCoarseningSeconds)) return;
    AnnealingOutcome outcome = multilevelStart(state_.problem.flow, *model_, state_.problem.ranksPerNode,
                                               params_.seed, clock, task_);
    steps_ += outcome.steps;
    rate_ = static_cast<double>(outcome.steps) / std::max(1e-3, clock.elapsed());
    coarseHelped_ = offer(outcome.slotOfRank);
}

Result<void> MethodRunner::runMultilevel(const SearchClock& clock)
{
    if (const auto fine = needWhole("multilevel", std::numeric_limits<std::uint32_t>::max()); !fine)
        return fine;
    if (!model_)
        return fail(ErrorCode::InvalidArgument,
                    "The multilevel method needs a machine whose distances are a sum over dimensions, and "
                    "steps enough for its preparations.");
    fromCoarse(clock.part(steps_, kStartShare));
    return runAnnealing(clock);
}

Result<void> MethodRunner::runAnnealing(const SearchClock& clock)
{
    if (state_.prepared.rules.limitsMoves()) return limited(clock);
    if (restartsAnnealing(state_)) return withRestarts(clock.part(steps_, 1.0));
    const std::int64_t before = state_.bestCost();
    if (const auto fine = anneal(clock.part(steps_, 1.0 - kGentleShare), std::nullopt); !fine) return fine;
    return state_.bestCost() < before ? gently(clock) : coldly(clock);
}

Result<void> MethodRunner::withRestarts(const SearchClock& clock)
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
        + annealWithRestarts(once, state_.prepared.start,
                             pairs * (model_ ? kTriesPerPair : kGeneralTriesPerPair), params_.seed, clock,
                             ended, task_);
    return {};
}

Result<void> MethodRunner::limited(const SearchClock& clock)
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

Result<void> MethodRunner::gently(const SearchClock& clock)
{
    return anneal(
        clock.part(steps_, 1.0),
        AnnealingSchedule{
            .firstAcceptance = 0.008, .lastAcceptance = 0.002, .regions = small() ? 1u : 2u, .replicas = 1});
}

Result<void> MethodRunner::anneal(const SearchClock& clock, std::optional<AnnealingSchedule> schedule)
{
    const SearchClock rest = clock.part(0, 1.0);
    if (!worthPreparing(rest, kFieldSeconds)
        || (!rest.bySteps() && rest.seconds() < kSetupsWorthIt * setupSeconds_))
        return {};
    const double usual = model_ ? kUsualRate * std::min(2, task_.threads()) : kUsualGeneralRate;
    const double tries =
        rest.bySteps() ? static_cast<double>(rest.steps()) : (rate_ > 0.0 ? rate_ : usual) * rest.seconds();
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

AnnealingOutcome MethodRunner::annealOnce(std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                                          std::uint64_t seed, const SearchClock& clock,
                                          const AnnealingObserver& observer, const Task& task) const
{
    if (!model_)
        return annealGenerally(state_.problem, state_.prepared.rules, std::move(start), schedule, seed, clock,
                               observer, task);
    return skein::anneal({state_.problem.flow, *model_, state_.prepared.rules}, std::move(start), schedule,
                         seed, clock, observer, task);
}

}  // namespace skein
