// SPDX-License-Identifier: GPL-3.0-or-later
// Anomalous calls of a trace of 30 million events (15 million calls) of 64 locations.
#include "algorithms/anomaly/find_anomalies.h"
#include "tests/bench/synthetic_trace.h"

#include <benchmark/benchmark.h>

using namespace skein;

namespace {

const Experiment& traceForAnomalies()
{
    static const ExperimentPtr experiment = bench::syntheticExperiment(64, 30'000'000);
    return *experiment;
}

/// Features: 0 time, 1 structure, 2 both; then threads. Learning what is usual, and the search alone.
void anomalyModels(benchmark::State& state)
{
    const Experiment& experiment = traceForAnomalies();
    const FunctionsOfCalls functions(experiment);
    AnomalyParams params;
    params.features = static_cast<AnomalyFeatures>(state.range(0));
    const Task task = Task().withThreads(static_cast<int>(state.range(1)));
    for (auto _ : state)
        benchmark::DoNotOptimize(CallModels::build(*experiment.trace, functions, params, 1.0, task));
    state.SetItemsProcessed(static_cast<std::int64_t>(experiment.trace->eventCount())
                            * static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(anomalyModels)->Args({0, 1})->Args({2, 1})->Unit(benchmark::kMillisecond)->UseRealTime();

/// From the trace in memory to all anomalies and consequences, wait states included.
void anomaliesOfTrace(benchmark::State& state)
{
    const Experiment& experiment = traceForAnomalies();
    AnomalyParams params;
    params.features = static_cast<AnomalyFeatures>(state.range(0));
    const Task task = Task().withThreads(static_cast<int>(state.range(1)));
    for (auto _ : state) benchmark::DoNotOptimize(findAnomalies(experiment, params, task));
    state.SetItemsProcessed(static_cast<std::int64_t>(experiment.trace->eventCount())
                            * static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(anomaliesOfTrace)
    ->Args({0, 1})
    ->Args({2, 1})
    ->Args({2, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
