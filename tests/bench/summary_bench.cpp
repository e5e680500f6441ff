// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers over a trace of 30 million events (15 million calls) of 64 locations: profile, matrix, clocks.
#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "algorithms/timeline/span_statistics.h"
#include "core/clocks/clock_offsets.h"
#include "tests/bench/synthetic_trace.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <memory>
#include <random>
#include <vector>

using namespace skein;

namespace {

const Experiment& large()
{
    static const ExperimentPtr experiment = bench::syntheticExperiment(64, 30'000'000);
    return *experiment;
}

Task taskOf(const benchmark::State& state) { return Task().withThreads(static_cast<int>(state.range(0))); }

void summarizeWholeTrace(benchmark::State& state)
{
    for (auto _ : state) benchmark::DoNotOptimize(summarizeTrace(large(), {}, taskOf(state)));
    state.counters["calls"] = static_cast<double>(large().trace->intervalCount());
}
BENCHMARK(summarizeWholeTrace)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The middle tenth of the run.
void summarizeWindow(benchmark::State& state)
{
    const TimeNs length = large().trace->extent.end;
    const SummaryParams params{TimeSpan{length / 20 * 9, length / 20 * 11}, {}};
    for (auto _ : state) benchmark::DoNotOptimize(summarizeTrace(large(), params, taskOf(state)));
}
BENCHMARK(summarizeWindow)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void aggregateByCallPath(benchmark::State& state)
{
    const Profile profile = summarizeTrace(large(), {}, Task()).value();
    for (auto _ : state) benchmark::DoNotOptimize(profileByCallPath(large(), profile, 0));
}
BENCHMARK(aggregateByCallPath)->Unit(benchmark::kMillisecond);

void communicationMatrix(benchmark::State& state)
{
    for (auto _ : state) benchmark::DoNotOptimize(commMatrixOf(large(), {}, Task()));
    state.counters["messages"] = static_cast<double>(large().trace->messages.size());
}
BENCHMARK(communicationMatrix)->Unit(benchmark::kMillisecond);

void clockOffsets(benchmark::State& state)
{
    for (auto _ : state)
        benchmark::DoNotOptimize(estimateClockOffsets(large(), ClockModel::Automatic, Task()));
}
BENCHMARK(clockOffsets)->Unit(benchmark::kMillisecond);

/// 100 random windows, summed up through the index to rows of call paths; first argument: locations.
/// Counters: median and slowest, in ms.
void callTreeOfRandomWindows(benchmark::State& state)
{
    Experiment experiment =
        *bench::syntheticExperiment(static_cast<std::uint32_t>(state.range(0)), 30'000'000);
    experiment.timelineIndex = std::make_shared<const TimelineIndex>(
        *buildTimelineIndex(*experiment.trace, *experiment.callTree, Task()));
    const Task task = Task().withThreads(static_cast<int>(state.range(1)));
    std::minstd_rand random(11);
    std::vector<double> times;
    for (auto _ : state)
        for (int round = 0; round < 100; ++round) {
            TimeNs ends[2];
            for (TimeNs& end : ends)
                end = experiment.trace->extent.end / 100'000 * static_cast<TimeNs>(random() % 100'000);
            const TimeSpan window{std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
            const auto start = std::chrono::steady_clock::now();
            const auto profile = summarizeTrace(experiment, {window, {}}, task);
            benchmark::DoNotOptimize(profileByCallPath(experiment, *profile, 0));
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
    std::sort(times.begin(), times.end());
    state.counters["median_ms"] = times[times.size() / 2];
    state.counters["slowest_ms"] = times.back();
}
BENCHMARK(callTreeOfRandomWindows)
    ->Args({64, 1})
    ->Args({64, 2})
    ->Args({4096, 2})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// 200 random spans over all locations; first argument: locations. Counters: median and slowest, in ms.
void spanStatisticsOfRandomSpans(benchmark::State& state)
{
    const ExperimentPtr experiment =
        bench::syntheticExperiment(static_cast<std::uint32_t>(state.range(0)), 30'000'000);
    const TimelineIndex index = *buildTimelineIndex(*experiment->trace, *experiment->callTree, Task());
    const Task task = Task().withThreads(static_cast<int>(state.range(1)));
    std::minstd_rand random(11);
    std::vector<double> times;
    for (auto _ : state)
        for (int round = 0; round < 200; ++round) {
            TimeNs ends[2];
            for (TimeNs& end : ends)
                end = experiment->trace->extent.end / 100'000 * static_cast<TimeNs>(random() % 100'000);
            const auto start = std::chrono::steady_clock::now();
            const auto statistics = spanStatistics(
                *experiment, index, {std::min(ends[0], ends[1]), std::max(ends[0], ends[1])}, {}, task);
            benchmark::DoNotOptimize(statistics);
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
    std::sort(times.begin(), times.end());
    state.counters["median_ms"] = times[times.size() / 2];
    state.counters["slowest_ms"] = times.back();
    state.counters["index_bytes_per_event"] =
        static_cast<double>(index.bytes()) / static_cast<double>(experiment->trace->eventCount());
}
BENCHMARK(spanStatisticsOfRandomSpans)
    ->Args({64, 1})
    ->Args({64, 2})
    ->Args({4096, 1})
    ->Args({4096, 2})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
