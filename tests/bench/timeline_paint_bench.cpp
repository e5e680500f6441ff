// SPDX-License-Identifier: GPL-3.0-or-later
// Scene and paint together at 3840×2160 on 30 million events: whole pictures at fixed zooms, and 200 random pans and
// zooms, whose 99th percentile counts. One core.
#include "tests/bench/synthetic_trace.h"
#include "views/common/draw_list_painter.h"
#include "views/timeline/timeline_scene.h"

#include <QGuiApplication>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace skein;

namespace {

constexpr int kWidth = 3840;
constexpr int kHeight = 2160;

void needFonts()
{
    static int count = 1;
    static char name[] = "skein_bench";
    static char* arguments[] = {name, nullptr};
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    static auto* application = new QGuiApplication(count, arguments);
    benchmark::DoNotOptimize(application);
}

TimelineDataPtr dataWith(std::uint32_t locations, std::uint64_t events)
{
    const ExperimentPtr experiment = bench::syntheticExperiment(locations, events);
    auto index = std::make_shared<const TimelineIndex>(*buildTimelineIndex(*experiment->trace, *experiment->callTree, Task()));
    return makeTimelineData({{experiment}}, {index});
}

class Canvas {
public:
    explicit Canvas(const TimelineData& data) : data_(data)
    {
        needFonts();
        options_.theme = lightTheme();
        fonts_ = std::make_unique<SceneFonts>(QGuiApplication::font(), 1.0);
        measure_ = std::make_unique<QtTextMeasure>(*fonts_);
        image_ = QImage(kWidth, kHeight, QImage::Format_RGB32);
    }

    void draw(TimeSpan span)
    {
        ViewState state;
        state.visible = span;
        const DrawList list = timelineScene(data_, state, options_, kWidth, kHeight, *measure_, Task());
        QPainter painter(&image_);
        paintDrawList(painter, list, *fonts_);
    }

private:
    const TimelineData& data_;
    TimelineOptions options_;
    std::unique_ptr<SceneFonts> fonts_;
    std::unique_ptr<QtTextMeasure> measure_;
    QImage image_;
};

/// The argument is the visible part of the run: 1 / 2^n.
void drawAtZoom(benchmark::State& state)
{
    static const TimelineDataPtr data = dataWith(64, 30'000'000);
    Canvas canvas(*data);
    const TimeNs length = data->clock.extent.lengthNs() >> state.range(0);
    const TimeNs begin = (data->clock.extent.lengthNs() - length) / 3;
    for (auto _ : state) canvas.draw({begin, begin + length});
}
BENCHMARK(drawAtZoom)->DenseRange(0, 16, 2)->Unit(benchmark::kMillisecond);

/// Counters: median and 99th percentile of 200 random spans, in ms.
void drawRandomSpans(benchmark::State& state)
{
    const TimelineDataPtr data = dataWith(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint64_t>(state.range(1)));
    Canvas canvas(*data);
    std::minstd_rand random(7);
    std::vector<double> times;
    for (auto _ : state)
        for (int frame = 0; frame < 200; ++frame) {
            const double zoom = std::pow(2.0, -18.0 * static_cast<double>(random() % 1000) / 1000);
            const auto length = static_cast<TimeNs>(static_cast<double>(data->clock.extent.lengthNs()) * zoom) + 1000;
            const auto begin = static_cast<TimeNs>(static_cast<double>(data->clock.extent.lengthNs() - length) * static_cast<double>(random() % 1000) / 1000);
            const auto start = std::chrono::steady_clock::now();
            canvas.draw({begin, begin + length});
            times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
    std::sort(times.begin(), times.end());
    state.counters["median_ms"] = times[times.size() / 2];
    state.counters["p99_ms"] = times[times.size() * 99 / 100];
}
BENCHMARK(drawRandomSpans)
    ->Args({64, 3'000'000})
    ->Args({64, 30'000'000})
    ->Args({4096, 30'000'000})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
