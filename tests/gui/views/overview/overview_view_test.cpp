// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overview_view.h"

#include "tests/gui/support/view_fixture.h"
#include <cmath>

namespace skein::overview_view_test {

namespace {

/// 100 µs on four processes.
SessionPtr smallSession()
{
    test::ExperimentBuilder builder("small");
    for (int process = 0; process < 4; ++process)
        builder.process("node", {{0, 100'000, "main", 0}, {20'000, 80'000, "solve", 1}});
    return test::sessionOf(builder.message(0, 15'000, 3, 17'000, 4096));
}

struct Window : test::ViewFixture<OverviewView> {
    Window() : ViewFixture({1000, 150}, smallSession())
    {
        waitUntil([this] { return view.upToDate() && !view.sceneLayout().blocks.empty(); });
    }
    QPoint at(TimeNs time) const
    {
        return {static_cast<int>(std::lround(view.sceneLayout().scale.toX(time))),
                static_cast<int>(view.sceneLayout().body.y + 6)};
    }
    void drag(TimeNs from, TimeNs to, Qt::KeyboardModifiers modifiers = {})
    {
        ViewFixture::drag(at(from), at(to), modifiers);
    }
    bool shows(TimeNs begin, TimeNs end) const
    {
        const auto& visible = selection.state().visible;
        return visible && std::abs(visible->begin - begin) <= 300 && std::abs(visible->end - end) <= 300;
    }
};

}  // namespace

TEST_CASE("the overview of a session that is closed meanwhile is not shown")
{
    Window window;
    CHECK(window.view.drawnPicture(1000, 150));
    window.view.setSession(smallSession());
    window.view.setSession(nullptr);
    window.settle();
    CHECK_FALSE(window.view.drawnPicture(1000, 150));
}

TEST_CASE("dragging in the overview draws a window, moves it and moves its edges")
{
    Window window;
    window.drag(20'000, 60'000);
    CHECK(window.shows(20'000, 60'000));
    window.drag(40'000, 50'000);
    CHECK(window.shows(30'000, 70'000));
    window.drag(70'000, 90'000);
    CHECK(window.shows(30'000, 90'000));
    window.drag(30'000, 10'000);
    CHECK(window.shows(10'000, 90'000));
    window.drag(40'000, 45'000, Qt::ShiftModifier);
    CHECK(window.shows(40'000, 45'000));
    QTest::mouseDClick(&window.view, Qt::LeftButton, {}, window.at(50'000));
    CHECK_FALSE(window.selection.state().visible.has_value());
}

TEST_CASE("a click in the overview brings the window there and selects the row's location")
{
    Window window;
    window.drag(20'000, 40'000);
    QTest::mouseClick(&window.view, Qt::LeftButton, {}, window.at(80'000));
    CHECK(window.shows(70'000, 90'000));
    CHECK(window.selection.state().selected.locations == std::vector{LocationRef{0, LocationId(0)}});
}

TEST_CASE("Escape takes a drag in the overview back")
{
    Window window;
    window.drag(20'000, 40'000);
    test::dragOver(window.view, window.at(30'000), window.at(60'000), {}, Qt::LeftButton,
                   test::DragEnd::Hold);
    CHECK(window.shows(50'000, 70'000));
    QTest::keyClick(&window.view, Qt::Key_Escape);
    CHECK(window.shows(20'000, 40'000));
}

TEST_CASE("the arrow keys move the overview's window and its edges, the wheel makes it shorter")
{
    Window window;
    window.selection.setVisible(TimeSpan{40'000, 60'000}, nullptr);
    QTest::keyClick(&window.view, Qt::Key_Right);
    CHECK(window.selection.state().visible == TimeSpan{42'000, 62'000});
    QTest::keyClick(&window.view, Qt::Key_Left, Qt::ControlModifier);
    CHECK(window.selection.state().visible == TimeSpan{40'000, 62'000});
    QTest::keyClick(&window.view, Qt::Key_Right, Qt::ShiftModifier);
    CHECK(window.selection.state().visible == TimeSpan{40'000, 64'200});
    window.wheel(window.at(50'000), 1);
    CHECK(window.selection.state().visible->lengthNs() == 24'200 * 4 / 5);
    QTest::keyClick(&window.view, Qt::Key_Home);
    CHECK_FALSE(window.selection.state().visible.has_value());
}

TEST_CASE("a key that is held moves the overview's window frame by frame, whatever the keyboard repeats")
{
    Window window;
    window.selection.setVisible(TimeSpan{10'000, 20'000}, nullptr);
    QTest::keyPress(&window.view, Qt::Key_Right);
    // Repeats of the keyboard have no say.
    for (int repeat = 0; repeat < 20; ++repeat) {
        QKeyEvent again(QEvent::KeyPress, Qt::Key_Right, Qt::NoModifier, QString(), true);
        QCoreApplication::sendEvent(&window.view, &again);
    }
    CHECK(window.selection.state().visible->begin < 15'000);
    window.waitUntil([&] { return window.selection.state().visible->begin > 13'000; });
    CHECK(window.selection.moves());
    CHECK(window.selection.state().visible->lengthNs() == 10'000);
    QTest::keyRelease(&window.view, Qt::Key_Right);
    const auto rested = window.selection.state().visible;
    QTest::qWait(60);
    CHECK(window.selection.state().visible == rested);
    // With Control the left edge alone.
    QTest::keyPress(&window.view, Qt::Key_Left, Qt::ControlModifier);
    window.waitUntil([&] { return window.selection.state().visible->begin < rested->begin - 2'000; });
    QTest::keyRelease(&window.view, Qt::Key_Left, Qt::ControlModifier);
    CHECK(window.selection.state().visible->end == rested->end);
    // Who looks elsewhere holds no key any more.
    QTest::keyPress(&window.view, Qt::Key_S);
    QFocusEvent away(QEvent::FocusOut);
    QCoreApplication::sendEvent(&window.view, &away);
    const auto left = window.selection.state().visible;
    QTest::qWait(60);
    CHECK(window.selection.state().visible == left);
}

}  // namespace skein::overview_view_test
