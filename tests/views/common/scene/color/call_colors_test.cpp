// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/call_colors.h"

#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/color/lane_table.h"
#include "views/timeline/timeline_scene.h"

#include <cmath>

namespace skein::call_colors_test {

namespace {

/// `work` lasts 100 ns nine times and 1 000 ns once.
TimelineDataPtr unevenSession()
{
    std::vector<test::Call> calls{{0, 4000, "main", 0}};
    for (TimeNs step = 0; step < 9; ++step) calls.push_back({step * 200, step * 200 + 100, "work", 1});
    calls.push_back({2000, 3000, "work", 1});
    return test::timelineDataOf(
        {test::ExperimentBuilder("run").process("n", calls).paradigm("work", Paradigm::Mpi).finish()});
}

}  // namespace

TEST_CASE("durations are judged against the other calls of the region")
{
    const auto data = unevenSession();
    const auto& durations = data->durations->of(0, *data->session.experiments[0], *data->indexes[0]);
    const double mean = 1900.0 / 10,
                 deviation =
                     std::sqrt((9 * (mean - 100) * (mean - 100) + (1000 - mean) * (1000 - mean)) / 10);
    CHECK(durations[1].calls == 10);
    CHECK(durations[1].meanNs == Approx(mean));
    CHECK(durations[1].deviationNs == Approx(deviation));
    CHECK(durations[1].deviationsOf(1000) == Approx((1000 - mean) / deviation));
    CHECK(durations[0].deviationsOf(4000) == 0);
    ViewState state;
    state.colors = ColorMode::Duration;
    const CallColors colors(*data, state, false, Task());
    CHECK(colors.of({0, LocationId(0)}, 10) == divergingColor(false, (1000 - mean) / deviation / 3));
    CHECK(colors.of({0, LocationId(0)}, 1) == divergingColor(false, (100 - mean) / deviation / 3));
    CHECK(colors.of({0, LocationId(0)}, 0) == divergingColor(false, 0));
}

TEST_CASE("the timeline shows the durations' colours where the calls are")
{
    const auto data = unevenSession();
    ViewState state;
    state.colors = ColorMode::Duration;
    TimelineOptions options;
    options.theme = lightTheme();
    const test::PlainCanvas plain(1000, 120);
    const TimelineLayout layout = timelineLayout(*data, state, options, 1000, 120, plain.measure);
    const auto rows =
        test::itemsOf<PixelItem>(timelineScene(*data, state, options, 1000, 120, plain.measure, Task()));
    REQUIRE(rows.size() == 1);
    const std::size_t lanes = rows[0].heights.size();
    const CallColors colors(*data, state, false, Task());
    const auto at = [&](TimeNs time) {
        return rows[0].argb[(lanes - 1) * static_cast<std::size_t>(rows[0].columns)
                            + static_cast<std::size_t>(layout.scale.toX(time) - layout.body.x)];
    };
    CHECK(at(2500) == toArgb(colors.of({0, LocationId(0)}, 10)));
    CHECK(at(650) == toArgb(colors.of({0, LocationId(0)}, 4)));
    CHECK(at(3500) == toArgb(colors.of({0, LocationId(0)}, 0)));
}

TEST_CASE("calls are coloured by region, by group or by depth")
{
    const auto data = unevenSession();
    const Experiment& experiment = *data->session.experiments[0];
    const RegionPalette palette = test::shownPalette(experiment, darkTheme());
    const auto colorOf = [&](ColorMode mode) {
        ViewState state;
        state.colors = mode;
        return fromArgb(LaneTable(experiment, 0, state, palette, darkTheme().background, 2).colors(1)[1]);
    };
    CHECK(colorOf(ColorMode::Region) == palette.color(RegionId(1)));
    CHECK(colorOf(ColorMode::Group) == groupColor(PaletteGroup::Mpi, darkTheme()));
    CHECK(colorOf(ColorMode::Depth) == sequentialColor(true, 1));
}

TEST_CASE("calls are coloured by what a metric was while they ran")
{
    const auto data = test::timelineDataOf({std::make_shared<const Experiment>(test::randomExperiment(4))});
    const Experiment& experiment = *data->session.experiments[0];
    CHECK(coloringMetric(data->session, {}) == laneMetricNames(experiment).front());
    for (std::uint32_t id = 0; id < experiment.definitions.metrics.size(); ++id) {
        ViewState state;
        state.colors = ColorMode::Metric;
        state.metric = {0, MetricId(id)};
        const std::string metric = experiment.definitions.metrics[id].name;
        REQUIRE(coloringMetric(data->session, state.metric) == metric);
        const MetricLanes lanes = *metricLanes(experiment, metric, Task());
        int known = 0;
        for (const ColorScaling scaling : {ColorScaling::Linear, ColorScaling::Logarithmic}) {
            state.colorScaling = scaling;
            const CallColors colors(*data, state, false, Task());
            for (const MetricLane& lane : lanes.lanes) {
                const CallIntervals& calls = experiment.trace->locations[lane.recorder.index()].intervals;
                for (std::uint32_t call = 0; call < calls.size(); ++call) {
                    const StepRange range = lane.steps.over(calls.span(call));
                    double part =
                        (range.mean() - lanes.whole.minimum) / (lanes.whole.maximum - lanes.whole.minimum);
                    if (scaling == ColorScaling::Logarithmic)
                        part = std::log(1 + 1000 * part) / std::log(1001.0);
                    CHECK(colors.of({0, lane.recorder}, call)
                          == (range.any() ? sequentialColor(false, part) : divergingColor(false, 0)));
                    known += range.any();
                }
            }
        }
        CHECK(known > 10);
    }
}

TEST_CASE("pixels coloured by a metric have the mean of their column, whatever the zoom")
{
    const auto data = test::timelineDataOf({std::make_shared<const Experiment>(test::randomExperiment(9))});
    const Experiment& experiment = *data->session.experiments[0];
    ViewState state;
    state.colors = ColorMode::Metric;
    const MetricLanes lanes = *metricLanes(experiment, coloringMetric(data->session, {}), Task());
    const CallColors colors(*data, state, true, Task());
    for (const TimeNs parts : {1, 7, 50}) {
        const TimeSpan all = data->clock.extent;
        const TimeScale scale{{all.begin, all.begin + std::max<TimeNs>(all.lengthNs() / parts, 64)}, 0, 64};
        for (const MetricLane& lane : lanes.lanes) {
            PixelItem pixels;
            pixels.columns = 64;
            pixels.heights = {4};
            pixels.argb.assign(64, 0xFF000001u);
            pixels.argb[10] = 0;
            colors.recolor(pixels, {0, lane.recorder}, scale, 1);
            CHECK(pixels.argb[10] == 0);
            for (std::size_t column = 11; column < 64; ++column) {
                TimeSpan span =
                    data->clock.toExperiment(0,
                                             TimeSpan{scale.toTime(static_cast<double>(column)),
                                                      scale.toTime(static_cast<double>(column) + 1)});
                span.end = std::max(span.end, span.begin + 1);
                const StepRange range = lane.steps.over(span);
                const double part =
                    (range.mean() - lanes.whole.minimum) / (lanes.whole.maximum - lanes.whole.minimum);
                CHECK(fromArgb(pixels.argb[column])
                      == (range.any() ? sequentialColor(true, part) : divergingColor(true, 0)));
            }
        }
    }
}

TEST_CASE("who no longer waits for the samples of a metric gets none, and the next one gets all")
{
    const auto data = test::timelineDataOf({std::make_shared<const Experiment>(test::randomExperiment(9))});
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = data->metrics->of(data->session, {}, Task(stop.get_token()));
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().cancelled());
    const auto track = data->metrics->of(data->session, {}, Task());
    REQUIRE(track);
    CHECK((*track)->whole.any());
    CHECK(*data->metrics->of(data->session, {}, Task()) == *track);
    const auto none = MetricTracks().of(Session{}, {}, Task());
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::NotFound);
}

TEST_CASE(
    "scales of colours grow evenly in lightness, and the two sides of a diverging one differ from its middle")
{
    for (const bool dark : {false, true}) {
        for (int step = 0; step < 10; ++step) {
            const double here = lightness(sequentialColor(dark, step / 10.0)),
                         next = lightness(sequentialColor(dark, (step + 1) / 10.0));
            CHECK((dark ? next - here : here - next) > 3);
        }
        CHECK(contrast(divergingColor(dark, -1), divergingColor(dark, 0)) > 1.8);
        CHECK(contrast(divergingColor(dark, 1), divergingColor(dark, 0)) > 1.8);
    }
}

TEST_CASE("a call's duration is compared with those of its region's name, whichever rank defined it")
{
    test::ExperimentBuilder builder("ranks");
    for (const TimeNs length : {10, 20, 60})
        builder.process("node",
                        {{0, length, "work of " + std::to_string(length), 0},
                         {100, 100 + length, "work of " + std::to_string(length), 0}});
    Experiment experiment = *builder.finish();
    for (Region& region : experiment.definitions.regions) region.name = "work";
    const auto index = buildTimelineIndex(*experiment.trace, *experiment.callTree, Task());
    REQUIRE(index);
    RegionDurations durations;
    for (const RegionDuration& each : durations.of(0, experiment, *index)) {
        CHECK(each.calls == 6);
        CHECK(std::abs(each.meanNs - 30) < 1e-9);
        CHECK(std::abs(each.deviationNs - std::sqrt((400.0 + 100 + 900) / 3)) < 1e-9);
    }
}

}  // namespace skein::call_colors_test
