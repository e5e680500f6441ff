// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_changes_scene.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"

namespace skein::timeline_changes_test {

namespace {

/// Ten bins of 100 ns with changes at the begins of some.
struct Changed {
    SessionBehavior behavior;
    ViewState state;
    TimelineLayout layout;
    SceneStyle style{lightTheme(), 1, {}};
    ApproximateTextMeasure measure{12};
    Canvas canvas{1000, 200, style, measure};

    Changed(std::vector<std::size_t> changes, std::vector<std::size_t> lasting)
    {
        for (TimeNs edge = 0; edge <= 1000; edge += 100) behavior.edges.push_back(edge);
        behavior.changes.changes = std::move(changes);
        behavior.lasting = std::move(lasting);
        layout.ruler = {100, 0, 900, 20};
        layout.body = {100, 20, 900, 180};
        layout.scale = {{0, 1000}, 100, 900};
    }
    std::vector<PlacedChange> placed() const { return placedChanges(behavior, state, layout, canvas); }
    std::vector<std::size_t> shown() const
    {
        std::vector<std::size_t> found;
        for (const PlacedChange& one : placed()) found.push_back(one.change);
        return found;
    }
};

}  // namespace

TEST_CASE("the timeline marks changes that last, without any all, and always the selected ones")
{
    CHECK(Changed({2, 4, 7}, {1}).shown() == std::vector<std::size_t>{1});
    CHECK(Changed({2, 4, 7}, {}).shown() == std::vector<std::size_t>{0, 1, 2});
    Changed selected({2, 4, 7}, {1});
    selected.state.selected.changePoints = {{0, 700}};
    CHECK(selected.shown() == std::vector<std::size_t>{1, 2});
    selected.state.selected.changePoints = {{1, 700}};  // of another archive
    CHECK(selected.shown() == std::vector<std::size_t>{1});
    CHECK(Changed({}, {}).shown().empty());
}

TEST_CASE("marks of changes out of sight are not placed, and numbers cover no others")
{
    Changed zoomed({2, 4, 7}, {});
    zoomed.layout.scale.span = {300, 600};
    CHECK(zoomed.shown() == std::vector<std::size_t>{1});
    CHECK(zoomed.placed()[0].x == Approx(400));

    Changed narrow({2, 3, 7}, {});
    narrow.layout.scale.span = {0, 100'000};  // a bin is narrower than a pixel
    const auto placed = narrow.placed();
    REQUIRE(placed.size() == 3);
    CHECK_FALSE(placed[0].flag.empty());
    CHECK(placed[1].flag.empty());
    CHECK(placed[2].flag.empty());
}

TEST_CASE("a change is hit at its number, and on the ruler near its line")
{
    const Changed changed({2, 7}, {});
    const auto placed = changed.placed();
    const Rect& flag = placed[1].flag;
    const auto hit = [&](double x, double y) { return timelineChangeAt(placed, changed.layout, {x, y}, 1); };
    CHECK(hit(flag.x + 1, flag.y + 1) == 1);
    CHECK(hit(placed[0].x + 3, 10) == 0);
    CHECK(hit(placed[0].x - 3, 10) == 0);
    CHECK_FALSE(hit(placed[0].x + 6, 10));
    // Over the rows its line is no hurdle for calls.
    CHECK_FALSE(hit(placed[0].x, 150));
}

TEST_CASE("changes that hold no longer are faint lines without numbers")
{
    const Changed changed({2, 7}, {});
    DrawList list;
    drawOutdatedChanges(list, changed.behavior, changed.state, changed.layout, changed.canvas);
    REQUIRE(list.items.size() == 2);
    DrawList current;
    drawTimelineChanges(current, changed.behavior, changed.state, changed.layout, changed.canvas);
    for (const DrawItem& item : list.items) {
        const auto* line = std::get_if<RectItem>(&item);
        REQUIRE(line);
        CHECK(line->fill.alpha < 128);
        CHECK(line->rect.height == 200);
    }
    CHECK(std::get<RectItem>(list.items[0]).rect.x == std::get<RectItem>(current.items[0]).rect.x);
}

}  // namespace skein::timeline_changes_test
