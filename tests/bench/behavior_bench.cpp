// SPDX-License-Identifier: GPL-3.0-or-later
// Behaviour over time, on one core: changes of 100,000 series, clusters and places of entities of 1,000 time
// points, causality of 100 variables.
#include "algorithms/behavior/change_detector.h"
#include "algorithms/behavior/leading_component.h"
#include "algorithms/behavior/live_stream.h"
#include "algorithms/behavior/mini_batch_kmeans.h"
#include "algorithms/behavior/progressive_projection.h"
#include "algorithms/behavior/sampling_order.h"
#include "algorithms/behavior/var_causality.h"

#include <benchmark/benchmark.h>
#include <vector>

using namespace skein;

namespace {

const Task kOneCore = Task().withThreads(1);

std::vector<double> randomValues(std::size_t count)
{
    SplitRandom random(7);
    std::vector<double> values(count);
    for (double& value : values) value = random.unit();
    return values;
}

/// One time point of so many series: component, score and detector.
void changePointUpdate(benchmark::State& state)
{
    const auto series = static_cast<std::size_t>(state.range(0));
    constexpr std::size_t kRows = 16;
    const std::vector<double> values = randomValues(series * kRows);
    LeadingComponent component(series);
    ChangeDetector detector(ChangeParams{});
    std::size_t row = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            detector.add(component.add(std::span(values).subspan(row * series, series))));
        row = (row + 1) % kRows;
    }
}
BENCHMARK(changePointUpdate)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// Three groups of entities with noise.
std::vector<double> groupedEntities(std::size_t entities, std::size_t times)
{
    std::vector<double> values = randomValues(entities * times);
    for (std::size_t i = 0; i < entities; ++i)
        for (std::size_t t = 0; t < times; ++t)
            values[i * times + t] += static_cast<double>(i % 3) * static_cast<double>(t % 50) * 0.02;
    return values;
}

/// One pass over all entities and their labels.
void clusterEntities(benchmark::State& state)
{
    constexpr std::size_t kEntities = 20'000, kTimes = 1'000;
    const std::vector<double> values = groupedEntities(kEntities, kTimes);
    KMeansParams params;
    params.passes = 1;
    for (auto _ : state) {
        LatencyBudget unlimited;
        benchmark::DoNotOptimize(clusterProgressively({values, kTimes}, params, unlimited, kOneCore));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kEntities));
}
BENCHMARK(clusterEntities)->Unit(benchmark::kMillisecond);

void projectEntities(benchmark::State& state)
{
    constexpr std::size_t kEntities = 20'000, kTimes = 1'000;
    const std::vector<double> values = groupedEntities(kEntities, kTimes);
    for (auto _ : state) {
        LatencyBudget unlimited;
        benchmark::DoNotOptimize(projectProgressively({values, kTimes}, {}, unlimited, kOneCore));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kEntities));
}
BENCHMARK(projectEntities)->Unit(benchmark::kMillisecond);

/// A model of all rows, its responses and decomposition to 10 steps, and the tests of all pairs.
void causalityOfVariables(benchmark::State& state)
{
    const auto variables = static_cast<std::size_t>(state.range(0));
    const auto lags = static_cast<std::size_t>(state.range(1));
    SeriesTable table;
    for (std::size_t i = 0; i < variables; ++i) table.columns.push_back(std::to_string(i));
    for (std::size_t row = 0; row < 10'000; ++row) table.times.push_back(static_cast<double>(row));
    table.values = randomValues(variables * table.rows());
    for (auto _ : state) {
        const auto model = fitVar(table, {lags, VarTrend::Constant, {}}, kOneCore);
        benchmark::DoNotOptimize(varResponse(*model, 10));
        benchmark::DoNotOptimize(grangerPairs(*model));
    }
}
BENCHMARK(causalityOfVariables)->Args({100, 1})->Args({100, 2})->Unit(benchmark::kMillisecond);

/// A time point of 10,000 entities from its line to what is found in it.
void liveStreamRows(benchmark::State& state)
{
    constexpr std::size_t kEntities = 10'000, kRows = 32;
    const std::vector<double> values = randomValues(kEntities * kRows);
    std::vector<std::string> lines;
    for (std::size_t row = 0; row < kRows; ++row) {
        std::string line = "\"values\": [";
        for (std::size_t i = 0; i < kEntities; ++i)
            line += (i ? "," : "") + std::to_string(values[row * kEntities + i]);
        lines.push_back(std::move(line) + "]}");
    }
    LiveStream stream({});
    std::size_t time = 0;
    for (auto _ : state) {
        const std::string text = "{\"time\": " + std::to_string(time) + ", " + lines[time % kRows];
        ++time;
        benchmark::DoNotOptimize(stream.take({{StreamEvent::Kind::Line, 1, text}}));
    }
}
BENCHMARK(liveStreamRows)->Unit(benchmark::kMillisecond);

/// Clusters and places of 10,000 entities over the last 500 time points, within their budgets.
void liveStreamRefresh(benchmark::State& state)
{
    constexpr std::size_t kEntities = 10'000, kRows = 500;
    const std::vector<double> values = randomValues(kEntities * 16);
    OnlineSeries series(OnlineParams{});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kEntities; ++i) names.push_back(std::to_string(i));
    series.setEntities(names);
    for (std::size_t row = 0; row < kRows; ++row)
        series.add(static_cast<double>(row), std::span(values).subspan(row % 16 * kEntities, kEntities));
    for (auto _ : state) benchmark::DoNotOptimize(series.refresh(kOneCore));
    state.counters["share"] = series.clusterShare();
}
BENCHMARK(liveStreamRefresh)->Unit(benchmark::kMillisecond);

}  // namespace
