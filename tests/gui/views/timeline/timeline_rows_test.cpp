// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "tests/gui/support/view_fixture.h"
#include "core/select/translate.h"


#include <cmath>

using namespace skein;

namespace {

/// Four ranks on two nodes, ten steps each; rank 0 sends to rank 3.
SessionPtr smallSession()
{
    std::vector<test::Call> calls{{0, 100'000, "main", 0}};
    for (TimeNs step = 0; step < 10; ++step) calls.push_back({step * 10'000, step * 10'000 + 9'000, "solve", 1});
    test::ExperimentBuilder builder("small");
    for (int process = 0; process < 4; ++process) builder.process("node " + std::to_string(process / 2), calls);
    return test::sessionOf(builder.message(0, 15'000, 3, 77'000, 4096));
}

struct Window : test::ViewFixture<TimelineView> {
    Window() : ViewFixture({1000, 400}, smallSession()) { settle(); }
    QPoint nameOf(std::uint32_t row) const
    {
        const PlacedRow& place = view.sceneLayout().places[row];
        return {6, static_cast<int>(place.y + place.height / 2)};
    }
    std::string rows() const
    {
        std::string text;
        for (const TimelineRow& row : view.sceneLayout().rows) text += isHeader(row) ? "|" : row.folded.empty() ? std::to_string(row.location.id.value()) : "*";
        return text;
    }
    void trigger(const char* name)
    {
        ViewFixture::trigger(name);
        settle();
    }
};

}  // namespace

TEST_CASE("a click on a group's name collapses it, another one expands it, and undo takes both back")
{
    Window window;
    CHECK(window.rows() == "|01|23");
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.nameOf(0));
    CHECK(window.rows() == "*|23");
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.nameOf(0));
    CHECK(window.rows() == "|01|23");
    window.selection.undo();
    QTest::qWait(20);
    CHECK(window.rows() == "*|23");
    window.trigger("timeline.foldNodes");
    CHECK(window.rows() == "**");
    window.trigger("timeline.foldNodes");
    CHECK(window.rows() == "|01|23");
}

TEST_CASE("dragging a name moves the row, P pins it, and orders come from the menu")
{
    Window window;
    window.drag(window.nameOf(5), window.nameOf(1));
    CHECK(window.rows() == "3012");
    window.selection.setSelected(select(*smallSession(), LocationRef{0, LocationId(2)}), nullptr);
    QTest::keyClick(&window.view, Qt::Key_P);
    CHECK(window.rows() == "2301");
    QTest::keyClick(&window.view, Qt::Key_P);
    window.trigger("timeline.orderByTree");
    CHECK(window.rows() == "|01|23");
    window.trigger("timeline.orderByName");
    CHECK(window.rows() == "0123");
    window.trigger("timeline.orderBySimilarity");
    CHECK(window.rows() == "0123");
}

TEST_CASE("point and comma step through the calls of a region, O jumps along a message, M marks")
{
    Window window;
    const SessionPtr session = smallSession();
    window.selection.setVisible(TimeSpan{0, 30'000}, nullptr);
    window.selection.setSelected(select(*session, IntervalRef{0, LocationId(0), 1}), nullptr);
    QTest::qWait(20);
    for (int step = 0; step < 5; ++step) QTest::keyClick(&window.view, Qt::Key_Period);
    CHECK(window.selection.state().selected.intervals == std::vector{IntervalRef{0, LocationId(0), 6}});
    CHECK(window.view.sceneLayout().scale.span.contains(50'000));
    QTest::keyClick(&window.view, Qt::Key_Comma);
    CHECK(window.selection.state().selected.intervals == std::vector{IntervalRef{0, LocationId(0), 5}});
    window.selection.setSelected(select(*session, MessageRef{0, 0}), nullptr);
    QTest::keyClick(&window.view, Qt::Key_O);
    CHECK(window.view.sceneLayout().scale.span.contains(77'000));
    CHECK(window.selection.state().selected.locations == std::vector{LocationRef{0, LocationId(3)}});
    window.selection.setBrushed(TimeSpan{40'000, 50'000}, nullptr);
    QTest::keyClick(&window.view, Qt::Key_M);
    REQUIRE(window.selection.state().marks.size() == 1);
    CHECK(window.selection.state().marks[0].span == TimeSpan{40'000, 50'000});
}
