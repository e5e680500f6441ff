// SPDX-License-Identifier: GPL-3.0-or-later
// Scene and paint together of the call graph of 50,000 call paths at 3840×2160 with labels: 16 ms at most a
// frame. One core.
#include "tests/bench/tree_graph_pictures.h"
#include "views/common/draw_list_painter.h"

#include <QGuiApplication>

#include <benchmark/benchmark.h>
#include <cstdlib>

namespace skein {
namespace {

void paintCallGraph(benchmark::State& state)
{
    static int count = 1;
    static char name[] = "skein_bench";
    static char* arguments[] = {name, nullptr};
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    if (!qGuiApp) new QGuiApplication(count, arguments);
    const TreeGraphPtr graph = layOutTree(bench::treeSums(50'000), {}, Task()).value();
    const SceneStyle style{lightTheme(), 1, {}};
    const SceneFonts fonts(QGuiApplication::font(), 1.0);
    const QtTextMeasure measure(fonts);
    const Canvas canvas{3840, 2160, style, measure};
    const TreeGraphOptions options = bench::zoomedTree(*graph, canvas, static_cast<double>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(toImage(treeGraphScene(*graph, {}, options, canvas), fonts));
}
BENCHMARK(paintCallGraph)->Arg(1)->Arg(4)->Arg(16)->Arg(100)->Arg(400)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skein
