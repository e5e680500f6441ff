// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/annealing.h"

#include "algorithms/mapping/base/thermostat.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace skein {
namespace {

/// Tries a region and round at least, so that dividing and joining stay cheap beside the work.
constexpr std::uint64_t kTriesPerRegionRound = 12000;
/// The descent at temperature zero ends when fewer than this share of tries still helps.
constexpr double kSettled = 2e-6;
constexpr double kDescentShare = 0.03;
/// How fast competing runs cool: the share of swaps that are done falls slowly at first, for the order forms
/// while it is high.
constexpr double kCooling = 1.5;
/// A swap that is done costs about as much as so many that are not.
constexpr double kDoneCost = 10.0;

std::uint32_t sweepsPerRound(const FieldAnnealer& annealer)
{
    const std::uint64_t tries = std::max<std::uint64_t>(1, annealer.triesPerSweep() / annealer.regions());
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kTriesPerRegionRound / tries, 1, 64));
}

double acceptedIn(FieldAnnealer& annealer, double temperature, std::uint32_t sweeps, const SearchClock& clock,
                  const Task& task)
{
    const std::uint64_t tried = annealer.tried();
    const std::uint64_t done = annealer.done();
    annealer.round(temperature, sweeps, clock, task);
    return static_cast<double>(annealer.done() - done)
        / static_cast<double>(std::max<std::uint64_t>(1, annealer.tried() - tried));
}

/// The temperature at which about `wanted` of the tries succeed from the start. Probes on a throw-away copy
/// of the start, so that the start is not harmed.
double probedTemperature(const FieldAnnealer& start, double wanted, const SearchClock& clock,
                         const Task& task)
{
    FieldAnnealer probe = start;
    return startTemperature(wanted, clock, task, [&](double temperature) {
        return acceptedIn(probe, temperature, 1, clock, task);
    });
}

/// One of several competing runs.
struct Replica {
    std::unique_ptr<FieldAnnealer> annealer;
    Thermostat thermostat{1.0};
};

/// Competing runs on a common clock. The cooling is cut into stages; every stage takes the same effort,
/// shared by the runs that are left.
class Population {
public:
    Population(const FieldAnnealer& origin, const AnnealingSchedule& schedule, std::uint64_t seed,
               const SearchClock& clock, const Task& task)
        : schedule_(schedule),
          clock_(clock),
          task_(task),
          sweeps_(sweepsPerRound(origin)),
          triesPerRound_(sweeps_ * origin.triesPerSweep())
    {
        const Thermostat first(probedTemperature(origin, schedule.firstAcceptance, clock, task));
        for (std::uint32_t i = 0; i < schedule.replicas; ++i) {
            replicas_.push_back({std::make_unique<FieldAnnealer>(origin), first});
            replicas_.back().annealer->reseed(Random::mix(seed + 1000 + i));
        }
    }

    AnnealingOutcome run(const AnnealingObserver& observer)
    {
        for (std::uint32_t stage = 0; stage < kStages && !over(); ++stage) {
            runStage(stage);
            selectAfter(stage);
            if (observer) observer(static_cast<double>(stage + 1) / kStages, best().slotOfRank());
        }
        parallelFor(replicas_.size(), task_, [&](std::size_t i) { settle(*replicas_[i].annealer); });
        const FieldAnnealer& winner = best();
        return {{winner.slotOfRank().begin(), winner.slotOfRank().end()}, tried_, 0.0};
    }

private:
    static constexpr std::uint32_t kStages = 40;
    static constexpr int kSettlingRounds = 40;

    bool over() const { return task_.stopRequested() || clock_.spent(tried_) >= 1.0; }

    /// Rounds that every replica has in a stage: from the steps, or from the speed of the stages before.
    std::uint64_t roundsOf(std::uint32_t stage) const
    {
        const double count = static_cast<double>(replicas_.size());
        if (clock_.bySteps()) {
            const double stagesLeft = static_cast<double>(kStages - stage) + 1.0;
            const double left = static_cast<double>(clock_.steps() - std::min(clock_.steps(), tried_));
            return std::max<std::uint64_t>(
                1,
                static_cast<std::uint64_t>(left / stagesLeft / count / static_cast<double>(triesPerRound_)));
        }
        if (roundUnitSeconds_ <= 0.0) return 2;
        const double left = std::max(0.0, clock_.seconds() - clock_.elapsed());
        return std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(left / tryUnitsFrom(stage) / (roundUnitSeconds_ * count)));
    }
    double wantedAt(double done) const
    {
        return schedule_.firstAcceptance
            * std::pow(schedule_.lastAcceptance / schedule_.firstAcceptance, std::pow(done, kCooling));
    }
    /// How much more a try costs in a stage for the swaps that are done.
    double tryUnits(std::uint32_t stage) const
    {
        return 1.0 + kDoneCost * wantedAt(static_cast<double>(stage) / kStages);
    }
    double tryUnitsFrom(std::uint32_t stage) const
    {
        double sum = 1.0;
        for (; stage < kStages; ++stage) sum += tryUnits(stage);
        return sum;
    }

    void runStage(std::uint32_t stage)
    {
        const std::uint64_t rounds = roundsOf(stage);
        const double before = clock_.elapsed();
        std::vector<std::uint64_t> tried(replicas_.size(), 0);
        parallelFor(replicas_.size(), task_,
                    [&](std::size_t i) { tried[i] = coolReplica(replicas_[i], stage, rounds); });
        for (const std::uint64_t count : tried) tried_ += count;
        roundUnitSeconds_ =
            (clock_.elapsed() - before) / (tryUnits(stage) * static_cast<double>(rounds * replicas_.size()));
    }

    std::uint64_t coolReplica(Replica& replica, std::uint32_t stage, std::uint64_t rounds)
    {
        const std::uint64_t before = replica.annealer->tried();
        const Task alone = task_.withThreads(1);
        for (std::uint64_t i = 0; i < rounds && !task_.stopRequested(); ++i) {
            if (clock_.late()) break;
            const double done = (stage + static_cast<double>(i) / static_cast<double>(rounds)) / kStages;
            replica.thermostat.adjust(
                acceptedIn(*replica.annealer, replica.thermostat.temperature(), sweeps_, clock_, alone),
                wantedAt(done));
        }
        return replica.annealer->tried() - before;
    }

    void settle(FieldAnnealer& annealer)
    {
        const Task alone = Task().withThreads(1);
        for (int i = 0; i < kSettlingRounds && acceptedIn(annealer, 0.0, sweeps_, clock_, alone) > kSettled;
             ++i) {}
    }

    /// Gives up the worse runs once costs begin to tell them apart: a quarter at a time, down to two.
    void selectAfter(std::uint32_t stage)
    {
        if (stage < kStages * 3 / 10 || stage > kStages * 7 / 10 || stage % 2 != 0 || replicas_.size() <= 2)
            return;
        std::stable_sort(replicas_.begin(), replicas_.end(), [](const Replica& a, const Replica& b) {
            return a.annealer->scaledCost() < b.annealer->scaledCost();
        });
        replicas_.resize(std::max<std::size_t>(2, replicas_.size() * 3 / 4));
    }

    const FieldAnnealer& best() const
    {
        const auto found =
            std::min_element(replicas_.begin(), replicas_.end(), [](const Replica& a, const Replica& b) {
                return a.annealer->scaledCost() < b.annealer->scaledCost();
            });
        return *found->annealer;
    }

    const AnnealingSchedule& schedule_;
    const SearchClock& clock_;
    const Task& task_;
    std::uint32_t sweeps_ = 1;
    std::uint64_t triesPerRound_ = 1;
    std::vector<Replica> replicas_;
    std::uint64_t tried_ = 0;
    double roundUnitSeconds_ = 0.0;  ///< of a round of one run, in units of tries
};

}  // namespace

AnnealingOutcome anneal(const FieldAnnealer::Problem& problem, std::vector<std::uint32_t> start,
                        const AnnealingSchedule& schedule, std::uint64_t seed, const SearchClock& clock,
                        const AnnealingObserver& observer, const Task& task)
{
    if (clock.late() || task.stopRequested()) return {std::move(start), 0, 0.0};
    FieldAnnealer annealer(problem, std::move(start), seed, schedule.replicas > 1 ? 1 : schedule.regions,
                           task);
    const double setupSeconds = clock.elapsed();
    if (task.stopRequested())
        return {{annealer.slotOfRank().begin(), annealer.slotOfRank().end()}, 0, setupSeconds};
    if (schedule.replicas > 1) return Population(annealer, schedule, seed, clock, task).run(observer);
    const std::uint32_t sweeps = sweepsPerRound(annealer);
    Thermostat thermostat(probedTemperature(annealer, schedule.firstAcceptance, clock, task));
    const double ratio = schedule.lastAcceptance / schedule.firstAcceptance;
    const double hotShare = 1.0 - kDescentShare;
    double spent = clock.spent(0);
    int idle = 0;
    for (; spent < hotShare && idle < FieldAnnealer::kIdleRounds && !task.stopRequested();
         spent = clock.spent(annealer.tried())) {
        const std::uint64_t triedBefore = annealer.tried();
        const double wanted = schedule.firstAcceptance * std::pow(ratio, spent / hotShare);
        thermostat.adjust(acceptedIn(annealer, thermostat.temperature(), sweeps, clock, task), wanted);
        idle = annealer.tried() == triedBefore ? idle + 1 : 0;
        if (observer) observer(spent, annealer.slotOfRank());
    }
    for (; spent < 1.0 && !task.stopRequested(); spent = clock.spent(annealer.tried())) {
        if (acceptedIn(annealer, 0.0, sweeps, clock, task) < kSettled) break;
    }
    return {{annealer.slotOfRank().begin(), annealer.slotOfRank().end()}, annealer.tried(), setupSeconds};
}

}  // namespace skein
