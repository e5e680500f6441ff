// SPDX-License-Identifier: GPL-3.0-or-later
// Scene and paint together of the scatter of a million calls: 16 ms at most a frame while it moves. One core.
#include "tests/bench/synthetic_trace.h"
#include "views/anomalies/anomalies_picture_scene.h"
#include "views/common/draw_list_painter.h"

#include <QGuiApplication>

#include <benchmark/benchmark.h>
#include <cstdlib>

namespace skein {
namespace {

const SessionAnomalies& millionPoints()
{
    static const SessionAnomaliesPtr anomalies =
        makeSessionAnomalies(
            std::make_shared<const Session>(Session{{bench::syntheticExperiment(64, 30'000'000)}}), {},
            Task())
            .value();
    return *anomalies;
}

/// Width, height, and 1/1000 of the axes that are shown; 1: as while it moves, else as at rest.
void anomaliesFrame(benchmark::State& state)
{
    static int count = 1;
    static char name[] = "skein_bench";
    static char* arguments[] = {name, nullptr};
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    if (!qGuiApp) new QGuiApplication(count, arguments);
    const SceneStyle style{lightTheme(), 1, {}};
    const AnomaliesPicture picture(millionPoints(), {}, {}, style.theme);
    const SceneFonts fonts(QGuiApplication::font(), 1.0);
    const QtTextMeasure measure(fonts);
    const Canvas canvas{static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), style, measure};
    const auto detail = state.range(3) == 1 ? AnomaliesDetail::Moving : AnomaliesDetail::AtRest;
    const double part = static_cast<double>(state.range(2)) / 1000.0;
    double from = 0.0;
    for (auto _ : state) {
        const AnomalyZoom zoom{from, from + part, from, from + part};
        benchmark::DoNotOptimize(toImage(picture.draw(zoom, detail, canvas, Task()), fonts));
        from = from > 0.2 ? 0.0 : from + 0.003;
    }
    state.counters["points"] = static_cast<double>(picture.shown().size());
}
BENCHMARK(anomaliesFrame)
    ->Args({1600, 1000, 1000, 1})
    ->Args({1600, 1000, 300, 1})
    ->Args({3840, 2160, 1000, 1})
    ->Args({3840, 2160, 300, 1})
    ->Args({1600, 1000, 1000, 0})
    ->Args({3840, 2160, 1000, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skein
