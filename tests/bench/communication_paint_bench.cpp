// SPDX-License-Identifier: GPL-3.0-or-later
// Scene and paint together of the communication view: while it moves, and at rest. One core but where it says
// so.
#include "tests/bench/communication_pictures.h"
#include "views/common/draw_list_painter.h"

#include <QGuiApplication>

#include <benchmark/benchmark.h>

namespace skein {
namespace {

using namespace bench;

class PaintedCommunication {
public:
    PaintedCommunication(const MovedPicture& moved, int width, int height) : moved_(moved)
    {
        static int count = 1;
        static char name[] = "skein_bench";
        static char* arguments[] = {name, nullptr};
        setenv("QT_QPA_PLATFORM", "offscreen", 0);
        if (!qGuiApp) new QGuiApplication(count, arguments);
        fonts_ = std::make_unique<SceneFonts>(QGuiApplication::font(), 1.0);
        measure_ = std::make_unique<QtTextMeasure>(*fonts_);
        canvas_ = std::make_unique<Canvas>(Canvas{width, height, style_, *measure_});
        view_ = communicationLayout(moved.picture, {}, *canvas_).view;
    }

    QImage moved(int threads)
    {
        view_.center.x += 0.01;
        view_.pixels *= 1.0001;
        const Task task = Task().withThreads(threads);
        return toImage(movingCommunicationScene(moved_.picture, view_, *canvas_, moved_.map.get(), task),
                       *fonts_, task);
    }
    QImage atRest()
    {
        const Task task = Task().withThreads(1);
        return toImage(communicationScene(moved_.picture, view_, *canvas_, task), *fonts_, task);
    }

private:
    const MovedPicture& moved_;
    SceneStyle style_{lightTheme(), 1, {}};
    std::unique_ptr<SceneFonts> fonts_;
    std::unique_ptr<QtTextMeasure> measure_;
    std::unique_ptr<Canvas> canvas_;
    PlaneView view_;
};

void paintMoving(benchmark::State& state, const MovedPicture& moved)
{
    PaintedCommunication painted(moved, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    for (auto _ : state) benchmark::DoNotOptimize(painted.moved(static_cast<int>(state.range(2))));
}
void PaintMovingCommunication(benchmark::State& state) { paintMoving(state, manyRoutes()); }
void PaintMovingMillionPairs(benchmark::State& state) { paintMoving(state, manyPairs()); }
void PaintCommunicationAtRest(benchmark::State& state)
{
    PaintedCommunication painted(manyRoutes(), static_cast<int>(state.range(0)),
                                 static_cast<int>(state.range(1)));
    for (auto _ : state) benchmark::DoNotOptimize(painted.atRest());
}
void sizes(benchmark::internal::Benchmark* bench)
{
    bench->ArgNames({"width", "height", "threads"})->UseRealTime()->Unit(benchmark::kMillisecond);
    for (const int threads : {1, 2}) bench->Args({1600, 1000, threads})->Args({3840, 2160, threads});
}
BENCHMARK(PaintMovingCommunication)->Apply(sizes);
BENCHMARK(PaintMovingMillionPairs)->Apply(sizes);
BENCHMARK(PaintCommunicationAtRest)->Args({1600, 1000})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skein
