// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/location_detail/location_detail_view.h"

#include "tests/gui/support/view_fixture.h"
#include "views/timeline/timeline_view.h"

#include <QAction>

#include <cmath>

namespace skein::location_detail_view_test {

namespace {

SessionPtr smallSession()
{
    test::ExperimentBuilder builder("small");
    for (int process = 0; process < 3; ++process)
        builder.process(
            "node", {{0, 100'000, "main", 0}, {20'000, 80'000, "solve", 1}, {30'000, 40'000, "kernel", 2}});
    return test::sessionOf(builder);
}

struct Window : test::ViewFixture<LocationDetailView> {
    Window() : ViewFixture({1000, 160}, smallSession())
    {
        waitUntil([this] { return view.upToDate() && view.sceneLayout().location.valid(); });
    }
    QPoint at(TimeNs time, std::uint32_t row) const
    {
        const LocationDetailLayout layout = view.sceneLayout();
        return {static_cast<int>(std::lround(layout.frame.scale.toX(time))),
                static_cast<int>(layout.top(row) + layout.rowHeight / 2)};
    }
};

}  // namespace

TEST_CASE("a click in the detail selects the call in that row")
{
    Window window;
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.at(35'000, 2));
    CHECK(window.selection.state().selected.intervals == std::vector{IntervalRef{0, LocationId(0), 2}});
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.at(35'000, 1));
    CHECK(window.selection.state().selected.intervals == std::vector{IntervalRef{0, LocationId(0), 1}});
}

TEST_CASE("the detail follows the selected location and has its times at the places of the timeline")
{
    Window window;
    window.selection.setSelected(Selection{{{0, LocationId(2)}}, {}, {}, {}, {}}, nullptr);
    QTest::qWait(20);
    CHECK(window.view.sceneLayout().location == LocationRef{0, LocationId(2)});
    TimelineView timeline(ViewContext{window.selection, window.tasks});
    timeline.resize(1000, 300);
    timeline.show();
    timeline.setSession(smallSession());
    REQUIRE(test::waitFor([&] { return timeline.upToDate(); }, 30000));
    for (const std::optional<TimeSpan> span :
         {std::optional<TimeSpan>(), std::optional(TimeSpan{10'000, 34'567})}) {
        window.selection.setVisible(span, nullptr);
        QTest::qWait(20);
        CHECK(window.view.sceneLayout().frame.scale.toX(20'000) == timeline.sceneLayout().scale.toX(20'000));
    }
}

TEST_CASE("keys, wheel and drags in the detail are those of the timeline")
{
    Window window;
    const QPoint pointer = window.at(40'000, 0);
    window.wheel(pointer, 2, Qt::ControlModifier);
    REQUIRE(window.selection.state().visible.has_value());
    CHECK(window.selection.state().visible->lengthNs() == 64'000);
    CHECK(std::abs(window.view.sceneLayout().frame.scale.toX(40'000) - pointer.x()) <= 1);
    QTest::keyClick(&window.view, Qt::Key_Home);
    CHECK_FALSE(window.selection.state().visible.has_value());
    window.drag(window.at(20'000, 0), window.at(60'000, 0));
    REQUIRE(window.selection.state().brushed.has_value());
    CHECK(std::abs(window.selection.state().brushed->lengthNs() - 40'000) < 300);
    QTest::keyClick(&window.view, Qt::Key_Z);
    CHECK(window.selection.state().visible == window.selection.state().brushed);
    QTest::keyClick(&window.view, Qt::Key_Escape);
    CHECK_FALSE(window.selection.state().brushed.has_value());
}

TEST_CASE("a click on a line in the detail selects the message, and one switch hides the lines of the detail "
          "and the timeline")
{
    test::ExperimentBuilder builder("messages");
    for (int process = 0; process < 2; ++process)
        builder.process("node", {{0, 100'000, "main", 0}, {20'000, 40'000, "exchange", 1}});
    const SessionPtr session = test::sessionOf(builder.message(0, 30'000, 1, 35'000, 64));
    test::ViewFixture<LocationDetailView> window({1000, 300}, session);
    window.waitUntil([&] { return window.view.upToDate() && !window.view.sceneLayout().peerPlaces.empty(); });
    const LocationDetailLayout layout = window.view.sceneLayout();
    const QPoint end(static_cast<int>(layout.frame.scale.toX(35'000)),
                     static_cast<int>(layout.peerPlaces[0].y));
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, end);
    CHECK(window.selection.state().selected.messages == std::vector{MessageRef{0, 0}});
    // A message is of both its locations: the detail stays at the one that it shows.
    window.selection.setSelected(Selection{{{0, LocationId(1)}}, {}, {}, {}, {}}, nullptr);
    window.waitUntil(
        [&] { return window.view.upToDate() && window.view.sceneLayout().location.id == LocationId(1); });
    window.waitUntil([&] { return !window.view.sceneLayout().peerPlaces.empty(); });
    const QPoint begin(static_cast<int>(layout.frame.scale.toX(30'000)),
                       static_cast<int>(window.view.sceneLayout().peerPlaces[0].y));
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, begin);
    CHECK(window.selection.state().selected.messages == std::vector{MessageRef{0, 0}});
    CHECK(window.selection.state().selected.locations.size() == 2);
    CHECK(window.view.sceneLayout().location == LocationRef{0, LocationId(1)});
    window.selection.setSelected({}, nullptr);
    window.waitUntil([&] { return window.view.upToDate() && !window.view.sceneLayout().peerPlaces.empty(); });
    TimelineView timeline(ViewContext{window.selection, window.tasks});
    timeline.resize(1000, 300);
    timeline.show();
    timeline.setSession(session);
    window.waitUntil([&] { return timeline.upToDate(); });
    auto* shown = timeline.findChild<QAction*>("timeline.messages");
    REQUIRE(shown);
    CHECK(shown->isChecked());
    const QImage before = timeline.grab().toImage();
    shown->trigger();
    QCoreApplication::processEvents();
    window.waitUntil([&] { return timeline.upToDate() && window.view.upToDate(); });
    CHECK(window.view.sceneLayout().peerPlaces.empty());
    CHECK(timeline.grab().toImage() != before);
    shown->trigger();
    QCoreApplication::processEvents();
    window.waitUntil([&] { return timeline.upToDate() && window.view.upToDate(); });
    CHECK_FALSE(window.view.sceneLayout().peerPlaces.empty());
    CHECK(timeline.grab().toImage() == before);
}

}  // namespace skein::location_detail_view_test
