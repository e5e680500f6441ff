// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline at 30 million events: building the index, and sampling rows at every zoom.
#include "core/index/row_sampler.h"
#include "tests/bench/synthetic_trace.h"

#include <benchmark/benchmark.h>
#include <vector>

using namespace skein;

namespace {

const ExperimentPtr& large()
{
    static const ExperimentPtr experiment = bench::syntheticExperiment(64, 30'000'000);
    return experiment;
}

const TimelineIndex& largeIndex()
{
    static const TimelineIndex index = *buildTimelineIndex(*large()->trace, *large()->callTree, Task());
    return index;
}

void buildIndex(benchmark::State& state)
{
    const Experiment& experiment = *large();
    std::size_t bytes = 0;
    for (auto _ : state) {
        const auto index = buildTimelineIndex(*experiment.trace, *experiment.callTree,
                                              Task().withThreads(static_cast<int>(state.range(0))));
        bytes = index->bytes();
    }
    state.counters["bytes_per_event"] =
        static_cast<double>(bytes) / static_cast<double>(experiment.trace->eventCount());
}
BENCHMARK(buildIndex)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// 64 rows of 3840 columns; the argument is the part of the trace that is visible, 1 / 2^n.
void sampleRows(benchmark::State& state)
{
    const Trace& trace = *large()->trace;
    const TimelineIndex& index = largeIndex();
    const double width =
        static_cast<double>(trace.extent.end) / static_cast<double>(1 << state.range(0)) / 3840;
    const ColumnGrid grid{static_cast<double>(trace.extent.end) * 0.3, width, 3840};
    std::vector<ColumnSample> columns(grid.count);
    RowSampler sampler(large()->callTree->regions().span());
    for (auto _ : state)
        for (std::size_t row = 0; row < trace.locations.size(); ++row) {
            const RowSource source(trace.locations[row].intervals, index.locations[row]);
            sampler.sample({&source, 1}, grid, RowSampler::kFewCalls, columns);
            benchmark::DoNotOptimize(columns.data());
        }
}
BENCHMARK(sampleRows)->DenseRange(0, 14, 1)->Unit(benchmark::kMillisecond);

}  // namespace
