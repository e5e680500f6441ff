// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/restarted_annealing.h"

#include "algorithms/mapping/base/luby.h"
#include "algorithms/mapping/base/random.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <array>

namespace skein {
namespace {

/// Runs side by side, whatever the threads.
constexpr std::size_t kRunsOfWave = 2;
/// Measured on MiniAMR on 64 nodes of Theta.
constexpr std::array<AnnealingSchedule, kRunsOfWave> kHotSchedules{
    AnnealingSchedule{.firstAcceptance = 0.12, .lastAcceptance = 0.03, .regions = 1},
    AnnealingSchedule{.firstAcceptance = 0.2, .lastAcceptance = 0.02, .regions = 1}};
constexpr AnnealingSchedule kGentle{.firstAcceptance = 0.008, .lastAcceptance = 0.002, .regions = 1};
constexpr double kHotShare = 0.85;

AnnealingOutcome hotThenGentle(const AnnealOnce& once, const std::vector<std::uint32_t>& start,
                               const AnnealingSchedule& hot, std::uint64_t seed, const SearchClock& clock,
                               const Task& task)
{
    const auto hotTries = static_cast<std::uint64_t>(kHotShare * static_cast<double>(clock.steps()));
    AnnealingOutcome first =
        once(start, hot, seed, clock.withSteps(std::max<std::uint64_t>(1, hotTries)), task);
    AnnealingOutcome second =
        once(std::move(first.slotOfRank), kGentle, seed,
             clock.withSteps(std::max<std::uint64_t>(1, clock.steps() - hotTries)), task);
    second.steps += first.steps;
    return second;
}

}  // namespace

std::uint64_t annealWithRestarts(const AnnealOnce& once, const std::vector<std::uint32_t>& start,
                                 std::uint64_t shortest, std::uint64_t seed, const SearchClock& clock,
                                 const EndedAnnealing& ended, const Task& task)
{
    std::uint64_t steps = 0;
    for (std::uint64_t wave = 1; clock.spent(steps) < 1.0 && !task.stopRequested(); ++wave) {
        std::uint64_t tries = std::max<std::uint64_t>(1, shortest) * lubyNumber(wave);
        if (clock.bySteps()) tries = std::min(tries, 1 + (clock.steps() - steps) / kRunsOfWave);
        std::array<AnnealingOutcome, kRunsOfWave> outcomes;
        // Every run begins even after a stop request, so that each has a map.
        parallelFor(kRunsOfWave, Task().withThreads(task.threads()), [&](std::size_t i) {
            outcomes[i] = hotThenGentle(once, start, kHotSchedules[i],
                                        Random::mix(Random::mix(seed) + wave * kRunsOfWave + i),
                                        clock.withSteps(tries), task.withThreads(1));
        });
        const bool cut = clock.late() || task.stopRequested();
        for (const AnnealingOutcome& outcome : outcomes) {
            steps += outcome.steps;
            if (wave == 1 || !cut) ended(outcome);
        }
        if (outcomes[0].steps == 0) break;
    }
    return steps;
}

}  // namespace skein
