// SPDX-License-Identifier: GPL-3.0-or-later
// A quarter of the time is a quarter of the area: pictures beside sums over all calls.
#include "views/common/scene/calls/share_bands.h"

#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/palette.h"
#include "views/timeline/timeline_scene.h"

#include <cmath>
#include <map>

namespace skein::share_bands_test {

namespace {

constexpr int kWidth = 900, kHeight = 400;
const ApproximateTextMeasure kMeasure(12);

struct Picture {
    TimelineLayout layout;
    std::vector<PixelItem> rows;
};

Picture pictureOf(const TimelineData& data, const ViewState& state, PictureDetail detail,
                  int height = kHeight)
{
    TimelineOptions options;
    options.theme = lightTheme();
    options.messages = MessageDisplay::Hidden;
    options.detail = detail;
    return {timelineLayout(data, state, options, kWidth, height, kMeasure),
            test::itemsOf<PixelItem>(timelineScene(data, state, options, kWidth, height, kMeasure, Task()))};
}

/// Part of a row's area that each colour takes.
std::map<std::uint32_t, double> areasOf(const PixelItem& row)
{
    std::map<std::uint32_t, double> areas;
    double height = 0;
    for (const int line : row.heights) height += line;
    for (std::size_t line = 0; line < row.heights.size(); ++line)
        for (int column = 0; column < row.columns; ++column)
            areas[row.argb[line * static_cast<std::size_t>(row.columns)
                           + static_cast<std::size_t>(column)]] += row.heights[line] / height / row.columns;
    return areas;
}

/// Part of the time of the first locations that each region takes.
std::map<std::uint32_t, double> partsOf(const Experiment& experiment, std::size_t locations, TimeSpan span)
{
    std::map<std::uint32_t, double> parts;
    for (std::size_t location = 0; location < locations; ++location) {
        const CallIntervals& calls = experiment.trace->locations[location].intervals;
        const auto overlap = [&](std::uint32_t call) {
            return static_cast<double>(std::max<TimeNs>(
                0, std::min(calls.end[call], span.end) - std::max(calls.begin[call], span.begin)));
        };
        for (std::uint32_t call = 0; call < calls.size(); ++call) {
            double own = overlap(call);
            for (std::uint32_t below = call + 1;
                 below < calls.size() && calls.depth[below] > calls.depth[call]; ++below)
                if (calls.depth[below] == calls.depth[call] + 1) own -= overlap(below);
            parts[experiment.callTree->region(CallPathId(calls.callPath[call])).value()] +=
                own / static_cast<double>(span.lengthNs()) / static_cast<double>(locations);
        }
    }
    return parts;
}

void checkAreas(const Experiment& experiment, const PixelItem& row, std::size_t locations, TimeSpan span)
{
    const RegionPalette palette = test::shownPalette(experiment, lightTheme());
    const auto areas = areasOf(row);
    for (const auto& [region, part] : partsOf(experiment, locations, span)) {
        const auto found = areas.find(palette.argb[region]);
        INFO("region " << region << " of " << locations << " locations takes " << part);
        CHECK((found == areas.end() ? 0 : found->second) == Approx(part).margin(0.04));
    }
}

ColumnSample sampleOf(std::uint32_t first, float firstNs, std::uint32_t second, float secondNs, float wholeNs)
{
    ColumnSample sample;
    sample.callPath = first;
    sample.timeNs = firstNs;
    sample.second = second;
    sample.secondNs = secondNs;
    sample.wholeNs = wholeNs;
    sample.holdsMany = true;
    return sample;
}

/// Two regions, "a" and "b", in one location.
struct Bands {
    ExperimentPtr experiment =
        test::ExperimentBuilder("run").process("node", {{0, 8, "a", 0}, {8, 16, "b", 0}}).finish();
    RegionPalette palette = test::shownPalette(*experiment, lightTheme());
    LaneTable table{*experiment, 0, {}, palette, lightTheme().background, 1};
    ShareBands bands{*experiment, 0, {}, palette, lightTheme().background, table};

    /// Each sample six columns wide, as bands are.
    PixelItem divided(const std::vector<ColumnSample>& samples, int height,
                      const std::vector<std::size_t>& alone = {})
    {
        std::vector<ColumnSample> columns;
        for (const ColumnSample& sample : samples) columns.insert(columns.end(), 6, sample);
        PixelItem pixels{0, 0, static_cast<int>(columns.size()), {height}, {}, {}};
        bands.divide(pixels, columns, std::vector<std::uint8_t>(columns.size(), 1), 1, alone);
        return pixels;
    }
};

}  // namespace

TEST_CASE(
    "the area of a region is its part of the time, in a row of one location, of a bundle, and of thousands")
{
    for (const auto& [locations, calls] : {std::pair{1, 60'000}, {64, 4'000}, {2'000, 150}}) {
        // Two regions: nothing is the rest, which has the colour of its group.
        const ExperimentPtr many =
            test::experimentOfRandomCalls(7, static_cast<std::size_t>(calls), locations, 2, 4);
        const auto data = test::timelineDataOf({many, test::experimentOfRandomCalls(8, 50, 1)});
        ViewState state;
        if (locations > 1) state.rows.collapsed = {{0, RowGroupKind::Experiment, 0}};
        const TimeNs end = many->trace->extent.end;
        for (const TimeSpan span : {TimeSpan{0, end}, TimeSpan{end / 4, end / 2}}) {
            state.visible = span;
            checkAreas(*many, pictureOf(*data, state, {}).rows.front(), static_cast<std::size_t>(locations),
                       span);
        }
    }
}

TEST_CASE("with many regions all bands together take the part of the time that was in any call")
{
    const ExperimentPtr many = test::experimentOfRandomCalls(9, 4'000, 64, 12, 4);
    const auto data = test::timelineDataOf({many, test::experimentOfRandomCalls(8, 50, 1)});
    ViewState state;
    state.rows.collapsed = {{0, RowGroupKind::Experiment, 0}};
    state.visible = TimeSpan{0, many->trace->extent.end};
    const auto areas = areasOf(pictureOf(*data, state, {}).rows.front());
    double busy = 0;
    for (const auto& [region, part] : partsOf(*many, 64, *state.visible)) busy += part;
    // Outliers have the lowest sixth to themselves.
    CHECK(1 - areas.at(0) == Approx(busy).margin(0.06));
    const RegionPalette palette = test::shownPalette(*many, lightTheme());
    CHECK(areas.at(toArgb(palette.colorOfGroup(RegionId(0)))) > 0.2);
}

TEST_CASE("bands stand in the order of regions, whichever is larger, and what is free is below")
{
    Bands bands;
    ColumnSample nothing;
    nothing.wholeNs = 100;
    const PixelItem pixels = test::expanded(
        bands.divided({sampleOf(0, 60, 1, 20, 100), sampleOf(1, 50, 0, 25, 100), nothing}, 40));
    const std::uint32_t a = bands.palette.argb[0], b = bands.palette.argb[1];
    std::map<std::uint32_t, int> heights[3];
    std::vector<std::uint32_t> order[3];
    for (std::size_t line = 0; line < pixels.heights.size(); ++line)
        for (std::size_t column = 0; column < 3; ++column) {
            const std::uint32_t color = pixels.argb[line * 18 + 6 * column + 1];
            heights[column][color] += pixels.heights[line];
            if (order[column].empty() || order[column].back() != color) order[column].push_back(color);
        }
    const bool isFirst = order[0].front() == a;
    CHECK(order[0] == std::vector<std::uint32_t>{isFirst ? a : b, isFirst ? b : a, 0});
    CHECK(order[1] == order[0]);
    CHECK(order[2] == std::vector<std::uint32_t>{0});
    CHECK(heights[0][a] == Approx(24).margin(2));
    CHECK(heights[0][b] == Approx(8).margin(2));
    CHECK(heights[1][b] == Approx(20).margin(2));
}

TEST_CASE("columns beside each other share their bands: the two regions with most time in all of them, and "
          "the rest")
{
    Bands bands;
    PixelItem pixels{0, 0, 4, {40}, std::vector<std::uint32_t>(4), {}};
    const std::vector<ColumnSample> columns{sampleOf(0, 100, 1, 0, 100), sampleOf(1, 100, 0, 0, 100),
                                            sampleOf(0, 100, 1, 0, 100), sampleOf(0, 100, 1, 0, 100)};
    bands.bands.divide(pixels, columns, std::vector<std::uint8_t>(4, 1), 1);
    pixels = test::expanded(std::move(pixels));
    const auto areas = areasOf(pixels);
    CHECK(areas.at(bands.palette.argb[0]) == Approx(0.75).margin(0.04));
    CHECK(areas.at(bands.palette.argb[1]) == Approx(0.25).margin(0.04));
    for (std::size_t line = 0; line < pixels.heights.size(); ++line)
        CHECK(pixels.argb[line * 4] == pixels.argb[line * 4 + 3]);
}

TEST_CASE("columns that share their bands are one value, but for those that are to stay alone")
{
    Bands bands;
    const std::vector<ColumnSample> samples{sampleOf(0, 60, 1, 20, 100), sampleOf(1, 50, 0, 25, 100),
                                            sampleOf(0, 10, 1, 80, 100), sampleOf(0, 10, 1, 80, 100)};
    for (const int height : {40, 3}) {
        const PixelItem wide = bands.divided(samples, height);
        CHECK(wide.widths == std::vector<int>{6, 6, 6, 6});
        CHECK(wide.argb.size() == 4 * wide.heights.size());
        const PixelItem cut = bands.divided(samples, height, {0, 8, 9, 23});
        CHECK(cut.widths == std::vector<int>{1, 5, 2, 1, 1, 2, 6, 5, 1});
        std::vector<std::size_t> most;
        for (std::size_t column = 0; column < 24; column += 2) most.push_back(column);
        const PixelItem fine = bands.divided(samples, height, most);
        CHECK(fine.widths.empty());
        for (const PixelItem& same : {cut, fine}) {
            CHECK(same.heights == wide.heights);
            CHECK(test::expanded(same).argb == test::expanded(wide).argb);
        }
    }
}

TEST_CASE("of more groups than there are bands for the smallest are left free, whichever come first")
{
    test::ExperimentBuilder builder("run");
    std::vector<test::Call> calls;
    for (int region = 0; region < 7; ++region)
        calls.push_back({8 * region, 8 * region + 8, "region " + std::to_string(region), 0});
    const ExperimentPtr experiment = builder.process("node", calls).finish();
    RegionPalette palette = test::shownPalette(*experiment, lightTheme());
    // Each in a group of its own.
    for (std::uint32_t region = 0; region < 7; ++region) palette.groups[region] = region;
    palette.groupColors.clear();
    for (std::uint8_t group = 0; group < 7; ++group) palette.groupColors.push_back({group, 1, 2, 255});
    const LaneTable table(*experiment, 0, {}, palette, lightTheme().background, 1);
    const ShareBands bands(*experiment, 0, {}, palette, lightTheme().background, table);
    const std::vector<ColumnSample> columns{sampleOf(0, 50, 1, 20, 100), sampleOf(2, 1, 3, 1, 100),
                                            sampleOf(4, 1, 5, 60, 100),  sampleOf(0, 50, 1, 20, 100),
                                            sampleOf(0, 50, 1, 20, 100), sampleOf(0, 50, 1, 20, 100)};
    PixelItem pixels{0, 0, 6, {160}, {}, {}};
    bands.divide(pixels, columns, std::vector<std::uint8_t>(6, 1), 1);
    const auto areas = areasOf(test::expanded(pixels));
    REQUIRE(areas.contains(toArgb(palette.groupColors[5])));
    CHECK(areas.at(toArgb(palette.groupColors[5])) == Approx(0.10).margin(0.04));
}

TEST_CASE("rows too low for bands mix their colours by share in linear light")
{
    Bands bands;
    const auto colorOf = [&](float a, float b) {
        return bands.divided({sampleOf(0, a, 1, b, 100)}, 3).argb[0];
    };
    CHECK(colorOf(100, 0) == bands.palette.argb[0]);
    const auto linear = [](std::uint32_t argb, int shift) {
        const double part = (argb >> shift & 0xFF) / 255.0;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    const std::uint32_t half = colorOf(50, 50);
    for (const int shift : {0, 8, 16})
        CHECK(linear(half, shift)
              == Approx((linear(bands.palette.argb[0], shift) + linear(bands.palette.argb[1], shift)) / 2)
                     .margin(0.01));
}

TEST_CASE("short gaps between crowded columns are closed, and short stretches of them left out")
{
    std::vector<ColumnSample> columns(40);
    const auto crowd = [&](std::size_t from, std::size_t to) {
        for (std::size_t column = from; column < to; ++column) columns[column].holdsMany = true;
    };
    crowd(3, 5);
    crowd(12, 20);
    crowd(23, 30);
    crowd(36, 40);
    const auto divided = ShareBands::crowded(columns);
    for (std::size_t column = 0; column < columns.size(); ++column) {
        INFO("column " << column);
        CHECK((divided[column] != 0) == ((column >= 12 && column < 30) || column >= 36));
    }
}

}  // namespace skein::share_bands_test
