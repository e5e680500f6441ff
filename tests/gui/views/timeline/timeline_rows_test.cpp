// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "core/select/translate.h"
#include "core/session/experiment_titles.h"
#include "tests/gui/support/view_fixture.h"
#include "views/common/theme.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace skein::timeline_rows_test {

namespace {

/// Four ranks on two nodes, ten steps each; rank 0 sends to rank 3.
SessionPtr smallSession()
{
    std::vector<test::Call> calls{{0, 100'000, "main", 0}};
    for (TimeNs step = 0; step < 10; ++step)
        calls.push_back({step * 10'000, step * 10'000 + 9'000, "solve", 1});
    test::ExperimentBuilder builder("small");
    for (int process = 0; process < 4; ++process)
        builder.process("node " + std::to_string(process / 2), calls);
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
        for (const TimelineRow& row : view.sceneLayout().rows)
            text += isHeader(row) ? "|" : row.folded.empty() ? std::to_string(row.location.id.value()) : "*";
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

TEST_CASE("collapsed rows of a trace with many locations get trees of their own after they were drawn")
{
    struct OpenedView : TimelineView {
        using TimelineView::TimelineView;
        bool hasTree() const
        {
            const std::vector<LocationId> members{LocationId(8), LocationId(9), LocationId(10),
                                                  LocationId(11)};
            return data()->groups->find(0, members) != nullptr;
        }
    };
    test::ExperimentBuilder builder("many");
    for (std::uint32_t process = 0; process < TimelineIndex::kFewestToBundle; ++process)
        builder.process("node " + std::to_string(process / 4),
                        {{0, 100'000, "main", 0}, {100 * process, 100 * process + 5000, "solve", 1}});
    test::ViewFixture<OpenedView> window({1000, 400}, test::sessionOf(builder));
    window.settle();
    window.trigger("timeline.foldNodes");
    window.settle();
    CHECK(window.view.hasTree());
}

TEST_CASE("the menu of a row collapses what has a header, and nothing else")
{
    Window window;
    const PlacedRow& place = window.view.sceneLayout().places[1];
    const QPoint at(500, static_cast<int>(place.y + place.height / 2));
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, window.view.mapToGlobal(at));
    QCoreApplication::sendEvent(&window.view, &event);
    auto* menu = window.view.findChild<QMenu*>();
    REQUIRE(menu);
    QStringList texts;
    for (const QAction* action : menu->actions()) texts.push_back(action->text());
    CHECK(texts.contains("Collapse Its Node"));
    // Each process has one thread: no row stands for it.
    CHECK_FALSE(texts.contains("Collapse Its Process"));
    menu->close();
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

TEST_CASE("while a name is dragged a line shows where its row will stand")
{
    Window window;
    const Color accent = themeFor(window.view.palette()).accent;
    const auto lineAt = [&](double y) {
        const QImage image = window.view.grab().toImage();
        return image.pixelColor(4, static_cast<int>(std::round(y)) - 1)
            == QColor(accent.red, accent.green, accent.blue);
    };
    const std::vector<PlacedRow> places = window.view.sceneLayout().places;
    const auto dragTo = [&](std::uint32_t row) {
        test::dragOver(window.view, window.nameOf(5), window.nameOf(row), {}, Qt::LeftButton,
                       test::DragEnd::Hold);
    };
    dragTo(1);
    CHECK(lineAt(places[1].y));
    CHECK(window.rows() == "|01|23");
    QTest::mouseRelease(&window.view, Qt::LeftButton, {}, window.nameOf(1));
    CHECK(window.rows() == "3012");
    CHECK_FALSE(lineAt(window.view.sceneLayout().places[1].y));
    // To where it is already, nothing is to be moved.
    window.drag(window.nameOf(2), window.nameOf(2) + QPoint(20, 0));
    CHECK(window.rows() == "3012");
    window.selection.undo();
    QTest::qWait(20);
    CHECK(window.rows() == "|01|23");
}

TEST_CASE("collapsed rows and headers tell what they stand for")
{
    Window window;
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.nameOf(0));
    window.settle();
    REQUIRE(window.rows() == "*|23");
    const auto hover = [&](QPoint at) {
        QHelpEvent event(QEvent::ToolTip, at, window.view.mapToGlobal(at));
        QCoreApplication::sendEvent(&window.view, &event);
        return QToolTip::text().toStdString();
    };
    const std::string collapsed = hover({500, window.nameOf(0).y()});
    CHECK(collapsed.find("node 0") != std::string::npos);
    CHECK(collapsed.find("2 locations") != std::string::npos);
    CHECK(collapsed.find(" took most time in all of them here") != std::string::npos);
    CHECK(collapsed.find("Each column") == std::string::npos);
    CHECK(hover(window.nameOf(1)).find("node 1") != std::string::npos);
}

TEST_CASE("keys that lead nowhere say why")
{
    Window window;
    const SessionPtr session = smallSession();
    QSignalSpy said(&window.selection, &SelectionModel::said);
    const auto pressAndRead = [&](Qt::Key key) {
        said.clear();
        QTest::keyClick(&window.view, key);
        return said.isEmpty() ? std::string() : said.first().first().toString().toStdString();
    };
    CHECK(pressAndRead(Qt::Key_Period) == "Select a call first: click on one");
    window.selection.setSelected(select(*session, IntervalRef{0, LocationId(2), 0}), nullptr);
    CHECK(pressAndRead(Qt::Key_Period) == "Rank 2 has no later call of main");
    CHECK(pressAndRead(Qt::Key_Comma) == "Rank 2 has no earlier call of main");
    CHECK(pressAndRead(Qt::Key_O) == "What is selected has no message with another end");
    CHECK(window.selection.state().selected.intervals == std::vector{IntervalRef{0, LocationId(2), 0}});
    window.selection.setSelected(select(*session, IntervalRef{0, LocationId(2), 9}), nullptr);
    CHECK(pressAndRead(Qt::Key_Period).empty());
    CHECK(pressAndRead(Qt::Key_Period) == "Rank 2 has no later call of solve");
}

TEST_CASE("ordering by time says what it needs, and is there again when it has that")
{
    Window window;
    const SessionPtr session = smallSession();
    const QPoint at = window.nameOf(1);
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, window.view.mapToGlobal(at));
    QCoreApplication::sendEvent(&window.view, &event);
    for (QMenu* menu : window.view.findChildren<QMenu*>()) menu->close();
    QSignalSpy said(&window.selection, &SelectionModel::said);
    window.trigger("timeline.orderByTime");
    REQUIRE(said.size() == 1);
    CHECK(said.first().first().toString()
          == "Select a region first: click on a call, or on a row of a table");
    CHECK(window.rows() == "|01|23");
    window.selection.setSelected(select(*session, RegionRef{0, RegionId(1)}), nullptr);
    window.trigger("timeline.orderByTime");
    CHECK(window.rows() == "0123");
}

TEST_CASE("filters of a row name its component where several are open")
{
    const ExperimentPtr one = smallSession()->experiments[0];
    test::guiApplication();
    const SessionPtr session = std::make_shared<const Session>(Session{{one, one}});
    test::ViewFixture<TimelineView> window({1000, 400}, session);
    window.settle();
    const PlacedRow* place = window.view.sceneLayout().placeOf({1, LocationId(2)});
    REQUIRE(place);
    const QPoint at(6, static_cast<int>(place->y + place->height / 2));
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, window.view.mapToGlobal(at));
    QCoreApplication::sendEvent(&window.view, &event);
    auto* menu = window.view.findChild<QMenu*>();
    REQUIRE(menu);
    const QString wanted = "Hide " + QString::fromStdString(experimentTitles(*session)[1]) + " Rank 2";
    const auto actions = menu->actions();
    const auto hide = std::find_if(actions.begin(), actions.end(),
                                   [&](const QAction* action) { return action->text() == wanted; });
    REQUIRE(hide != actions.end());
    (*hide)->trigger();
    menu->close();
    window.settle();
    CHECK_FALSE(window.view.sceneLayout().placeOf({1, LocationId(2)}));
    CHECK(window.view.sceneLayout().placeOf({0, LocationId(2)}));
    CHECK(window.selection.state().filters.front().label == experimentTitles(*session)[1] + " Rank 2 hidden");
}

TEST_CASE("Alt or Ctrl and a drag of a component's header shift it in time, which undo takes back")
{
    const ExperimentPtr one = smallSession()->experiments[0];
    test::guiApplication();
    test::ViewFixture<TimelineView> window({1000, 400}, std::make_shared<const Session>(Session{{one, one}}));
    window.settle();
    const TimelineLayout& layout = window.view.sceneLayout();
    const auto header = std::find_if(layout.places.begin(), layout.places.end(), [&](const PlacedRow& place) {
        return layout.rows[place.row].kind == TimelineRowKind::Experiment
            && layout.rows[place.row].group.experiment == 1;
    });
    REQUIRE(header != layout.places.end());
    const QPoint from(400, static_cast<int>(header->y + header->height / 2));
    const double perPixel = layout.scale.nsPerPixel();
    const auto pixels = [&](std::uint32_t experiment, int by) {
        const QImage image = window.view.grab().toImage();
        std::vector<QRgb> found;
        for (const PlacedRow& place : layout.places) {
            if (isHeader(layout.rows[place.row]) || layout.rows[place.row].location.experiment != experiment)
                continue;
            const int y = static_cast<int>(place.y + place.height / 2);
            for (int x = static_cast<int>(layout.body.x) + 5; x < static_cast<int>(layout.body.right()) - 105;
                 ++x)
                found.push_back(image.pixel(x + by, y));
        }
        return found;
    };
    // The pointer leaves a line where it is, the same in all.
    const auto still = pixels(0, 0), before = pixels(1, 0);
    test::dragOver(window.view, from, from + QPoint(100, 0), Qt::AltModifier, Qt::LeftButton,
                   test::DragEnd::Hold);
    CHECK(pixels(1, 100) == before);
    CHECK(pixels(1, 0) != before);
    CHECK(pixels(0, 0) == still);
    CHECK(window.selection.state().clockShiftsNs.empty());
    QTest::mouseRelease(&window.view, Qt::LeftButton, Qt::AltModifier, from + QPoint(100, 0));
    const auto& shifts = window.selection.state().clockShiftsNs;
    REQUIRE(shifts.size() == 2);
    CHECK(shifts[0] == 0);
    CHECK(shifts[1] == static_cast<TimeNs>(std::llround(100 * perPixel)));
    CHECK_FALSE(window.selection.state().brushed.has_value());
    window.selection.undo();
    CHECK(window.selection.state().clockShiftsNs.empty());
    QTest::qWait(20);
    window.settle();
    window.drag(from, from + QPoint(100, 0), Qt::ControlModifier);
    REQUIRE(shifts.size() == 2);
    CHECK(shifts[1] == static_cast<TimeNs>(std::llround(100 * perPixel)));
    CHECK_FALSE(window.selection.state().brushed.has_value());
}

TEST_CASE("a mark under the pointer can be shown, noted and deleted from the menu")
{
    Window window;
    window.selection.setMarks({{{40'000, 60'000}, "solve"}}, nullptr);
    window.settle();
    const TimelineLayout& layout = window.view.sceneLayout();
    const QPoint edge(static_cast<int>(std::lround(layout.scale.toX(40'000))),
                      static_cast<int>(layout.body.y + 40));
    const auto choose = [&](const char* name) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, edge, window.view.mapToGlobal(edge));
        QCoreApplication::sendEvent(&window.view, &event);
        for (QMenu* menu : window.view.findChildren<QMenu*>())
            if (auto* action = menu->findChild<QAction*>(name)) {
                action->trigger();
                menu->close();
                return true;
            }
        return false;
    };
    REQUIRE(choose("mark.delete"));
    CHECK(window.selection.state().marks.empty());
    window.selection.undo();
    REQUIRE(window.selection.state().marks.size() == 1);
    REQUIRE(choose("mark.show"));
    CHECK(window.selection.state().visible == TimeSpan{39'000, 61'000});
}

TEST_CASE("rows are ordered by the time in the selected regions, and filters take rows away")
{
    test::ExperimentBuilder builder("uneven");
    for (const TimeNs solve : {20'000, 70'000, 50'000})
        builder.process("node", {{0, 100'000, "main", 0}, {0, solve, "solve", 1}});
    const SessionPtr session = test::sessionOf(builder);
    test::ViewFixture<TimelineView> window({1000, 400}, session);
    window.settle();
    const auto rows = [&] {
        std::string text;
        for (const TimelineRow& row : window.view.sceneLayout().rows)
            text += std::to_string(row.location.id.value());
        return text;
    };
    window.trigger("timeline.orderByTime");
    window.settle();
    CHECK(rows() == "012");
    window.selection.setSelected(select(*session, RegionRef{0, RegionId(1)}), nullptr);
    window.trigger("timeline.orderByTime");
    window.settle();
    CHECK(rows() == "120");
    window.selection.setFilters(
        {{"only two", FilterEffect::Keep, {}, {{0, LocationId(0)}, {0, LocationId(2)}}}}, nullptr);
    window.settle();
    CHECK(rows() == "20");
    window.selection.undo();
    window.settle();
    CHECK(rows() == "120");
}

}  // namespace skein::timeline_rows_test
