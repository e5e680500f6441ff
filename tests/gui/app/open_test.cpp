// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/problem_dialog.h"
#include "app/gui/session/recent_paths.h"
#include "tests/gui/support/event_loop_watchdog.h"
#include "tests/gui/support/window_fixture.h"

#include <QLabel>
#include <QMenu>

namespace skein::open_test {

using namespace skein::gui;

namespace {

QString problemText(const MainWindow& window)
{
    QString text;
    const auto* dialog = window.findChild<ProblemDialog*>();
    REQUIRE(dialog);
    for (const QLabel* label : dialog->findChildren<QLabel*>()) text += label->text() + "\n";
    return text;
}

}  // namespace

TEST_CASE("an archive that is opened becomes the session and a recent entry")
{
    test::WindowFixture fixture;
    CHECK_FALSE(fixture.window->loader().session());
    fixture.open({test::example("lulesh-8/profile-flat")});
    REQUIRE(fixture.window->loader().session());
    CHECK(fixture.window->loader().session()->experiments.size() == 1);
    CHECK(fixture.window->windowTitle().startsWith("lulesh-8/profile-flat"));
    REQUIRE(RecentPaths::all().size() == 1);
    CHECK(RecentPaths::all()[0] == QStringList{test::example("lulesh-8/profile-flat")});
}

TEST_CASE("several paths become one session and another can be added")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat"), test::example("lulesh-8/profile-callpath")});
    REQUIRE(fixture.window->loader().session());
    CHECK(fixture.window->loader().session()->experiments.size() == 2);
    fixture.window->loader().add({test::example("lulesh-8/profile-merged")});
    fixture.settle();
    CHECK(fixture.window->loader().session()->experiments.size() == 3);
    fixture.trigger("file.close");
    CHECK_FALSE(fixture.window->loader().session());
}

TEST_CASE("what cannot be opened is told with file and cause, and the session stays")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    const SessionPtr before = fixture.window->loader().session();
    fixture.open({"/nowhere/absent.otf2"});
    CHECK(fixture.window->loader().session() == before);
    const QString text = problemText(*fixture.window);
    CHECK(text.contains("/nowhere/absent.otf2"));
    CHECK(text.contains("What was open before is unchanged."));
}

TEST_CASE("when one of several paths fails the others are opened")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat"), "/nowhere/absent.otf2"});
    REQUIRE(fixture.window->loader().session());
    CHECK(fixture.window->loader().session()->experiments.size() == 1);
    CHECK(problemText(*fixture.window).contains("Opened all the same: lulesh-8/profile-flat."));
}

TEST_CASE("files dropped on the window are opened, with shift beside the session")
{
    test::WindowFixture fixture;
    test::dropOn(*fixture.window, {test::example("lulesh-8/profile-flat")}, Qt::NoModifier);
    fixture.settle();
    REQUIRE(fixture.window->loader().session());
    test::dropOn(*fixture.window, {test::example("lulesh-8/profile-callpath")}, Qt::ShiftModifier);
    fixture.settle();
    CHECK(fixture.window->loader().session()->experiments.size() == 2);
    test::dropOn(*fixture.window, {test::example("lulesh-8/profile-merged")}, Qt::NoModifier);
    fixture.settle();
    CHECK(fixture.window->loader().session()->experiments.size() == 1);
}

TEST_CASE("recent entries are newest first, once each, and survive a restart")
{
    test::WindowFixture fixture;
    for (const char* path : {"lulesh-8/profile-flat", "lulesh-8/profile-callpath", "lulesh-8/profile-flat"})
        fixture.open({test::example(path)});
    fixture.reopen();
    const auto recent = RecentPaths::all();
    REQUIRE(recent.size() == 2);
    CHECK(recent[0] == QStringList{test::example("lulesh-8/profile-flat")});
    CHECK(recent[1] == QStringList{test::example("lulesh-8/profile-callpath")});
    QAction* first = nullptr;
    for (QMenu* menu : fixture.window->findChildren<QMenu*>()) {
        if (menu->title() != "Open &Recent") continue;
        Q_EMIT menu->aboutToShow();
        first = menu->actions().at(1);
    }
    REQUIRE(first);
    first->trigger();
    fixture.settle();
    CHECK(fixture.window->windowTitle().startsWith("lulesh-8/profile-callpath"));
}

TEST_CASE("cancelling an import leaves at once and keeps what was open")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    const SessionPtr before = fixture.window->loader().session();
    fixture.window->loader().open({test::example("heatflow-16x2/profile-same-run")});
    const test::EventLoopWatchdog watchdog;
    auto* cancel = fixture.child<QWidget>("cancelJob");
    REQUIRE(cancel);
    QTest::qWait(1);
    if (fixture.window->loader().loading()) {
        QTest::mouseClick(cancel, Qt::LeftButton);
        CHECK_FALSE(fixture.window->loader().loading());
        CHECK(fixture.window->loader().session() == before);
        CHECK(fixture.window->tasks().jobs().back().state == JobState::Cancelled);
    }
    fixture.settle();
    CHECK(watchdog.longestWorkMs() < 200);
}

TEST_CASE("a window can be closed while it imports")
{
    test::WindowFixture fixture;
    fixture.window->loader().open({test::example("heatflow-16x2/profile-same-run")});
    fixture.window->close();
    fixture.window.reset();
    SUCCEED();
}

}  // namespace skein::open_test
