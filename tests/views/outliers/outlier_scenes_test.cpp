// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outlier_calls_scene.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/outliers/outlier_ranks_scene.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace skein::outlier_scenes_test {

namespace {

/// Ranks of 300 calls of 1 µs each every 100 µs; rank r has r calls of 40 µs + 1 µs · r instead.
TimelineDataPtr ranks(int count)
{
    test::ExperimentBuilder builder("ranks");
    for (int rank = 0; rank < count; ++rank) {
        std::vector<test::Call> calls;
        for (int call = 0; call < 300; ++call) {
            const TimeNs begin = call * 100'000 + rank * 1000;
            calls.push_back({begin, begin + (call < rank ? 40'000 + 1000 * rank : 1000), "work", 0});
        }
        builder.process("node", calls);
    }
    return test::timelineDataOf({builder.finish()});
}

OutlierDataPtr outliersOf(const TimelineDataPtr& data, const ViewState& state = {}, bool selectedOnly = false)
{
    const OutlierSourcePtr source = *makeOutlierSource(data, Task());
    return *makeOutlierData(source, outlierRequest(*data, state, scopeOf(state), selectedOnly), Task());
}

/// Dots of the data: round, and within a part of the picture.
std::vector<RectItem> dotsIn(const DrawList& list, const Rect& part)
{
    std::vector<RectItem> dots;
    for (const RectItem& item : test::itemsOf<RectItem>(list))
        if (item.radius > 0 && part.contains({item.rect.x + item.radius, item.rect.y + item.radius}))
            dots.push_back(item);
    return dots;
}

}  // namespace

TEST_CASE("a dot a call stands at its entry and duration in the colour of its rank")
{
    const TimelineDataPtr data = ranks(4);
    const OutlierDataPtr outliers = outliersOf(data);
    REQUIRE(outliers->total == 6);
    const test::PlainCanvas plain(900, 500);
    const OutlierCallsLayout layout = outlierCallsLayout(*outliers, {}, plain.canvas);
    const DrawList list = outlierCallsScene(*outliers, {}, plain.canvas, Task());
    const auto dots = dotsIn(list, layout.frame.body);
    REQUIRE(dots.size() == 6);
    std::size_t matched = 0;
    for (const OutlierPoint& point : outliers->points) {
        CHECK(point.durationNs == 40'000 + 1000 * TimeNs{point.call.location.value()});
        CHECK(point.begin == 100'000 * TimeNs{point.call.index} + 1000 * TimeNs{point.call.location.value()});
        const double x = layout.frame.scale.toX(point.begin);
        const Color color = rankColor(lightTheme(), point.call.location.value(), 4);
        matched += std::any_of(dots.begin(), dots.end(), [&](const RectItem& dot) {
            return std::abs(dot.rect.x + dot.radius - x) < 0.01 && dot.fill == color;
        });
        CHECK(outlierCallAt(*outliers, layout, layout.at(point), 1) == &point);
    }
    CHECK(matched == 6);
    CHECK(test::unreadable(list, plain.measure).empty());
    CHECK(test::shows(list, "10 µs"));
    const auto lines = outlierTooltip(*outliers->source, outliers->points.back());
    CHECK(lines[0] == "work");
    CHECK(lines[1] == "Rank 3");
    CHECK(lines[2].starts_with("43 µs, "));
    CHECK(lines[3].starts_with("entered at "));
}

TEST_CASE("behind the dots every call leaves its grey, within few shapes")
{
    const OutlierDataPtr outliers = outliersOf(ranks(4));
    CHECK(std::accumulate(outliers->density.calls.begin(), outliers->density.calls.end(), 0.0f) == 1200);
    const test::PlainCanvas plain(900, 500);
    const DrawList list = outlierCallsScene(*outliers, {}, plain.canvas, Task());
    const auto blocks = test::itemsOf<PixelItem>(list);
    REQUIRE(blocks.size() == 1);
    int height = 0;
    for (const int each : blocks[0].heights) height += each;
    CHECK(height == static_cast<int>(outlierCallsLayout(*outliers, {}, plain.canvas).frame.body.height));
    CHECK(std::count_if(blocks[0].argb.begin(), blocks[0].argb.end(),
                        [](std::uint32_t argb) { return argb != 0; })
          >= 300);
    CHECK(list.items.size() < 500);
}

TEST_CASE("outliers are those of the visible span that no filter hides, and of the selected regions where "
          "only these are wanted")
{
    const TimelineDataPtr data = ranks(4);
    ViewState state;
    state.visible = TimeSpan{100'000, 200'000};
    CHECK(outliersOf(data, state)->total == 2);
    state.visible.reset();
    state.filters = {Filter{"", FilterEffect::Hide, {}, {{0, LocationId(3)}}}};
    CHECK(outliersOf(data, state)->total == 3);
    state.filters = {Filter{"", FilterEffect::Hide, {{0, RegionId(0)}}, {}}};
    CHECK(outliersOf(data, state)->total == 0);
    CHECK(outliersOf(data, state)->points.empty());
    state.filters.clear();
    CHECK(outliersOf(data, state, true)->total == 6);  // nothing is selected
    state.selected.regions = {{0, RegionId(0)}};
    CHECK(outliersOf(data, state, true)->total == 6);
}

TEST_CASE("a dot a location stands at its number of outliers and their time beyond the usual")
{
    const OutlierDataPtr outliers = outliersOf(ranks(5));
    REQUIRE(outliers->ranks.size() == 4);
    const test::PlainCanvas plain(700, 400);
    const OutlierRanksLayout layout = outlierRanksLayout(*outliers, plain.canvas);
    const DrawList list = outlierRanksScene(*outliers, plain.canvas, Task());
    CHECK(dotsIn(list, layout.body).size() == 4);
    for (const OutlierRank& rank : outliers->ranks) {
        CHECK(rank.calls == rank.location.id.value());
        double excess = 0;
        for (const OutlierPoint& point : outliers->points)
            if (point.call.location == rank.location.id) excess += point.excessNs();
        CHECK(std::abs(rank.excessNs - excess) < 1e-6 * excess);
        CHECK(outlierRankAt(*outliers, layout, layout.at(rank), 1) == &rank);
    }
    CHECK(test::unreadable(list, plain.measure).empty());
    for (const char* name : {"Rank 1", "Rank 4"}) CHECK(test::shows(list, name));
    CHECK(outlierTooltip(*outliers->source, outliers->ranks.back())[1] == "4 calls much longer than usual");
}

TEST_CASE("axes from nanoseconds to seconds have readable ticks")
{
    const PlotAxis axis{1, 1e9, true};
    for (const double length : {60.0, 300.0, 2000.0}) {
        const std::vector<double> ticks = axis.ticks(length, 16, "ns");
        INFO(length);
        CHECK(ticks.size() >= 2);
        for (std::size_t tick = 1; tick < ticks.size(); ++tick)
            CHECK((axis.part(ticks[tick]) - axis.part(ticks[tick - 1])) * length >= 15.9);
    }
    CHECK_FALSE(plotAxis(3, 40).logarithmic);
    CHECK(plotAxis(3, 400).logarithmic);
    CHECK(plotAxis(3, 40).low == 0);
    CHECK(plotAxis(30, 40).part(30) < 0.2);
    CHECK(plotAxis(30, 40).part(40) > 0.8);
}

TEST_CASE("the colours of ranks are told apart from each other and from the background")
{
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        std::set<std::uint32_t> colors;
        for (std::uint32_t place = 0; place < 8; ++place) {
            colors.insert(toArgb(rankColor(theme, place, 8)));
            CHECK(contrast(rankColor(theme, place, 8), theme.background) > 2.5);
        }
        CHECK(colors.size() == 8);
    }
}

}  // namespace skein::outlier_scenes_test
