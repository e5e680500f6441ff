// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overview_scene.h"

#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/color/palette.h"

#include <set>

namespace skein::overview_scene_test {

namespace {

/// 1000 ns on two ranks: main { solve }, one message.
ExperimentPtr twoRanks()
{
    return test::ExperimentBuilder("run")
        .process("n0", {{0, 1000, "main", 0}, {500, 1000, "solve", 1}})
        .process("n1", {{0, 500, "main", 0}})
        .message(0, 150, 1, 850, 64)
        .finish();
}

/// `processes` ranks of two threads each, four ranks a node.
ExperimentPtr manyRanks(int processes)
{
    test::ExperimentBuilder builder("many");
    for (int process = 0; process < processes; ++process)
        builder.process("node " + std::to_string(process % 4), {{0, 1000, "main", 0}})
            .thread({{0, 1000, "work", 0}});
    return builder.finish();
}

std::size_t rowsOf(const OverviewLayout& layout) { return layout.blocks.front().rows.size(); }

}  // namespace

TEST_CASE("the overview has a row a location, dark where the stack is deep")
{
    const auto data = test::timelineDataOf({twoRanks()});
    const test::PlainCanvas plain(900, 160);
    const OverviewLayout layout = overviewLayout(*data, plain.canvas);
    REQUIRE(layout.blocks.size() == 1);
    REQUIRE(rowsOf(layout) == 2);
    const OverviewOptions depth{OverviewContent::Depth, RegionGrouping::Role, {}};
    const DrawList list = overviewScene(*data, depth, plain.canvas, Task());
    const auto pixels = test::itemsOf<PixelItem>(list);
    REQUIRE(pixels.size() == 2);  // the rows and the scale of depths
    const PixelItem& rows = pixels.front();
    const auto columns = static_cast<std::size_t>(rows.columns);
    const std::uint32_t one = toArgb(depthColor(lightTheme(), 1, 2));
    const std::uint32_t two = toArgb(depthColor(lightTheme(), 2, 2));
    CHECK(rows.argb[columns / 4] == one);
    CHECK(rows.argb[3 * columns / 4] == two);
    // The second line is the gap between the rows, the third one the other row.
    REQUIRE(rows.heights.size() == 4);
    CHECK(rows.argb[2 * columns + columns / 4] == one);
    CHECK(rows.argb[2 * columns + 3 * columns / 4] == 0);
    for (const char* text : {"2 locations", "sent (up)", "received (down)", "Time", "Call depth  1"}) {
        INFO(text);
        CHECK(test::shows(list, text));
    }
}

TEST_CASE("the overview shows what groups each location is in, and follows filters")
{
    const auto data =
        test::timelineDataOf({test::ExperimentBuilder("run")
                                  .process("n0", {{0, 1000, "main", 0}, {500, 1000, "MPI_Wait", 1}})
                                  .process("n1", {{0, 1000, "main", 0}})
                                  .paradigm("MPI_Wait", Paradigm::Mpi)
                                  .finish()});
    const test::PlainCanvas plain(900, 160);
    const auto rowsOfScene = [&](const std::vector<Filter>& filters) {
        return test::itemsOf<PixelItem>(overviewScene(
            *data, {OverviewContent::Groups, RegionGrouping::Role, filters}, plain.canvas, Task()));
    };
    const auto at = [](const PixelItem& row, double part) {
        const auto columns = static_cast<std::size_t>(row.columns);
        return row.argb[static_cast<std::size_t>(part * static_cast<double>(columns))];
    };
    const std::uint32_t user = toArgb(groupColor(PaletteGroup::User, lightTheme()));
    const std::uint32_t mpi = toArgb(groupColor(PaletteGroup::Mpi, lightTheme()));
    const auto rows = rowsOfScene({});
    REQUIRE(rows.size() == 2);
    CHECK(at(rows[0], 0.25) == user);
    CHECK(at(rows[0], 0.75) == mpi);
    CHECK(at(rows[1], 0.75) == user);
    const DrawList list = overviewScene(*data, {}, plain.canvas, Task());
    CHECK(test::shows(list, "Application"));
    CHECK(test::shows(list, "MPI"));
    // Without MPI its time is its caller's; a hidden location has no row.
    const auto hidden = rowsOfScene({regionFilter(FilterEffect::Hide, "MPI", {{0, RegionId(1)}}),
                                     locationFilter(FilterEffect::Hide, "n1", {{0, LocationId(1)}})});
    REQUIRE(hidden.size() == 1);
    CHECK(at(hidden[0], 0.75) == user);
}

TEST_CASE("the overview's histogram has a bar for a send and one for a receive, at their times")
{
    const auto data = test::timelineDataOf({twoRanks()});
    const test::PlainCanvas plain(900, 160);
    const OverviewLayout layout = overviewLayout(*data, plain.canvas);
    const Rect& area = layout.histogram;
    std::vector<Rect> bars;
    for (const RectItem& item : test::itemsOf<RectItem>(overviewScene(*data, {}, plain.canvas, Task())))
        if (item.rect.y >= area.y && item.rect.bottom() <= area.bottom() && item.rect.height > 2
            && item.rect.width < area.width)
            bars.push_back(item.rect);
    REQUIRE(bars.size() == 2);
    CHECK(std::abs(bars[0].x - layout.scale.toX(150)) <= 1);
    CHECK(std::abs(bars[1].x - layout.scale.toX(850)) <= 1);
    CHECK(bars[0].bottom() <= bars[1].y);  // sent above the line, received below
}

TEST_CASE("where locations are more than pixels, a row of the overview is a process, a node, or a run of "
          "neighbours")
{
    const auto data = test::timelineDataOf({manyRanks(60)});
    const auto rowsAt = [&](int height) {
        const test::PlainCanvas plain(600, height);
        const OverviewLayout layout = overviewLayout(*data, plain.canvas);
        std::set<LocationId> seen;
        for (const auto& row : layout.blocks.front().rows) seen.insert(row.begin(), row.end());
        CHECK(seen.size() == 120);
        CHECK(layout.blocks.front().tops.size() == rowsOf(layout) + 1);
        CHECK(rowsOf(layout) <= static_cast<std::size_t>(layout.body.height));
        return rowsOf(layout);
    };
    CHECK(rowsAt(400) == 120);
    CHECK(rowsAt(140) == 60);
    CHECK(rowsAt(80) == 4);
    const auto flat = test::timelineDataOf({test::experimentOfRandomCalls(1, 10, 500)});
    const test::PlainCanvas plain(600, 100);
    const OverviewLayout layout = overviewLayout(*flat, plain.canvas);
    CHECK(rowsOf(layout) == static_cast<std::size_t>(layout.body.height));
}

TEST_CASE("components of a workflow stand in blocks of their own in the overview")
{
    const auto data = test::timelineDataOf({twoRanks(), manyRanks(3)});
    const test::PlainCanvas plain(900, 200);
    const OverviewLayout layout = overviewLayout(*data, plain.canvas);
    REQUIRE(layout.blocks.size() == 2);
    CHECK(layout.blocks[0].rect.bottom() < layout.blocks[1].rect.y);
    CHECK(layout.blocks[1].rect.bottom() <= layout.body.bottom() + 1);
    const DrawList list = overviewScene(*data, {}, plain.canvas, Task());
    CHECK(test::shows(list, "run"));
    CHECK(test::shows(list, "many"));
}

TEST_CASE("texts of the overview can be read at every size")
{
    const auto data = test::timelineDataOf({twoRanks(), manyRanks(30)});
    for (const int width : {260, 600, 1600, 3840})
        for (const int height : {84, 130, 300}) {
            const test::PlainCanvas plain(width, height);
            INFO(width << " x " << height);
            CHECK(test::unreadable(overviewScene(*data, {}, plain.canvas, Task()), plain.measure) == "");
        }
}

TEST_CASE("the overview frames the visible window, and its edges and middle can be gripped")
{
    const auto data = test::timelineDataOf({twoRanks()});
    const test::PlainCanvas plain(900, 160);
    const OverviewLayout layout = overviewLayout(*data, plain.canvas);
    ViewState state;
    const double y = layout.body.y + 10;
    const auto gripAt = [&](TimeNs time, double height) {
        return overviewGrip(*data, state, layout, plain.canvas, {layout.scale.toX(time), height});
    };
    CHECK(gripAt(500, y) == WindowGrip::New);  // a frame around everything can't be moved
    state.visible = TimeSpan{300, 600};
    CHECK(gripAt(300, y) == WindowGrip::Begin);
    CHECK(gripAt(600, y) == WindowGrip::End);
    CHECK(gripAt(450, y) == WindowGrip::Whole);
    CHECK(gripAt(450, layout.header.bottom() + 2)
          == WindowGrip::Whole);  // the frame goes around the messages, too
    CHECK(gripAt(800, y) == WindowGrip::New);
    CHECK(gripAt(450, layout.ruler.y + 2) == WindowGrip::New);
    CHECK_FALSE(overviewGrip(*data, state, layout, plain.canvas, {10, y}).has_value());
    const DrawList overlay = overviewOverlay(*data, state, layout, std::nullopt, plain.canvas);
    bool framed = false;
    for (const RectItem& item : test::itemsOf<RectItem>(overlay))
        if (item.stroke == lightTheme().accent && item.strokeWidth == 2) {
            framed = true;
            CHECK(std::abs(item.rect.x - layout.scale.toX(300)) <= 2);
            CHECK(std::abs(item.rect.right() - layout.scale.toX(600)) <= 2);
        }
    CHECK(framed);
}

TEST_CASE("the overview says what is under the pointer")
{
    const auto data = test::timelineDataOf({manyRanks(60)});
    const test::PlainCanvas tall(600, 400);
    const OverviewLayout rows = overviewLayout(*data, tall.canvas);
    const Point first{rows.scale.toX(500), static_cast<double>(rows.blocks[0].tops[0])};
    CHECK(overviewLocation(rows, first) == LocationRef{0, LocationId(0)});
    CHECK(overviewTooltip(*data, rows, first).front() == "Rank 0");
    const test::PlainCanvas low(600, 140);
    const OverviewLayout groups = overviewLayout(*data, low.canvas);
    const Point merged{groups.scale.toX(500), static_cast<double>(groups.blocks[0].tops[0])};
    CHECK_FALSE(overviewLocation(groups, merged).valid());
    CHECK(overviewTooltip(*data, groups, merged).front() == "Rank 0 to Rank 0 Thread 1 (2 locations)");
}

}  // namespace skein::overview_scene_test
