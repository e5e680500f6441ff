// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing rare is lost: what a picture says at any zoom beside what the intervals say.
#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/call_colors.h"
#include "views/common/scene/color/palette.h"
#include "views/timeline/timeline_bars_scene.h"
#include "views/timeline/timeline_scene.h"

#include <algorithm>
#include <random>
#include <utility>

namespace skein::timeline_rare_test {

namespace {

const ApproximateTextMeasure kMeasure(12);

TimelineOptions plain()
{
    TimelineOptions options;
    options.theme = lightTheme();
    options.messages = MessageDisplay::Hidden;
    return options;
}

/// Steps of short calls; a few of them take a hundred times as long, but are still short beside the whole.
ExperimentPtr steadyWithOutliers(std::uint32_t seed, int locations)
{
    std::mt19937 random(seed);
    test::ExperimentBuilder builder("steady");
    for (int location = 0; location < locations; ++location) {
        std::vector<test::Call> calls{{0, 0, "main", 0}};
        TimeNs now = 0;
        for (int step = 0; step < 800; ++step) {
            const bool late = random() % 200 == 0;
            const TimeNs work = 900 + static_cast<TimeNs>(random() % 200);
            const TimeNs wait = late ? 4000 : 30 + static_cast<TimeNs>(random() % 20);
            calls.push_back({now, now + work, "work", 1});
            calls.push_back({now + work, now + work + wait, "wait", 1});
            now += work + wait;
        }
        calls.front().end = now;
        builder.process("node", calls);
    }
    return builder.finish();
}

/// The colour, or what the lines at the entries of wide calls make of it.
bool isColor(std::uint32_t shown, std::uint32_t argb)
{
    constexpr int kDeepest = 8;
    for (int lines = 0; lines < kDeepest; ++lines) {
        if (shown == argb) return true;
        const auto darker = [&](int shift, std::uint32_t dark) {
            return ((argb >> shift & 255) * 184 + dark * 72) / 256 << shift;
        };
        argb = 0xFF000000u | darker(16, 0x1E) | darker(8, 0x22) | darker(0, 0x28);
    }
    return false;
}

struct Picture {
    TimelineLayout layout;
    std::vector<PixelItem> rows;
};

Picture pictureOf(const TimelineData& data, TimeSpan span, int width, int height, std::uint32_t columnPx = 1,
                  ViewState state = {})
{
    state.visible = span;
    TimelineOptions options = plain();
    options.detail = columnPx > 1 ? PictureDetail::moving(1e9) : PictureDetail();
    return {timelineLayout(data, state, options, width, height, kMeasure),
            test::itemsOf<PixelItem>(timelineScene(data, state, options, width, height, kMeasure, Task()))};
}

/// The innermost lane of the picture's row at a height, at a time.
std::uint32_t pixelAt(const Picture& picture, double y, TimeNs time)
{
    // Rows of a bundle end a little before the next one begins.
    for (auto at = picture.rows.rbegin(); at != picture.rows.rend(); ++at) {
        const PixelItem& row = *at;
        if (y < row.y) continue;
        const int column = static_cast<int>(picture.layout.scale.toX(time) - picture.layout.body.x);
        return row.argb[row.argb.size() - static_cast<std::size_t>(row.columns)
                        + static_cast<std::size_t>(std::clamp(column, 0, row.columns - 1))];
    }
    return 0;
}

}  // namespace

TEST_CASE("calls much longer than their region's usual keep a pixel of their colour at every zoom")
{
    std::size_t seen = 0;
    for (const auto& [locations, columnPx] : {std::pair{3, 1u}, {700, 1u}, {3, 2u}, {700, 2u}}) {
        const auto data = test::timelineDataOf({steadyWithOutliers(5, locations)});
        const Experiment& experiment = *data->session.experiments[0];
        const RegionPalette palette = test::shownPalette(experiment, lightTheme());
        const TimeNs end = data->clock.extent.end;
        for (const TimeSpan span :
             {TimeSpan{0, end}, TimeSpan{end / 3, end / 2}, TimeSpan{end / 2, end / 2 + end / 50}}) {
            const Picture picture = pictureOf(*data, span, 400, 300, columnPx);
            const double narrow = 2 * columnPx * picture.layout.scale.nsPerPixel();
            for (std::uint32_t location = 0; location < static_cast<std::uint32_t>(locations); ++location) {
                const CallIntervals& calls = experiment.trace->locations[location].intervals;
                // The middle of the bundle, or of the row.
                const std::uint32_t bundle = location / TimelineIndex::kBundle * TimelineIndex::kBundle;
                const std::uint32_t middle = locations == 3
                    ? location
                    : std::min(bundle + TimelineIndex::kBundle / 2,
                               static_cast<std::uint32_t>(locations - 1));
                const PlacedRow* place = picture.layout.placeOf({0, LocationId(middle)});
                REQUIRE(place);
                for (const auto& [entry, leave, call, path] :
                     data->indexes[0]->locations[location].outliers) {
                    if (!span.contains(calls.begin[call])) continue;
                    const TimeNs duration = calls.end[call] - calls.begin[call];
                    const TimeNs look = static_cast<double>(duration) < narrow
                        ? calls.begin[call]
                        : calls.begin[call] + duration / 2;
                    const std::uint32_t shown = pixelAt(picture, place->y + place->height / 2, look);
                    if (locations > 3 && static_cast<double>(duration) >= narrow) continue;
                    INFO(locations << " locations, location " << location << ", call " << call << ", shown "
                                   << std::hex << shown);
                    REQUIRE(isColor(
                        shown,
                        palette.argb[experiment.callTree->region(CallPathId(calls.callPath[call])).index()]));
                    ++seen;
                }
            }
        }
    }
    CHECK(seen > 1000);
}

TEST_CASE("rows of collapsed groups keep a pixel for calls much longer than their region's usual, and what "
          "took most time beside it")
{
    constexpr int kLocations = 200;
    const auto data = test::timelineDataOf({steadyWithOutliers(5, kLocations), steadyWithOutliers(6, 1)});
    const Experiment& experiment = *data->session.experiments[0];
    const RegionPalette palette = test::shownPalette(experiment, lightTheme());
    const auto colorOf = [&](std::uint32_t location, std::uint32_t call) {
        return palette
            .argb[experiment.callTree
                      ->region(CallPathId(experiment.trace->locations[location].intervals.callPath[call]))
                      .index()];
    };
    ViewState collapsed;
    collapsed.rows.collapsed = {{0, RowGroupKind::Experiment, 0}};
    const TimeNs end = data->clock.extent.end;
    std::size_t seen = 0;
    for (const std::uint32_t columnPx : {1u, 2u})
        for (const TimeSpan span :
             {TimeSpan{0, end}, TimeSpan{end / 3, end / 2}, TimeSpan{end / 2, end / 2 + end / 400}}) {
            const Picture picture = pictureOf(*data, span, 400, 120, columnPx, collapsed);
            const PixelItem& row = picture.rows.front();
            REQUIRE(row.heights.size() > (columnPx == 1 ? 2 : 1));
            for (std::uint32_t location = 0; location < kLocations; ++location) {
                const CallIntervals& calls = experiment.trace->locations[location].intervals;
                for (const auto& [entry, leave, call, path] :
                     data->indexes[0]->locations[location].outliers) {
                    if (calls.end[call] <= span.begin || calls.begin[call] >= span.end) continue;
                    const TimeNs from = std::max(span.begin, calls.begin[call]);
                    const auto column =
                        static_cast<std::size_t>(picture.layout.scale.toX(from) - picture.layout.body.x);
                    INFO("location " << location << " call " << call << " column " << column);
                    REQUIRE(row.argb[row.argb.size() - static_cast<std::size_t>(row.columns) + column]
                            == colorOf(location, call));
                    ++seen;
                }
            }
            std::size_t work = 0;
            // Bands of work and of waiting stand in the order of regions.
            for (int column = 0; column < row.columns; ++column)
                for (std::size_t line = 0; line * 2 < row.heights.size(); ++line)
                    if (row.argb[line * static_cast<std::size_t>(row.columns)
                                 + static_cast<std::size_t>(column)]
                        == colorOf(0, 1)) {
                        ++work;
                        break;
                    }
            CHECK(work >= static_cast<std::size_t>(row.columns) * 95 / 100);
        }
    CHECK(seen > 1000);
}

namespace {

/// Steps that read a little and work; a long one reads for long at first, and what it calls covers it.
ExperimentPtr outliersInOutliers(int locations)
{
    test::ExperimentBuilder builder("nested");
    for (int location = 0; location < locations; ++location) {
        std::vector<test::Call> calls{{0, 0, "main", 0}};
        TimeNs now = 0;
        for (int step = 0; step < 300; ++step) {
            const std::size_t own = calls.size();
            calls.push_back({now, 0, "step", 1});
            const auto call = [&](const char* name, TimeNs length) {
                calls.push_back({now, now + length, name, 2});
                now += length;
            };
            call("read", step == 150 ? 600 : 10);
            for (int work = 0; work < (step == 150 ? 2000 : 1); ++work) call("work", 100);
            calls[own].end = now;
        }
        calls.front().end = now;
        builder.process("node", calls);
    }
    return builder.finish();
}

}  // namespace

TEST_CASE("a call much longer than usual keeps a pixel though another begins in its column, its callees "
          "cover it, or it began earlier")
{
    // Rows of several lanes, and lower ones of a single lane.
    for (const auto& [locations, height] : {std::pair{6, 500}, {60, 260}}) {
        const auto data = test::timelineDataOf({outliersInOutliers(locations)});
        const Experiment& experiment = *data->session.experiments[0];
        const RegionPalette palette = test::shownPalette(experiment, lightTheme());
        const CallIntervals& calls = experiment.trace->locations[0].intervals;
        const auto& outliers = data->indexes[0]->locations[0].outliers;
        REQUIRE(outliers.size() == 2);
        const TimeNs end = data->clock.extent.end, begin = outliers[0].begin;
        for (const TimeSpan span :
             {TimeSpan{0, end}, TimeSpan{begin + 300, end}, TimeSpan{begin - 2000, begin + 150'000}}) {
            const Picture picture = pictureOf(*data, span, 400, height);
            const PixelItem& row = picture.rows.front();
            REQUIRE((row.heights.size() == 1) == (locations == 60));
            for (const auto& [entry, leave, call, path] : outliers) {
                const auto columnAt = [&](TimeNs time) {
                    return static_cast<int>(picture.layout.scale.toX(time) - picture.layout.body.x);
                };
                bool seen = false;
                for (int column = std::max(0, columnAt(calls.begin[call]));
                     column <= std::min(columnAt(calls.end[call]), row.columns - 1); ++column)
                    for (std::size_t lane = 0; lane < row.heights.size(); ++lane)
                        seen |= isColor(
                            row.argb[lane * static_cast<std::size_t>(row.columns)
                                     + static_cast<std::size_t>(column)],
                            palette
                                .argb[experiment.callTree->region(CallPathId(calls.callPath[call])).index()]);
                INFO(locations << " locations, from " << span.begin << " to " << span.end << ", call "
                               << call);
                CHECK(seen);
            }
        }
    }
}

TEST_CASE("a call much longer than usual takes no pixel where its region is hidden")
{
    const auto data = test::timelineDataOf({steadyWithOutliers(5, 200), steadyWithOutliers(6, 1)});
    ViewState state;
    state.rows.collapsed = {{0, RowGroupKind::Experiment, 0}};
    const auto& regions = data->session.experiments[0]->definitions.regions;
    for (std::uint32_t region = 0; region < regions.size(); ++region)
        if (regions[region].name != "work")
            state.filters.push_back(
                regionFilter(FilterEffect::Hide, regions[region].name, {{0, RegionId(region)}}));
    const Picture picture = pictureOf(*data, {0, data->clock.extent.end}, 400, 120, 1, state);
    const PixelItem& row = picture.rows.front();
    const auto empty = static_cast<std::size_t>(std::count(row.argb.begin(), row.argb.end(), 0u));
    CHECK(empty < row.argb.size() / 8);  // what is hidden took some 4 % of the time
}

TEST_CASE("in colours of duration a call much longer than its region's usual has its own, though it is "
          "narrow or one of many")
{
    const test::PlainCanvas canvas(400, 300);
    for (const int locations : {3, 200, 700}) {
        const auto data = test::timelineDataOf({steadyWithOutliers(5, locations), steadyWithOutliers(6, 1)});
        ViewState state;
        state.colors = ColorMode::Duration;
        if (locations == 200) state.rows.collapsed = {{0, RowGroupKind::Experiment, 0}};
        const Picture picture = pictureOf(*data, {0, data->clock.extent.end}, 400, 300, 1, state);
        const CallColors colors(*data, state, false, Task());
        std::size_t seen = 0;
        for (std::uint32_t location = 0; location < static_cast<std::uint32_t>(locations); ++location) {
            const CallIntervals& calls = data->session.experiments[0]->trace->locations[location].intervals;
            const std::uint32_t bundle = location / TimelineIndex::kBundle * TimelineIndex::kBundle;
            const std::uint32_t middle =
                std::min(bundle + TimelineIndex::kBundle / 2, static_cast<std::uint32_t>(locations - 1));
            const PlacedRow* own =
                picture.layout.placeOf({0, LocationId(locations == 700 ? middle : location)});
            const double y = own ? own->y + own->height / 2
                                 : picture.layout.places.front().y + picture.layout.places.front().height - 3;
            for (const auto& [entry, leave, call, path] : data->indexes[0]->locations[location].outliers) {
                INFO(locations << " locations, location " << location << ", call " << call);
                const std::uint32_t shown = pixelAt(picture, y, calls.begin[call]);
                REQUIRE(isColor(shown, toArgb(colors.of({0, LocationId(location)}, call))));
                ++seen;
            }
        }
        CHECK(seen > 5);
    }
}

TEST_CASE("away from outliers a pixel shows the region that took most time in it or beside it")
{
    std::size_t ownColors[] = {0, 0, 0};  // of pixels beside each other, by the pixels that share a sample
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        const std::uint32_t columnPx = seed % 2 + 1;
        const int widestPx = 6;  // of a sample while the view moves, and of bands
        const auto data = test::timelineDataOf({test::experimentOfRandomCalls(seed, 400, 2, 7, 4)});
        const Experiment& experiment = *data->session.experiments[0];
        const RegionPalette palette = test::shownPalette(experiment, lightTheme());
        std::mt19937 random(seed);
        const TimeNs end = data->clock.extent.end;
        for (int round = 0; round < 6; ++round) {
            const TimeNs length = std::max<TimeNs>(end >> round, 50);
            const TimeNs begin =
                length >= end ? 0 : static_cast<TimeNs>(random() % static_cast<std::uint32_t>(end - length));
            const Picture picture = pictureOf(*data, {begin, begin + length}, 300, 40, columnPx);
            const double width = picture.layout.scale.nsPerPixel() * widestPx;
            for (std::uint32_t location = 0; location < 2; ++location) {
                const CallIntervals& calls = experiment.trace->locations[location].intervals;
                const PixelItem& row = picture.rows[location];
                for (int column = 0; column < row.columns; ++column) {
                    ownColors[columnPx] += column % 2 == 1
                        && row.argb[static_cast<std::size_t>(column)]
                            != row.argb[static_cast<std::size_t>(column - 1)];
                    const std::uint32_t shown =
                        row.argb[row.argb.size() - static_cast<std::size_t>(row.columns - column)];
                    if (shown == 0 || isColor(shown, toArgb(plain().theme.background))) continue;
                    // Some call of that colour overlaps the column or its neighbours.
                    const double from = static_cast<double>(begin) + (column / widestPx - 1) * width;
                    bool there = false;
                    for (std::uint32_t call = 0; call < calls.size() && !there; ++call) {
                        if (static_cast<double>(calls.begin[call]) >= from + 3 * width
                            || static_cast<double>(calls.end[call]) <= from - 1)
                            continue;
                        const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[call]));
                        // Or of its group, where many calls are in the column.
                        there = isColor(shown, palette.argb[region.index()])
                            || isColor(shown, toArgb(palette.colorOfGroup(region)));
                    }
                    INFO("seed " << seed << " round " << round << " column " << column);
                    REQUIRE(there);
                }
            }
        }
    }
    // Outliers and lines at entries still have pixels of their own.
    CHECK(3 * ownColors[1] > 4 * ownColors[2]);
}

TEST_CASE("calls that a search found, selected calls and marks are seen at every zoom, at least a pixel wide")
{
    for (const int locations : {3, 600}) {
        const auto data = test::timelineDataOf({test::experimentOfRandomCalls(11, 60, locations)});
        const Experiment& experiment = *data->session.experiments[0];
        std::mt19937 random(7);
        const TimeNs end = data->clock.extent.end;
        for (int round = 0; round < 40; ++round) {
            const TimeNs length = std::max<TimeNs>(end >> (round % 10), 20);
            const TimeNs begin =
                length >= end ? 0 : static_cast<TimeNs>(random() % static_cast<std::uint32_t>(end - length));
            ViewState state;
            state.visible = TimeSpan{begin, begin + length};
            const LocationId location(
                static_cast<std::uint32_t>(random() % static_cast<unsigned>(locations)));
            const CallIntervals& calls = experiment.trace->locations[location.index()].intervals;
            const IntervalRef call{0, location, static_cast<std::uint32_t>(random() % calls.size())};
            (round % 2 == 0 ? state.hits : state.selected.intervals) = {call};
            const TimeNs at = begin + static_cast<TimeNs>(random() % static_cast<std::uint32_t>(length));
            state.marks = {{{at, at + (round % 3 == 0 ? length / 7 : 0)}, ""}};
            const TimelineLayout layout = timelineLayout(*data, state, plain(), 400, 300, kMeasure);
            const DrawList list = timelineOverlay(*data, state, plain(), layout, kMeasure);
            const auto covers = [&](double x, const Rect& box) {
                return box.width >= 1 && box.x <= x + 1 && box.right() >= x - 1;
            };
            const auto drawn = [&](double x, double top, double bottom, Color color) {
                for (const RectItem& item : test::itemsOf<RectItem>(list))
                    if ((item.fill == color || item.stroke == color) && covers(x, item.rect)
                        && item.rect.height >= 1 && item.rect.y <= bottom + 1
                        && item.rect.bottom() >= top - 1)
                        return true;
                return false;
            };
            INFO(locations << " locations, round " << round);
            const TimeSpan span{calls.begin[call.index], calls.end[call.index]};
            const PlacedRow* place = layout.placeOf({0, location});
            REQUIRE(place);
            if (span.begin < begin + length && span.end >= begin && place->y < layout.body.bottom()) {
                const double x = layout.scale.toX(
                    std::clamp((std::max(span.begin, begin) + std::min(span.end, begin + length)) / 2, begin,
                               begin + length));
                CHECK(drawn(x, place->y, place->y + place->height, plain().theme.accent));
            }
            const auto rects = test::itemsOf<RectItem>(list);
            CHECK(std::any_of(rects.begin(), rects.end(), [&](const RectItem& item) {
                return covers(layout.scale.toX(at), item.rect) && item.rect.height >= layout.body.height / 2
                    && item.rect.width < 3 + layout.scale.toX(at + length / 7) - layout.scale.toX(at);
            }));
        }
    }
}

TEST_CASE(
    "of the calls that a search found the selected one has a larger triangle, filled and above all others")
{
    const auto data = test::timelineDataOf({test::experimentOfRandomCalls(3, 60, 3)});
    ViewState state;
    state.hits = {{0, LocationId(0), 5}, {0, LocationId(1), 7}, {0, LocationId(2), 9}};
    state.selected.intervals = {state.hits[1]};
    const TimelineLayout layout = timelineLayout(*data, state, plain(), 400, 300, kMeasure);
    const auto triangles =
        test::itemsOf<PolygonItem>(timelineOverlay(*data, state, plain(), layout, kMeasure));
    REQUIRE(triangles.size() == 3);
    const auto width = [](const PolygonItem& triangle) {
        return triangle.points[1].x - triangle.points[0].x;
    };
    const PlacedRow* row = layout.placeOf({0, LocationId(1)});
    CHECK(triangles[2].fill == plain().theme.accent);
    CHECK(triangles[2].points[0].y >= row->y);
    CHECK(triangles[2].points[0].y <= row->y + row->height);
    for (const std::size_t other : {0, 1}) {
        CHECK_FALSE(triangles[other].fill == plain().theme.accent);
        CHECK(width(triangles[other]) < width(triangles[2]));
    }
}

}  // namespace skein::timeline_rare_test
