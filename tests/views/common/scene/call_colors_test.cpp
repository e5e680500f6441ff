// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/call_colors.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/common/scene/color_scale.h"
#include "views/common/scene/lane_table.h"
#include "views/timeline/timeline_scene.h"

#include <cmath>

using namespace skein;

namespace {

/// `work` lasts 100 ns nine times and 1 000 ns once.
TimelineDataPtr unevenSession()
{
    std::vector<test::Call> calls{{0, 4000, "main", 0}};
    for (TimeNs step = 0; step < 9; ++step) calls.push_back({step * 200, step * 200 + 100, "work", 1});
    calls.push_back({2000, 3000, "work", 1});
    return test::timelineDataOf({test::ExperimentBuilder("run").process("n", calls).paradigm("work", Paradigm::Mpi).finish()});
}

}  // namespace

TEST_CASE("durations are judged against the other calls of the region")
{
    const auto data = unevenSession();
    const auto& durations = data->durations->of(0, *data->session.experiments[0], *data->indexes[0]);
    const double mean = 1900.0 / 10, deviation = std::sqrt((9 * (mean - 100) * (mean - 100) + (1000 - mean) * (1000 - mean)) / 10);
    CHECK(durations[1].calls == 10);
    CHECK(durations[1].meanNs == Approx(mean));
    CHECK(durations[1].deviationNs == Approx(deviation));
    CHECK(durations[1].deviationsOf(1000) == Approx((1000 - mean) / deviation));
    CHECK(durations[0].deviationsOf(4000) == 0);
    ViewState state;
    state.colors = ColorMode::Duration;
    const CallColors colors(*data, state, false);
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
    const auto rows = test::itemsOf<PixelItem>(timelineScene(*data, state, options, 1000, 120, plain.measure, Task()));
    REQUIRE(rows.size() == 1);
    const std::size_t lanes = rows[0].heights.size();
    const CallColors colors(*data, state, false);
    const auto at = [&](TimeNs time) {
        return rows[0].argb[(lanes - 1) * static_cast<std::size_t>(rows[0].columns) + static_cast<std::size_t>(layout.scale.toX(time) - layout.body.x)];
    };
    CHECK(at(2500) == toArgb(colors.of({0, LocationId(0)}, 10)));
    CHECK(at(650) == toArgb(colors.of({0, LocationId(0)}, 4)));
    CHECK(at(3500) == toArgb(colors.of({0, LocationId(0)}, 0)));
}

TEST_CASE("calls are coloured by region, by group or by depth")
{
    const auto data = unevenSession();
    const Experiment& experiment = *data->session.experiments[0];
    const RegionPalette palette = regionPalette(experiment.definitions, true);
    const auto colorOf = [&](ColorMode mode) {
        ViewState state;
        state.colors = mode;
        return fromArgb(LaneTable(experiment, 0, state, palette, darkTheme().background, 2).colors(1)[1]);
    };
    CHECK(colorOf(ColorMode::Region) == palette.color(RegionId(1)));
    CHECK(colorOf(ColorMode::Group) == groupColor(PaletteGroup::Mpi, true));
    CHECK(colorOf(ColorMode::Depth) == sequentialColor(true, 1));
}

TEST_CASE("scales of colours grow evenly in lightness, and the two sides of a diverging one differ from its middle")
{
    for (const bool dark : {false, true}) {
        for (int step = 0; step < 10; ++step) {
            const double here = lightness(sequentialColor(dark, step / 10.0)), next = lightness(sequentialColor(dark, (step + 1) / 10.0));
            CHECK((dark ? next - here : here - next) > 3);
        }
        CHECK(contrast(divergingColor(dark, -1), divergingColor(dark, 0)) > 1.8);
        CHECK(contrast(divergingColor(dark, 1), divergingColor(dark, 0)) > 1.8);
    }
}
