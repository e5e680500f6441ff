// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers over a trace of 30 million events (15 million calls) of 64 locations: profile, matrix, clocks.
#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "algorithms/timeline/clock_offsets.h"
#include "tests/bench/synthetic_trace.h"

#include <benchmark/benchmark.h>

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
    for (auto _ : state) benchmark::DoNotOptimize(estimateClockOffsets(large(), ClockModel::Automatic, Task()));
}
BENCHMARK(clockOffsets)->Unit(benchmark::kMillisecond);

}  // namespace
