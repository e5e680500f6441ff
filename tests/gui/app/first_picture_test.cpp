// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/support/window_fixture.h"
#include "views/timeline/timeline_view.h"

#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QTreeView>

namespace skein::first_picture_test {

namespace {

/// Rows of the call tree: none before it was given the session and has summed it up.
int callTreeRows(const test::WindowFixture& fixture)
{
    const auto* tree = fixture.window->docks().find("call_tree")->view->findChild<QTreeView*>();
    return tree && tree->model() ? tree->model()->rowCount() : 0;
}

}  // namespace

TEST_CASE("sums begin when the first picture of the timeline is there")
{
    test::WindowFixture fixture;
    const auto* timeline = fixture.child<TimelineView>("timeline");
    bool awaited = false;
    fixture.window->loader().open({test::example("lulesh-8/trace-otf2")});
    QElapsedTimer clock;
    clock.start();
    while (callTreeRows(fixture) == 0 && clock.elapsed() < 30000) {
        QApplication::processEvents(QEventLoop::AllEvents, 1);
        awaited = awaited || timeline->awaitsPicture();
        if (callTreeRows(fixture) > 0) CHECK_FALSE(timeline->awaitsPicture());
    }
    CHECK(awaited);
    fixture.settle();
    CHECK(callTreeRows(fixture) > 0);
    CHECK(timeline->upToDate());
}

TEST_CASE("a timeline that is hidden keeps nothing waiting")
{
    test::WindowFixture fixture;
    fixture.window->docks().find("timeline")->dock->hide();
    QElapsedTimer clock;
    clock.start();
    fixture.open({test::example("lulesh-8/trace-otf2")});
    CHECK(callTreeRows(fixture) > 0);
    CHECK(clock.elapsed() < 10'000);  // the longest that anything waits for a picture
}

TEST_CASE("a first picture that is cancelled keeps nothing waiting")
{
    test::WindowFixture fixture;
    const auto* timeline = fixture.child<TimelineView>("timeline");
    fixture.window->loader().open({test::example("lulesh-8/trace-otf2")});
    REQUIRE(test::waitFor([&] { return timeline->awaitsPicture(); }, 30000));
    fixture.window->tasks().cancelAll();
    QElapsedTimer clock;
    clock.start();
    fixture.settle();
    CHECK_FALSE(timeline->awaitsPicture());
    CHECK(callTreeRows(fixture) > 0);
    CHECK(clock.elapsed() < 10'000);
}

TEST_CASE("a session without times has its tables at once")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-callpath")});
    CHECK(callTreeRows(fixture) > 0);
    CHECK_FALSE(fixture.child<TimelineView>("timeline")->awaitsPicture());
}

TEST_CASE("the dialog that opens files shows tables of hand-overs beside the archives")
{
    test::WindowFixture fixture;
    fixture.trigger("file.open");
    auto* dialog = fixture.window->findChild<QFileDialog*>();
    REQUIRE(dialog);
    CHECK(dialog->nameFilters().front().contains("*.csv"));
    dialog->close();
}

}  // namespace skein::first_picture_test
