// SPDX-License-Identifier: GPL-3.0-or-later
// Scene and paint together at 3840×2160 on 30 million events: whole pictures at fixed zooms, and 200 random
// pans and zooms, whose 99th percentile counts. One thread where none are told.
#include "tests/bench/synthetic_trace.h"
#include "views/common/draw_list_painter.h"
#include "views/timeline/timeline_scene.h"

#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <malloc.h>
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
    // As the program does.
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
    static auto* application = new QGuiApplication(count, arguments);
    benchmark::DoNotOptimize(application);
}

/// Of one thread the time that it had a core for: other load on the machine does not count. Of several the
/// time that passes.
double msOf(int threads)
{
    timespec time{};
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

TimelineDataPtr dataWith(std::uint32_t locations, std::uint64_t events, std::uint32_t perNode = 16)
{
    const ExperimentPtr experiment = bench::syntheticExperiment(locations, events, perNode);
    auto index = std::make_shared<const TimelineIndex>(
        *buildTimelineIndex(*experiment->trace, *experiment->callTree, Task()));
    return makeTimelineData({{experiment}}, {index});
}

class Canvas {
public:
    explicit Canvas(const TimelineData& data, ViewState state = {}) : data_(data), state_(std::move(state))
    {
        needFonts();
        options_.theme = lightTheme();
        fonts_ = std::make_unique<SceneFonts>(QGuiApplication::font(), 1.0);
        measure_ = std::make_unique<QtTextMeasure>(*fonts_);
        image_ = QImage(kWidth, kHeight, QImage::Format_RGB32);
    }

    /// As the window does: while the view moves pixels share a sample, at rest none do.
    void draw(TimeSpan span, PictureDetail detail = {})
    {
        options_.detail = detail;
        paint(sceneOf(span));
    }

    void setThreads(int threads) { task_ = Task().withThreads(threads); }
    double ms() const { return msOf(task_.threads()); }

    /// As the window does after a picture at rest.
    void prepareGroups() { (void)data_.groups->make(data_.session, Task()); }

    DrawList sceneOf(TimeSpan span) const
    {
        ViewState state = state_;
        state.visible = span;
        return timelineScene(data_, state, options_, kWidth, kHeight, *measure_, task_);
    }
    void paint(const DrawList& list)
    {
        QPainter painter(&image_);
        paintDrawList(painter, list, *fonts_, task_);
    }

private:
    const TimelineData& data_;
    ViewState state_;
    TimelineOptions options_;
    Task task_ = Task().withThreads(1);
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

/// Spans of 1 / 2^0 … 1 / 2^18 of the run, anywhere.
std::vector<TimeSpan> randomSpans(TimeSpan whole)
{
    std::minstd_rand random(7);
    std::vector<TimeSpan> spans;
    for (int frame = 0; frame < 200; ++frame) {
        const double zoom = std::pow(2.0, -18.0 * static_cast<double>(random() % 1000) / 1000);
        const auto length = static_cast<TimeNs>(static_cast<double>(whole.lengthNs()) * zoom) + 1000;
        const auto begin = static_cast<TimeNs>(static_cast<double>(whole.lengthNs() - length)
                                               * static_cast<double>(random() % 1000) / 1000);
        spans.push_back({begin, begin + length});
    }
    return spans;
}

void count(benchmark::State& state, const std::string& name, std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    state.counters[name + "median_ms"] = times[times.size() / 2];
    state.counters[name + "p99_ms"] = times[times.size() * 99 / 100];
}

std::vector<double> medians(std::vector<std::array<double, 3>> times)
{
    std::vector<double> medians;
    for (auto& ofFrame : times) {
        std::sort(ofFrame.begin(), ofFrame.end());
        medians.push_back(ofFrame[1]);
    }
    return medians;
}

/// Counters: median and 99th percentile of random spans, in ms; of pictures
/// while the view moves, and of those at rest. All are drawn three times, one after the other, and of each
/// the median counts: what the machine does beside takes a few milliseconds of one picture in a hundred.
void drawSpans(benchmark::State& state, Canvas& canvas, TimeSpan whole, std::size_t frames)
{
    canvas.draw(whole);
    canvas.prepareGroups();
    std::vector<TimeSpan> spans = randomSpans(whole);
    spans.resize(frames);
    std::vector<std::array<double, 3>> moving(frames), still(frames);
    for (auto _ : state)
        for (std::size_t round = 0; round < 3; ++round)
            for (std::size_t frame = 0; frame < frames; ++frame)
                for (auto* const times : {&moving, &still}) {
                    const double start = canvas.ms();
                    canvas.draw(spans[frame],
                                times == &moving ? PictureDetail::moving(1e9) : PictureDetail());
                    (*times)[frame][round] = canvas.ms() - start;
                }
    count(state, "moving_", medians(moving));
    count(state, "still_", medians(still));
}

/// Arguments: locations, events, threads.
void drawRandomSpans(benchmark::State& state)
{
    const TimelineDataPtr data =
        dataWith(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint64_t>(state.range(1)));
    Canvas canvas(*data);
    canvas.setThreads(static_cast<int>(state.range(2)));
    drawSpans(state, canvas, data->clock.extent, 200);
}
BENCHMARK(drawRandomSpans)
    ->ArgsProduct({{64, 4096}, {3'000'000, 30'000'000}, {1, 2}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// 4 096 locations and 30 million events, all groups collapsed. Argument: locations of a group; 0: all in one
/// row.
void drawCollapsed(benchmark::State& state)
{
    const auto perNode = static_cast<std::uint32_t>(state.range(0));
    TimelineDataPtr data = dataWith(4096, 30'000'000, perNode == 0 ? 16 : perNode);
    ViewState collapsed;
    if (perNode == 0) {
        // Whole experiments are collapsed where there are several.
        const ExperimentPtr small = bench::syntheticExperiment(1, 1000);
        auto index = std::make_shared<const TimelineIndex>(
            *buildTimelineIndex(*small->trace, *small->callTree, Task()));
        data = makeTimelineData({{data->session.experiments[0], small}}, {data->indexes[0], index});
        collapsed.rows.collapsed = {{0, RowGroupKind::Experiment, 0}};
    } else {
        for (std::uint32_t node = 0; node * perNode < 4096; ++node)
            collapsed.rows.collapsed.push_back({0, RowGroupKind::Node, node});
    }
    Canvas canvas(*data, collapsed);
    drawSpans(state, canvas, data->clock.extent, 60);
}
BENCHMARK(drawCollapsed)
    ->Arg(16)
    ->Arg(64)
    ->Arg(96)
    ->Arg(2048)
    ->Arg(0)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// 64 locations and 30 million events in the colours of a mode.
void drawInColors(benchmark::State& state)
{
    static const TimelineDataPtr data = dataWith(64, 30'000'000);
    ViewState colored;
    colored.colors = static_cast<ColorMode>(state.range(0));
    Canvas canvas(*data, colored);
    drawSpans(state, canvas, data->clock.extent, 60);
}
BENCHMARK(drawInColors)
    ->Arg(static_cast<int>(ColorMode::Region))
    ->Arg(static_cast<int>(ColorMode::Depth))
    ->Arg(static_cast<int>(ColorMode::Duration))
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// The same by what is drawn: making the scene, and painting its shapes of one kind alone. Arguments as
/// above.
void drawRandomSpansInParts(benchmark::State& state)
{
    const TimelineDataPtr data =
        dataWith(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint64_t>(state.range(1)));
    Canvas canvas(*data);
    static constexpr const char* kNames[] = {"rect_", "line_", "polygon_", "text_", "pixel_"};
    std::vector<double> scene, parts[5];
    for (auto _ : state)
        for (const TimeSpan& span : randomSpans(data->clock.extent)) {
            double start = canvas.ms();
            const DrawList list = canvas.sceneOf(span);
            scene.push_back(canvas.ms() - start);
            for (std::size_t kind = 0; kind < 5; ++kind) {
                DrawList part{list.width, list.height, {0, 0, 0, 0}, {}};
                for (const DrawItem& item : list.items)
                    if (item.index() == kind) part.items.push_back(item);
                start = canvas.ms();
                canvas.paint(part);
                parts[kind].push_back(canvas.ms() - start);
            }
        }
    count(state, "scene_", scene);
    for (std::size_t kind = 0; kind < 5; ++kind) count(state, kNames[kind], parts[kind]);
}
BENCHMARK(drawRandomSpansInParts)
    ->Args({64, 3'000'000})
    ->Args({4096, 3'000'000})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
