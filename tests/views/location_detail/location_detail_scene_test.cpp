// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/location_detail/location_detail_scene.h"

#include "views/common/scene/regions/region_groups.h"

#include "core/select/filters.h"
#include "core/select/translate.h"
#include "core/session/experiment_titles.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/palette.h"

#include <cmath>

namespace skein::location_detail_scene_test {

namespace {

ExperimentPtr twoRanks()
{
    return test::ExperimentBuilder("run")
        .process("n0", {{0, 1000, "main", 0}, {100, 600, "solve", 1}, {200, 300, "kernel", 2}})
        .process("n1", {{0, 1000, "main", 0}})
        .finish();
}

DrawList sceneOf(const TimelineData& data, const ViewState& state, const Canvas& canvas)
{
    return locationDetailScene(data, state, {}, canvas, Task());
}

/// The bars of single calls.
std::vector<RectItem> barsOf(const DrawList& list)
{
    std::vector<RectItem> bars;
    for (const RectItem& item : test::itemsOf<RectItem>(list))
        if (item.stroke.alpha == 255) bars.push_back(item);
    return bars;
}

}  // namespace

TEST_CASE("the detail of a location has a bar for every call, in the row of its depth and at its times")
{
    const auto data = test::timelineDataOf({twoRanks()});
    const test::PlainCanvas plain(1000, 200);
    const LocationDetailLayout layout = locationDetailLayout(*data, {}, {}, plain.canvas);
    CHECK(layout.location == LocationRef{0, LocationId(0)});
    CHECK(layout.rows == 3);
    const DrawList list = sceneOf(*data, {}, plain.canvas);
    const auto bars = barsOf(list);
    REQUIRE(bars.size() == 3);
    const TimeSpan spans[] = {{0, 1000}, {100, 600}, {200, 300}};
    for (std::uint32_t row = 0; row < 3; ++row) {
        CHECK(bars[row].rect.y == std::round(layout.top(row)));
        CHECK(std::abs(bars[row].rect.x - layout.frame.scale.toX(spans[row].begin)) <= 1);
        CHECK(std::abs(bars[row].rect.right() - layout.frame.scale.toX(spans[row].end)) <= 1);
    }
    for (const char* text : {"Rank 0", "main", "solve", "kernel", "1", "2", "3", "Time"}) {
        INFO(text);
        CHECK(test::shows(list, text));
    }
}

TEST_CASE("the detail names the component of its location where several are open")
{
    const auto data = test::timelineDataOf({twoRanks(), twoRanks()});
    ViewState state;
    state.selected = select(data->session, LocationRef{1, LocationId(1)});
    const test::PlainCanvas plain(1000, 200);
    CHECK(test::shows(sceneOf(*data, state, plain.canvas), experimentTitles(data->session)[1] + " Rank 1"));
}

TEST_CASE(
    "the detail shows the location that is selected, and moves calls up where filters hide their callers")
{
    const auto data = test::timelineDataOf({twoRanks()});
    ViewState state;
    state.selected = select(data->session, LocationRef{0, LocationId(1)});
    CHECK(detailLocation(*data, state) == LocationRef{0, LocationId(1)});
    state.selected.locations = {{0, LocationId(0)}, {0, LocationId(1)}};
    CHECK(detailLocation(*data, state) == LocationRef{0, LocationId(0)});
    CHECK(detailLocation(*data, state, {0, LocationId(1)}) == LocationRef{0, LocationId(1)});
    state.selected = {};
    state.filters = {regionFilter(FilterEffect::Hide, "solve", regionsMatching(data->session, "solve"))};
    const test::PlainCanvas plain(1000, 200);
    const LocationDetailLayout layout = locationDetailLayout(*data, state, {}, plain.canvas);
    CHECK(layout.rows == 2);
    const auto bars = barsOf(sceneOf(*data, state, plain.canvas));
    REQUIRE(bars.size() == 2);
    CHECK(bars[1].rect.y == std::round(layout.top(1)));
    state.filters = {locationFilter(FilterEffect::Hide, "all", {{0, LocationId(0)}, {0, LocationId(1)}})};
    CHECK_FALSE(detailLocation(*data, state).valid());
}

TEST_CASE("every pixel of the detail's rows says which call of that depth ran there")
{
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        const auto data = test::timelineDataOf({test::experimentOfRandomCalls(seed, 150, 1, 7, 5)});
        const Experiment& experiment = *data->session.experiments[0];
        ViewState state;
        state.visible = TimeSpan{static_cast<TimeNs>(seed) * 40, static_cast<TimeNs>(seed) * 40 + 200};
        const test::PlainCanvas plain(900, 300);
        const LocationDetailLayout layout = locationDetailLayout(*data, state, {}, plain.canvas);
        const RegionPalette palette = regionPalette(experiment.definitions, lightTheme());
        const auto& calls = experiment.trace->locations[0].intervals;
        const auto pixels = test::itemsOf<PixelItem>(sceneOf(*data, state, plain.canvas));
        REQUIRE(pixels.size() == 1);
        const double ns = layout.frame.scale.nsPerPixel();
        for (int column = 0; column < pixels[0].columns; ++column) {
            const double time = static_cast<double>(state.visible->begin) + (column + 0.5) * ns;
            std::vector<std::uint32_t> expected(layout.rows, 0);
            bool edge = false;
            for (std::uint32_t call = 0; call < calls.size(); ++call) {
                for (const TimeNs at : {calls.begin[call], calls.end[call]})
                    edge = edge || std::abs(static_cast<double>(at) - time) <= ns;
                if (calls.begin[call] <= time && time < calls.end[call])
                    expected[calls.depth[call]] =
                        palette.argb[experiment.callTree->region(CallPathId(calls.callPath[call])).index()];
            }
            if (edge) continue;
            for (std::uint32_t row = 0; row < layout.rows; ++row)
                REQUIRE(pixels[0].argb[2 * row * static_cast<std::size_t>(pixels[0].columns)
                                       + static_cast<std::size_t>(column)]
                        == expected[row]);
        }
    }
}

TEST_CASE("where calls are narrower than a pixel the detail shows how much of it their depth fills")
{
    // In every microsecond main calls step for 900 ns, which calls leaf for 100 ns: most columns are step's.
    std::vector<test::Call> calls{{0, 4'000'000, "main", 0}};
    for (TimeNs at = 0; at < 4'000'000; at += 1000) {
        calls.push_back({at, at + 900, "step", 1});
        calls.push_back({at + 200, at + 300, "leaf", 2});
    }
    const auto data = test::timelineDataOf({test::ExperimentBuilder("run").process("n", calls).finish()});
    const ViewState state;
    const test::PlainCanvas plain(500, 300);
    const LocationDetailLayout layout = locationDetailLayout(*data, state, {}, plain.canvas);
    REQUIRE(layout.rows == 3);
    const auto pixels = test::itemsOf<PixelItem>(sceneOf(*data, state, plain.canvas));
    REQUIRE(pixels.size() == 1);
    const auto columns = static_cast<std::size_t>(pixels[0].columns);
    const RegionPalette palette = regionPalette(RegionGroups(data->session, state.grouping), 0, lightTheme());
    const auto shownPart = [&](std::size_t row, std::size_t column, std::uint32_t region) {
        const Color at = fromArgb(pixels[0].argb[2 * row * columns + column]);
        const Color full = palette.color(RegionId(region)), none = lightTheme().background;
        return (at.red - none.red) / static_cast<double>(full.red - none.red);
    };
    for (std::size_t column = 5; column + 5 < columns; ++column) {
        CHECK(shownPart(1, column, 1) == Approx(0.25 + 0.75 * 0.9).margin(0.05));
        CHECK(shownPart(2, column, 2) == Approx(0.25 + 0.75 * 0.1).margin(0.05));
    }
}

TEST_CASE("what is drawn in the detail is what is hit there")
{
    const auto data = test::timelineDataOf({twoRanks()});
    const test::PlainCanvas plain(1000, 200);
    const LocationDetailLayout layout = locationDetailLayout(*data, {}, {}, plain.canvas);
    const auto hit = [&](TimeNs time, std::uint32_t row) {
        return locationDetailHit(*data, {}, layout, plain.canvas,
                                 {layout.frame.scale.toX(time), layout.top(row) + 2});
    };
    CHECK(hit(250, 2).interval == IntervalRef{0, LocationId(0), 2});
    CHECK(hit(250, 1).interval == IntervalRef{0, LocationId(0), 1});
    CHECK(hit(250, 0).interval == IntervalRef{0, LocationId(0), 0});
    CHECK_FALSE(hit(450, 2).interval.valid());
    CHECK(hit(450, 2).location == LocationRef{0, LocationId(0)});
    CHECK(hit(700, 1).time.has_value());
}

TEST_CASE(
    "texts of the detail can be read at every size, and its time stands where the overview of labels ends")
{
    const auto data = test::timelineDataOf({test::experimentOfRandomCalls(7, 400, 3)});
    for (const int width : {300, 1000, 2600})
        for (const int height : {90, 200, 700}) {
            const test::PlainCanvas plain(width, height);
            INFO(width << " x " << height);
            CHECK(test::unreadable(sceneOf(*data, {}, plain.canvas), plain.measure) == "");
            const LocationDetailLayout layout = locationDetailLayout(*data, {}, {}, plain.canvas);
            CHECK(layout.frame.body.x == timeLabelsWidth(*data, width, 1, plain.measure));
        }
}

TEST_CASE("in the detail of a location a call much longer than its region's usual keeps a pixel of its row, "
          "however short it is")
{
    test::ExperimentBuilder builder("rare");
    std::vector<test::Call> calls{{0, 0, "main", 0}};
    TimeNs now = 0;
    for (int step = 0; step < 900; ++step) {
        const TimeNs wait = step % 100 == 50 ? 300 : 10;
        calls.push_back({now, now + 1000, "work", 1});
        calls.push_back({now + 1000, now + 1000 + wait, "wait", 1});
        now += 1000 + wait;
    }
    calls.front().end = now;
    const auto data = test::timelineDataOf({builder.process("n0", calls).finish()});
    const Experiment& experiment = *data->session.experiments[0];
    const auto& outliers = data->indexes[0]->locations[0].outliers;
    REQUIRE(outliers.size() == 9);
    const test::PlainCanvas plain(600, 200);
    const LocationDetailLayout layout = locationDetailLayout(*data, {}, {}, plain.canvas);
    const auto pixels = test::itemsOf<PixelItem>(sceneOf(*data, {}, plain.canvas)).front();
    const RegionPalette palette = regionPalette(experiment.definitions, plain.canvas.theme());
    for (const auto& [entry, leave, call, path] : outliers) {
        const CallIntervals& intervals = experiment.trace->locations[0].intervals;
        const auto column =
            static_cast<std::size_t>(layout.frame.scale.toX(intervals.begin[call]) - layout.frame.body.x);
        const std::uint32_t shown =
            pixels.argb[2 * static_cast<std::size_t>(pixels.columns) + column];  // a line between rows
        CHECK(shown
              == palette.argb[experiment.callTree->region(CallPathId(intervals.callPath[call])).index()]);
    }
}

}  // namespace skein::location_detail_scene_test
