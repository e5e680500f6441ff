// SPDX-License-Identifier: GPL-3.0-or-later
// The call graph of 50,000 call paths: pruning and laying out (50 ms at most), and what a frame at 3840×2160
// with labels costs before it is painted (16 ms at most together with painting); a million call paths, of
// which 50,000 are drawn.
#include "views/tree_graph/tree_graph_scene.h"

#include <benchmark/benchmark.h>
#include <random>

using namespace skein;

namespace {

TreeGraphSumsPtr sumsOf(std::size_t nodes)
{
    std::mt19937 random(50);
    auto sums = std::make_shared<TreeGraphSums>();
    Session session;
    session.experiments.push_back(std::make_shared<const Experiment>());
    sums->session = std::make_shared<const Session>(std::move(session));
    sums->rows.hasTree = true;
    sums->rows.rowOfCallPath.resize(1);
    for (std::size_t node = 0; node < nodes; ++node) {
        CallTreeRow row;
        row.name = "solver::function" + std::to_string(random() % 2000) + "(double)";
        // Deep in some places, wide in others, as call trees are.
        const std::size_t back = 1 + random() % std::max<std::size_t>(1, std::min<std::size_t>(node, 400));
        row.parent = node == 0 ? -1 : static_cast<std::int64_t>(node - back);
        row.callPaths = {CallPathId(node)};
        row.values.inclusive = static_cast<double>(random() % 1'000'000);
        row.values.exclusive = static_cast<double>(random() % 1'000'000);
        sums->rows.rowOfCallPath[0].push_back(static_cast<std::int64_t>(node));
        sums->color.values.push_back(row.values.inclusive);
        sums->size.values.push_back(row.values.exclusive);
        sums->rows.rows.push_back(std::move(row));
    }
    sums->color.name = "Time, inclusive";
    sums->size.name = "Time, exclusive";
    sums->color.unit = sums->size.unit = "ns";
    return sums;
}

void layOutCallGraph(benchmark::State& state)
{
    const TreeGraphSumsPtr sums = sumsOf(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(layOutTree(sums, {}, Task()).value()->shown.nodes.size());
}
BENCHMARK(layOutCallGraph)->Arg(50'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void pruneCallGraph(benchmark::State& state)
{
    const TreeGraphSumsPtr sums = sumsOf(50'000);
    TreeGraphRequest request;
    std::vector<std::uint32_t> pruned;
    for (std::uint32_t row = 1; row < sums->rows.rows.size(); row += 3) pruned.push_back(row);
    request.edits = withRemoved({}, sums->rows, pruned);
    for (auto _ : state)
        benchmark::DoNotOptimize(
            makeShownTree(sums->rows, request.edits, {}, sums->color.values, {}).nodes.size());
}
BENCHMARK(pruneCallGraph)->Unit(benchmark::kMillisecond);

/// Zoomed by a factor: 1 shows all.
void drawCallGraph(benchmark::State& state)
{
    const TreeGraphPtr graph = layOutTree(sumsOf(50'000), {}, Task()).value();
    const SceneStyle style{lightTheme(), 1, {}};
    const ApproximateTextMeasure measure(12);
    const Canvas canvas{3840, 2160, style, measure};
    TreeGraphOptions options;
    TreeCamera camera = treeGraphLayout(*graph, options, canvas).camera;
    const auto factor = static_cast<double>(state.range(0));
    camera.rowHeight *= factor;
    camera.y = 1080 - (1080 - camera.y) * factor;
    options.camera = camera;
    for (auto _ : state) benchmark::DoNotOptimize(treeGraphScene(*graph, {}, options, canvas).items.size());
}
BENCHMARK(drawCallGraph)->Arg(1)->Arg(16)->Arg(400)->Unit(benchmark::kMillisecond);

}  // namespace
