// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing.h"

#include "algorithms/mapping/thermostat.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

/// Tries a region and round at least, so that dividing and joining stay cheap beside the work.
constexpr std::uint64_t kTriesPerRegionRound = 12000;
constexpr double kProbeTemperature = 64.0;
constexpr int kProbeRounds = 40;
/// The descent at temperature zero ends when fewer than this share of tries still helps.
constexpr double kSettled = 2e-6;
constexpr double kDescentShare = 0.03;

std::uint32_t sweepsPerRound(const FieldAnnealer& annealer)
{
    const std::uint64_t tries = std::max<std::uint64_t>(1, annealer.triesPerSweep() / annealer.regions());
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kTriesPerRegionRound / tries, 1, 64));
}

double acceptedIn(FieldAnnealer& annealer, double temperature, std::uint32_t sweeps, const Task& task)
{
    const std::uint64_t tried = annealer.tried();
    const std::uint64_t done = annealer.done();
    annealer.round(temperature, sweeps, task);
    return static_cast<double>(annealer.done() - done) / static_cast<double>(std::max<std::uint64_t>(1, annealer.tried() - tried));
}

/// The temperature at which about `wanted` of the tries succeed from the start. Probes on a throw-away copy of the
/// start, from cold to hot, so that the start is not harmed.
double startTemperature(const FieldAnnealer& start, double wanted, const Task& task)
{
    FieldAnnealer probe = start;
    double temperature = 1.0 / kProbeTemperature;
    for (int i = 0; i < kProbeRounds && !task.stopRequested(); ++i, temperature *= 1.5) {
        if (acceptedIn(probe, temperature, 1, task) >= wanted) break;
    }
    return temperature;
}

}  // namespace

AnnealingOutcome anneal(const FieldAnnealer::Problem& problem, std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                        std::uint64_t seed, const SearchClock& clock, const AnnealingObserver& observer, const Task& task)
{
    FieldAnnealer annealer(problem, std::move(start), seed, schedule.regions);
    const std::uint32_t sweeps = sweepsPerRound(annealer);
    Thermostat thermostat(startTemperature(annealer, schedule.firstAcceptance, task));
    const double ratio = schedule.lastAcceptance / schedule.firstAcceptance;
    const double hotShare = 1.0 - kDescentShare;
    double spent = clock.spent(0);
    for (; spent < hotShare && !task.stopRequested(); spent = clock.spent(annealer.tried())) {
        const double wanted = schedule.firstAcceptance * std::pow(ratio, spent / hotShare);
        thermostat.adjust(acceptedIn(annealer, thermostat.temperature(), sweeps, task), wanted);
        if (observer) observer(spent, annealer.slotOfRank());
    }
    for (; spent < 1.0 && !task.stopRequested(); spent = clock.spent(annealer.tried())) {
        if (acceptedIn(annealer, 0.0, sweeps, task) < kSettled) break;
    }
    return {{annealer.slotOfRank().begin(), annealer.slotOfRank().end()}, annealer.tried()};
}

}  // namespace skein
