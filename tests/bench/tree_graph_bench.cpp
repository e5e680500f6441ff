// SPDX-License-Identifier: GPL-3.0-or-later
// The call graph of 50,000 call paths: pruning and laying out (50 ms at most), and what a frame at 3840×2160
// with labels costs before it is painted (16 ms at most together with painting); a million call paths, of
// which 50,000 are drawn.
#include "tests/bench/tree_graph_pictures.h"

#include <benchmark/benchmark.h>

namespace skein {
namespace {

void layOutCallGraph(benchmark::State& state)
{
    const TreeGraphSumsPtr sums = bench::treeSums(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(layOutTree(sums, {}, Task()).value()->shown.nodes.size());
}
BENCHMARK(layOutCallGraph)->Arg(50'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void pruneCallGraph(benchmark::State& state)
{
    const TreeGraphSumsPtr sums = bench::treeSums(50'000);
    TreeGraphRequest request;
    std::vector<std::uint32_t> pruned;
    for (std::uint32_t row = 1; row < sums->rows.rows.size(); row += 3) pruned.push_back(row);
    request.edits = withRemoved({}, sums->rows, pruned);
    for (auto _ : state)
        benchmark::DoNotOptimize(
            makeShownTree(sums->rows, request.edits, {}, sums->color.values, {}).nodes.size());
}
BENCHMARK(pruneCallGraph)->Unit(benchmark::kMillisecond);

void drawCallGraph(benchmark::State& state)
{
    const TreeGraphPtr graph = layOutTree(bench::treeSums(50'000), {}, Task()).value();
    const SceneStyle style{lightTheme(), 1, {}};
    const ApproximateTextMeasure measure(12);
    const Canvas canvas{3840, 2160, style, measure};
    const TreeGraphOptions options = bench::zoomedTree(*graph, canvas, static_cast<double>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(treeGraphScene(*graph, {}, options, canvas).items.size());
}
BENCHMARK(drawCallGraph)->Arg(1)->Arg(16)->Arg(400)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skein
