// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "core/select/filters.h"
#include "core/select/translate.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "views/common/draw_list_painter.h"
#include "views/timeline/timeline_scene.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPointer>
#include <QScrollBar>

#include <cmath>

namespace skein::timeline_view_test {

namespace {

/// 10 000 ns: main { solve × 10 { MPI_Wait } } on four processes.
SessionPtr smallSession()
{
    std::vector<test::Call> calls{{0, 100'000, "main", 0}};
    for (TimeNs step = 0; step < 10; ++step) {
        calls.push_back({step * 10'000, step * 10'000 + 9'000, "solve", 1});
        calls.push_back({step * 10'000 + 5'000, step * 10'000 + 8'000, "MPI_Wait", 2});
    }
    test::ExperimentBuilder builder("small");
    for (int process = 0; process < 4; ++process) builder.process("node " + std::to_string(process), calls);
    builder.paradigm("MPI_Wait", Paradigm::Mpi).message(0, 15'000, 3, 17'000, 4096);
    return test::sessionOf(builder);
}

SessionPtr manyRows()
{
    test::ExperimentBuilder builder("many");
    for (int process = 0; process < 100; ++process)
        builder.process("node", {{0, 100'000, "main", 0}, {20'000, 80'000, "solve", 1}});
    return test::sessionOf(builder);
}

struct Window : test::ViewFixture<TimelineView> {
    explicit Window(SessionPtr session) : ViewFixture({1000, 400}, std::move(session)) { waitForPicture(); }
    void waitForPicture()
    {
        waitUntil([this] { return view.upToDate(); });
    }

    double x(TimeNs time) const { return view.sceneLayout().scale.toX(time); }
    QPoint at(TimeNs time, std::uint32_t row, double part = 0.9) const
    {
        const PlacedRow& place = view.sceneLayout().places[row];
        return {static_cast<int>(std::lround(x(time))), static_cast<int>(place.y + place.height * part)};
    }
};

}  // namespace

TEST_CASE("the timeline opens with everything visible and a row for each location")
{
    Window window(smallSession());
    CHECK(window.view.sceneLayout().scale.span == TimeSpan{0, 100'000});
    CHECK(window.view.sceneLayout().rows.size() == 4);
    CHECK(window.view.accessibleName() == "Timeline");
    CHECK(window.view.focusPolicy() == Qt::WheelFocus);
}

TEST_CASE("zooming with the wheel keeps the time under the pointer where it is")
{
    Window window(smallSession());
    const QPoint pointer = window.at(62'000, 1);
    // The pointer stands on whole pixels, beside the time by a part of one, which zooming makes greater.
    const TimeNs under = window.view.sceneLayout().scale.toTime(pointer.x());
    for (const int turns : {1, 1, 1, 2, -1, 3, -2}) {
        window.wheel(pointer, turns, Qt::ControlModifier);
        CHECK(std::abs(window.x(under) - pointer.x()) <= 1.0);
    }
    CHECK(window.view.sceneLayout().scale.span.lengthNs() < 50'000);
    CHECK(window.selection.state().visible == window.view.sceneLayout().scale.span);
}

TEST_CASE("zooming out as far as it goes shows everything")
{
    Window window(smallSession());
    window.wheel(window.at(30'000, 1), 4, Qt::ControlModifier);
    window.wheel(window.at(30'000, 1), -20, Qt::ControlModifier);
    CHECK_FALSE(window.selection.state().visible.has_value());
}

TEST_CASE("W and S zoom at the pointer, A and D move, Home shows everything")
{
    Window window(smallSession());
    QTest::mouseMove(&window.view, window.at(40'000, 0));
    QTest::keyClick(&window.view, Qt::Key_W);
    QTest::keyClick(&window.view, Qt::Key_W);
    const TimeSpan zoomed = window.view.sceneLayout().scale.span;
    CHECK(zoomed.lengthNs() == 64'000);
    QTest::keyClick(&window.view, Qt::Key_D);
    CHECK(window.view.sceneLayout().scale.span.begin > zoomed.begin);
    QTest::keyClick(&window.view, Qt::Key_A);
    CHECK(std::abs(window.view.sceneLayout().scale.span.begin - zoomed.begin) <= 1);
    QTest::keyClick(&window.view, Qt::Key_S);
    CHECK(window.view.sceneLayout().scale.span.lengthNs() == 80'000);
    QTest::keyClick(&window.view, Qt::Key_Home);
    CHECK_FALSE(window.selection.state().visible.has_value());
}

TEST_CASE("dragging with shift or the middle button keeps the grabbed time under the pointer")
{
    Window window(smallSession());
    window.wheel(window.at(50'000, 1), 4, Qt::ControlModifier);
    for (const bool middle : {true, false}) {
        const QPoint from = window.at(50'000, 1);
        const QPoint to = from + QPoint(-90, 0);
        window.drag(from, to, middle ? Qt::NoModifier : Qt::ShiftModifier,
                    middle ? Qt::MiddleButton : Qt::LeftButton);
        CHECK(std::abs(window.x(50'000) - to.x()) <= 1.5);
        CHECK_FALSE(window.selection.state().brushed.has_value());
    }
}

TEST_CASE("dragging marks a span, Enter zooms to it, Backspace goes back, Esc clears it")
{
    Window window(smallSession());
    window.drag(window.at(20'000, 1), window.at(40'000, 2));
    const auto brushed = window.selection.state().brushed;
    REQUIRE(brushed.has_value());
    CHECK(std::abs(brushed->begin - 20'000) < 200);
    CHECK(std::abs(brushed->end - 40'000) < 200);
    QTest::keyClick(&window.view, Qt::Key_Return);
    CHECK(window.view.sceneLayout().scale.span == *brushed);
    QTest::keyClick(&window.view, Qt::Key_Backspace);
    QCoreApplication::processEvents();
    CHECK(window.view.sceneLayout().scale.span == TimeSpan{0, 100'000});
    QTest::keyClick(&window.view, Qt::Key_Right, Qt::AltModifier);
    QCoreApplication::processEvents();
    CHECK(window.view.sceneLayout().scale.span == *brushed);
    QTest::keyClick(&window.view, Qt::Key_Escape);
    CHECK_FALSE(window.selection.state().brushed.has_value());
}

TEST_CASE("a drag to the left marks the same span as one to the right")
{
    Window window(smallSession());
    window.drag(window.at(40'000, 1), window.at(20'000, 1));
    REQUIRE(window.selection.state().brushed.has_value());
    CHECK(window.selection.state().brushed->begin < window.selection.state().brushed->end);
}

TEST_CASE("a click selects the innermost call at the bottom of a row and its caller above")
{
    Window window(smallSession());
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.at(26'000, 2));
    const Selection inner = window.selection.state().selected;
    REQUIRE(inner.intervals.size() == 1);
    CHECK(inner.intervals[0].location == LocationId(2));
    CHECK(inner.intervals[0].index == 6);
    CHECK(inner.callPaths.size() == 1);
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.at(26'000, 2, 0.02));
    REQUIRE(window.selection.state().selected.intervals.size() == 1);
    CHECK(window.selection.state().selected.intervals[0].index == 0);
    QTest::mouseClick(&window.view, Qt::LeftButton, Qt::ControlModifier, window.at(26'000, 3));
    CHECK(window.selection.state().selected.intervals.size() == 2);
}

TEST_CASE("F zooms to the selected call")
{
    Window window(smallSession());
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.at(26'000, 2));
    QTest::keyClick(&window.view, Qt::Key_F);
    CHECK(window.view.sceneLayout().scale.span == TimeSpan{24'850, 28'150});
}

TEST_CASE("a click on a message line selects the message")
{
    Window window(smallSession());
    const auto& places = window.view.sceneLayout().places;
    const double top = places[0].y + places[0].height / 2;
    const double bottom = places[3].y + places[3].height / 2;
    QTest::mouseClick(&window.view, Qt::LeftButton, {},
                      QPoint(static_cast<int>(window.x(16'000)), static_cast<int>((top + bottom) / 2)));
    CHECK(window.selection.state().selected.messages == std::vector{MessageRef{0, 0}});
    CHECK(window.selection.state().selected.locations.size() == 2);
}

TEST_CASE("what a call waited for is told and can be selected where filters leave the message")
{
    struct Told : TimelineView {
        using TimelineView::TimelineView;
        using TimelineView::toolTipAt;
    };
    test::ExperimentBuilder builder("late");
    builder.process("a", {{0, 100'000, "main", 0}, {50'000, 60'000, "MPI_Send", 1}})
        .process("b", {{0, 100'000, "main", 0}, {10'000, 70'000, "MPI_Recv", 1}})
        .paradigm("MPI_Send", Paradigm::Mpi)
        .paradigm("MPI_Recv", Paradigm::Mpi)
        .message(0, 51'000, 1, 69'000, 4096);
    Experiment late = *builder.finish();
    Message message = late.trace->messages[0];
    message.sendInterval = 1;
    message.receiveInterval = 1;
    auto trace = std::make_shared<Trace>(*late.trace);
    trace->messages = Column(std::vector{message});
    late.trace = trace;
    test::ViewFixture<Told> window(
        {1000, 400}, std::make_shared<const Session>(Session{{std::make_shared<const Experiment>(late)}}));
    window.settle();
    window.trigger("timeline.waits");
    window.settle();
    const auto receive = [&] {
        const PlacedRow& place = window.view.sceneLayout().places[1];
        return Point{window.view.sceneLayout().scale.toX(30'000), place.y + place.height * 0.9};
    };
    const auto told = [&] {
        const std::vector<std::string> lines = window.view.toolTipAt(receive());
        REQUIRE_FALSE(lines.empty());
        return std::ranges::any_of(lines,
                                   [](const std::string& line) { return line.starts_with("late sender"); });
    };
    const auto offered = [&] {
        const QPoint at(static_cast<int>(receive().x), static_cast<int>(receive().y));
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, window.view.mapToGlobal(at));
        QCoreApplication::sendEvent(&window.view, &event);
        const QPointer<QMenu> menu = window.view.findChild<QMenu*>();
        REQUIRE(menu);
        const bool found = std::ranges::any_of(menu->actions(), [](const QAction* action) {
            return action->text() == "Select What It Waited For";
        });
        delete menu;
        return found;
    };
    CHECK((told() && offered()));
    window.selection.setFilters({messageFilter(FilterEffect::Hide, *parseAttributeConditions("bytes=4096"))},
                                nullptr);
    window.settle();
    CHECK_FALSE((told() || offered()));
    window.selection.setFilters({messageFilter(FilterEffect::Keep, *parseAttributeConditions("bytes=4096"))},
                                nullptr);
    window.settle();
    CHECK((told() && offered()));
}

TEST_CASE("a click on a row's name selects the location, one beside everything nothing")
{
    Window window(smallSession());
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, QPoint(5, window.at(0, 1).y()));
    CHECK(window.selection.state().selected.locations == std::vector{LocationRef{0, LocationId(1)}});
    CHECK(window.selection.state().selected.intervals.empty());
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, QPoint(500, 5));
    CHECK(window.selection.state().selected.empty());
}

TEST_CASE("a double click on the ruler shows everything")
{
    Window window(smallSession());
    window.wheel(window.at(30'000, 1), 4, Qt::ControlModifier);
    QTest::mouseDClick(&window.view, Qt::LeftButton, {}, QPoint(500, 8));
    CHECK_FALSE(window.selection.state().visible.has_value());
}

TEST_CASE("rows grow with shift and the wheel, keep the row under the pointer, and scroll")
{
    Window window(smallSession());
    const QPoint pointer = window.at(30'000, 2);
    window.wheel(pointer, 4, Qt::ShiftModifier);
    CHECK(window.view.sceneLayout().rowHeight > 150);
    CHECK(window.view.sceneLayout().rowAt(pointer.y()) == 2);
    const double before = window.view.sceneLayout().places[0].y;
    window.wheel(pointer, -1, {});
    CHECK(window.view.sceneLayout().places[0].y < before);
    window.wheel(pointer, 100, {});
    CHECK(window.view.sceneLayout().places[0].y == window.view.sceneLayout().body.y);
}

TEST_CASE("the pointer's call and time reach the shared state and leave it again")
{
    Window window(smallSession());
    QTest::mouseMove(&window.view, window.at(26'000, 1));
    CHECK(window.selection.state().hover.interval.index == 6);
    CHECK(std::abs(window.selection.state().hover.time.value() - 26'000) < 200);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&window.view, &leave);
    CHECK(window.selection.state().hover == Hover{});
}

TEST_CASE("a span that another view chose is shown")
{
    Window window(smallSession());
    window.selection.setVisible(TimeSpan{10'000, 30'000}, nullptr);
    QCoreApplication::processEvents();
    CHECK(window.view.sceneLayout().scale.span == TimeSpan{10'000, 30'000});
    window.waitForPicture();
}

TEST_CASE("a row that was selected elsewhere is scrolled to where none of the selected ones is in sight")
{
    Window window(smallSession());
    window.wheel(window.at(30'000, 0), 4, Qt::ShiftModifier);
    window.wheel(window.at(30'000, 0), 100, {});
    const Session session = *smallSession();
    const auto inSight = [&](std::uint32_t row) {
        const TimelineLayout& layout = window.view.sceneLayout();
        const PlacedRow* place = layout.placeOf({0, LocationId(row)});
        return place && place->y >= layout.body.y && place->y + place->height <= layout.body.bottom() + 1;
    };
    REQUIRE(inSight(0));
    REQUIRE_FALSE(inSight(3));
    const auto selectRows = [&](std::vector<LocationRef> rows) {
        window.selection.setSelected(select(session, rows), nullptr);
        QCoreApplication::processEvents();
    };
    selectRows({{0, LocationId(3)}});
    CHECK(inSight(3));
    selectRows({{0, LocationId(0)}, {0, LocationId(3)}});
    CHECK(inSight(3));
    selectRows({{0, LocationId(0)}});
    CHECK(inSight(0));
    window.waitForPicture();
}

TEST_CASE("many zooms at once end in the picture of the last")
{
    Window window(smallSession());
    for (int turn = 0; turn < 50; ++turn)
        window.wheel(window.at(30'000, 1), turn % 3 == 0 ? -1 : 1, Qt::ControlModifier);
    window.waitForPicture();
    CHECK(window.view.grab().width() == window.view.width());
}

TEST_CASE("closing the session empties the timeline")
{
    Window window(smallSession());
    window.view.setSession(nullptr);
    window.selection.reset();
    QCoreApplication::processEvents();
    CHECK(window.view.sceneLayout().rows.empty());
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, QPoint(500, 200));
    QTest::keyClick(&window.view, Qt::Key_W);
    window.wheel({500, 200}, 1, Qt::ControlModifier);
    CHECK(window.selection.state() == ViewState{});
}

TEST_CASE("a large picture that was drawn coarsely while the view moved is as fine as any at rest")
{
    const auto session =
        std::make_shared<const Session>(Session{{test::experimentOfRandomCalls(7, 700, 64, 6, 4)}});
    const QSize size(2600, 1100);
    test::ViewFixture<TimelineView> moved(size, session);
    moved.waitUntil([&] { return moved.view.upToDate(); });
    for (const int turns : {3, 2, -1, 4, -2}) moved.wheel({1400, 600}, turns, Qt::ControlModifier);
    moved.settle();
    test::ViewFixture<TimelineView> still(size, session);
    still.selection.setVisible(moved.selection.state().visible, nullptr);
    still.settle();
    CHECK(moved.view.sceneLayout().scale.span == still.view.sceneLayout().scale.span);
    CHECK(moved.view.grab().toImage() == still.view.grab().toImage());
}

TEST_CASE("a picture that stays is decided by all of its calls")
{
    const Session session{{test::experimentOfRandomCalls(11, 6'000, 2)}};
    Window window(std::make_shared<const Session>(session));
    window.settle();
    const TimelineLayout& layout = window.view.sceneLayout();
    const QRect body(QPoint(static_cast<int>(layout.body.x), static_cast<int>(layout.body.y)),
                     QSize(static_cast<int>(layout.body.width), static_cast<int>(layout.body.height)));
    const SceneFonts fonts(window.view.font(), 1);
    const QtTextMeasure measure(fonts);
    const TimelineDataPtr data = test::timelineDataOf(session.experiments);
    const auto drawn = [&](PictureDetail detail) {
        TimelineOptions options;
        options.theme = lightTheme();
        options.detail = detail;
        return toImage(timelineScene(*data, {}, options, window.view.width(), window.view.height(), measure,
                                     Task()),
                       fonts)
            .copy(body);
    };
    const QImage shown = window.view.grab().toImage().convertToFormat(drawn({}).format()).copy(body);
    CHECK(shown == drawn(PictureDetail::exact(cellsOf(layout), std::uint64_t{1} << 24)));
    CHECK(shown != drawn({}));
}

TEST_CASE("a region that is hidden leaves what a fresh picture without it shows")
{
    const auto session =
        std::make_shared<const Session>(Session{{test::experimentOfRandomCalls(5, 4000, 8)}});
    const std::vector<Filter> hidden{regionFilter(FilterEffect::Hide, "one", {RegionRef{0, RegionId(1)}})};
    // The line along the upper edge tells who has the keyboard.
    const QRect below(0, 2, 1000, 398);
    Window window(session);
    window.settle();
    const QImage before = window.view.grab(below).toImage();
    window.selection.setFilters(hidden, nullptr);
    window.settle();
    const QImage after = window.view.grab(below).toImage();
    CHECK(after != before);
    Window fresh(session);
    fresh.selection.setFilters(hidden, nullptr);
    fresh.settle();
    CHECK(after == fresh.view.grab(below).toImage());
    window.selection.setFilters({}, nullptr);
    window.settle();
    CHECK(window.view.grab(below).toImage() == before);
}

TEST_CASE("the height of rows is chosen from the menu, and a scroll bar reaches those outside")
{
    Window window(manyRows());
    const auto* bar = window.view.findChild<QScrollBar*>();
    REQUIRE(bar);
    window.waitUntil([&] { return bar->isVisible(); });
    CHECK(window.view.sceneLayout().rowHeight == 6);
    window.trigger("timeline.rowsAll");
    window.waitUntil([&] { return !bar->isVisible(); });
    CHECK(window.view.sceneLayout().maximumScroll == 0);
    CHECK_FALSE(window.view.findChild<QAction*>("timeline.rowsUsual")->isChecked());
    window.trigger("timeline.rowsReadable");
    window.waitUntil([&] { return bar->isVisible() && bar->maximum() > 600; });
    CHECK(window.view.sceneLayout().rowHeight > 10);
    // What leaves the program has all rows, however it is scrolled.
    window.wheel(window.at(30'000, 1), -10, {});
    CHECK(window.view.sceneLayout().places[0].y < window.view.sceneLayout().body.y);
    const auto height = window.view.pictureHeight(900);
    REQUIRE(height);
    CHECK(*height > 100 * window.view.sceneLayout().rowHeight);
    window.waitForPicture();
}

}  // namespace skein::timeline_view_test
