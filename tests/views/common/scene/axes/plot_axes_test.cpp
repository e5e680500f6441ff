// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/plot_axes.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"

#include <algorithm>

namespace skein::plot_axes_test {

TEST_CASE("plot axes: round values stand beside their places, and at any size none covers another")
{
    for (const auto& [width, height] : {std::pair(900, 400), std::pair(300, 160), std::pair(120, 60)}) {
        const test::PlainCanvas plain(width, height);
        const Rect field{10, 10, width - 20.0, height - 20.0};
        const PlotFrame frame =
            plotFrame(field, {0, 5'000, "links", {}, true}, {0, 3.5 * 1024 * 1024, "B"}, plain.canvas);
        DrawList list;
        list.width = width;
        list.height = height;
        drawPlotFrame(list, frame, plain.canvas);
        CHECK(test::unreadable(list, plain.measure) == "");
        CHECK(frame.plot.x >= field.x);
        CHECK(frame.plot.right() == Approx(field.right()));
        CHECK(frame.at(0, 0).x == frame.plot.x);
        CHECK(frame.at(0, 0).y == frame.plot.bottom());
        CHECK(frame.at(5'000, 3.5 * 1024 * 1024).y == Approx(frame.plot.y));
        CHECK(frame.at(9'999, 0).x == Approx(frame.plot.right()));
        for (const TextItem& text : test::itemsOf<TextItem>(list)) {
            if (text.text != "2 MiB") continue;
            CHECK(text.box.y + text.box.height / 2 == Approx(frame.toY(2 * 1024 * 1024)).margin(1));
            CHECK(text.box.right() <= frame.plot.x);
        }
    }
}

TEST_CASE("plot axes: values of a field do not stand in the one at its left")
{
    const test::PlainCanvas plain(500, 100);
    const Rect field{400, 10, 60, 80};
    DrawList list;
    drawPlotFrame(list, plotFrame(field, {0, 10, ""}, {0, 12'345'678, "of something long"}, plain.canvas),
                  plain.canvas);
    for (const TextItem& text : test::itemsOf<TextItem>(list)) {
        INFO(text.text);
        CHECK(text.box.x >= field.x);
    }
    REQUIRE_FALSE(test::itemsOf<LineItem>(list).empty());
}

TEST_CASE("plot axes: wide pictures show values of both axes, and whole axes no halves")
{
    const test::PlainCanvas plain(900, 400);
    DrawList list;
    const PlotFrame frame =
        plotFrame({0, 0, 900, 400}, {0, 2, "ranks", {}, true}, {-1, 1, "ns"}, plain.canvas);
    drawPlotFrame(list, frame, plain.canvas);
    CHECK(frame.acrossTicks == std::vector<double>{0, 1, 2});
    for (const char* text : {"0 ranks", "1 ranks", "2 ranks"}) CHECK(test::shows(list, text));
    CHECK(frame.upTicks.size() > 2);
    CHECK(frame.toY(0) == Approx(frame.plot.y + frame.plot.height / 2));
}

TEST_CASE("plot axes: amounts stand in descending order over their number, the greatest at the left end")
{
    const test::PlainCanvas plain(400, 200);
    const PlotFrame frame = plotFrame({0, 0, 400, 200}, {0, 4, ""}, {0, 40, "B"}, plain.canvas);
    DrawList list;
    drawDescending(list, frame, {10, 40, 0, 20}, Color{1, 2, 3, 255}, 1);
    const auto lines = test::itemsOf<LineItem>(list);
    REQUIRE(lines.size() == 8);
    std::vector<double> levels;
    for (std::size_t i = 1; i < lines.size(); i += 2) levels.push_back(lines[i].to.y);
    CHECK(levels == std::vector<double>{frame.toY(40), frame.toY(20), frame.toY(10), frame.toY(0)});
    CHECK(lines[1].to.x == Approx(frame.toX(1)));
    DrawList none;
    drawDescending(none, frame, {}, Color{}, 1);
    CHECK(none.items.empty());
}

TEST_CASE("plot axes: an axis without a range has neither values nor a place but its begin")
{
    const test::PlainCanvas plain(400, 200);
    const PlotFrame frame = plotFrame({0, 0, 400, 200}, {0, 0}, {0, 0}, plain.canvas);
    CHECK(frame.acrossTicks.empty());
    CHECK(frame.upTicks.empty());
    CHECK(frame.at(7, 7).x == frame.plot.x);
}

}  // namespace skein::plot_axes_test
