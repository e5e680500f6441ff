// SPDX-License-Identifier: GPL-3.0-or-later
// Anomalous calls of a trace of 30 million events (15 million calls) of 64 locations.
#include "algorithms/anomaly/stream_anomalies.h"
#include "tests/bench/synthetic_trace.h"
#include "views/anomalies/anomalies_picture_scene.h"

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

/// As the job runs. Features as above.
void anomaliesAsCallsEnd(benchmark::State& state)
{
    const Experiment& experiment = traceForAnomalies();
    const FunctionsOfCalls functions(experiment);
    StreamParams params;
    params.judge.features = static_cast<AnomalyFeatures>(state.range(0));
    const Task task = Task().withThreads(1);
    for (auto _ : state) benchmark::DoNotOptimize(streamAnomalies(experiment, functions, params, task));
    state.SetItemsProcessed(static_cast<std::int64_t>(experiment.trace->eventCount())
                            * static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(anomaliesAsCallsEnd)->Arg(0)->Arg(2)->Unit(benchmark::kMillisecond);

const SessionAnomalies& pointsOfAnomalies()
{
    static const SessionAnomaliesPtr anomalies = [] {
        static const ExperimentPtr experiment = bench::syntheticExperiment(64, 30'000'000);
        return makeSessionAnomalies(std::make_shared<const Session>(Session{{experiment}}), {}, Task())
            .value();
    }();
    return *anomalies;
}

/// The panel's picture of a million calls, of so many pixels.
void anomaliesPicture(benchmark::State& state)
{
    const SessionAnomalies& anomalies = pointsOfAnomalies();
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), style, measure};
    for (auto _ : state) benchmark::DoNotOptimize(anomaliesScene(anomalies, {}, {}, canvas, Task()));
    state.counters["points"] = static_cast<double>(anomalies.points.size());
}
BENCHMARK(anomaliesPicture)->Args({1600, 1000})->Args({3840, 2160})->Unit(benchmark::kMillisecond);

/// Which of them is below the pointer.
void anomalyBelowPointer(benchmark::State& state)
{
    const SessionAnomalies& anomalies = pointsOfAnomalies();
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{1600, 1000, style, measure};
    const auto shown = shownPoints(anomalies, {}, {});
    const AnomaliesLayout layout = anomaliesLayout(anomalies, shown, {}, canvas);
    const Point middle{layout.scatter.x + layout.scatter.width / 2,
                       layout.scatter.y + layout.scatter.height / 2};
    for (auto _ : state)
        benchmark::DoNotOptimize(anomalyPointAt(anomalies, shown, layout, {}, {}, middle, 1.0));
}
BENCHMARK(anomalyBelowPointer)->Unit(benchmark::kMillisecond);

}  // namespace
