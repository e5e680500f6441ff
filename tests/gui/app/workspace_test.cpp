// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/dock_host.h"
#include "app/gui/window/workspaces.h"
#include "tests/gui/support/wait_for.h"
#include "tests/gui/support/window_fixture.h"

#include <QDockWidget>
#include <QLayout>
#include <QMenuBar>
#include <QToolButton>

#include <fstream>
#include <set>

namespace skein::workspace_test {

using namespace skein::gui;

TEST_CASE("workspaces name views that there are, each once")
{
    for (const Workspace& workspace : workspaces()) {
        std::set<std::string> seen;
        for (const WorkspaceSpot& spot : workspace.spots) {
            INFO(workspace.id << " " << spot.view);
            CHECK(findView(spot.view));
            CHECK(seen.insert(spot.view).second);
        }
        if (!workspace.answer) continue;
        const WorkspaceSpot* answer = findSpot(workspace, workspace.answer);
        REQUIRE(answer);
        CHECK(answer->place == ViewPlace::Bottom);
    }
}

TEST_CASE("a workspace opens its panels and closes the others, which open at the bottom")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const DockHost& docks = fixture.window->docks();
    for (const char* id : {"communication", "profile", "where"}) {
        fixture.trigger((std::string("layout.") + id).c_str());
        QTest::qWait(30);
        for (const Workspace& workspace : workspaces()) {
            if (std::string(workspace.id) != id) continue;
            for (const DockHost::Panel& panel : docks.panels()) {
                INFO(id << " " << panel.description->id);
                CHECK(panel.dock->isHidden() == !findSpot(workspace, panel.description->id));
            }
        }
    }
    fixture.trigger("layout.profile");
    fixture.trigger("panel.jobs");
    QTest::qWait(30);
    CHECK_FALSE(docks.find("jobs")->view->visibleRegion().isEmpty());
    CHECK(docks.find("jobs")->dock->y() >= docks.find("profile")->dock->geometry().bottom());
    fixture.trigger("layout.reset");
    CHECK(docks.find("jobs")->dock->isHidden());
    fixture.trigger("layout.where");
    CHECK_FALSE(docks.find("timeline")->dock->isHidden());
}

TEST_CASE("runs without times of events are compared in their trees, not in an empty timeline")
{
    test::WindowFixture fixture;
    const DockHost& docks = fixture.window->docks();
    const auto inFront = [&](const char* view) { return !docks.find(view)->view->visibleRegion().isEmpty(); };
    const QString profile = test::example("lulesh-8/profile-callpath");
    const QString trace = test::example("lulesh-8/trace-otf2");
    fixture.open({profile, profile});
    CHECK(docks.workspace().id == std::string("compare"));
    CHECK(inFront("tree_graph"));
    CHECK_FALSE(inFront("timeline"));
    fixture.open({trace});
    fixture.trigger("layout.compare");
    QTest::qWait(30);
    CHECK(inFront("timeline"));
    fixture.open({profile});
    fixture.trigger("layout.compare");
    QTest::qWait(30);
    CHECK(inFront("tree_graph"));
}

TEST_CASE("sums without times get the room of the panels that need times, and traces have those again")
{
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "ring_hopbyte.txt";
    std::ofstream(file) << "0 1 1000 1\n1 2 1000 1\n2 3 1000 1\n3 0 1000 1\n";
    test::WindowFixture fixture;
    fixture.open({QString::fromStdString(file.string())});
    const DockHost& docks = fixture.window->docks();
    const auto isOpen = [&](const char* view) { return !docks.find(view)->dock->isHidden(); };
    CHECK(isOpen("communication"));
    for (const char* timed : {"overview", "timeline", "waits"}) CHECK_FALSE(isOpen(timed));
    CHECK(docks.find("communication")->dock->height() * 2 > docks.height());
    fixture.trigger("layout.profile");
    fixture.trigger("layout.communication");
    CHECK_FALSE(isOpen("timeline"));
    fixture.trigger("layout.reset");
    CHECK_FALSE(isOpen("timeline"));
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.trigger("layout.communication");
    for (const char* timed : {"overview", "timeline", "waits"}) CHECK(isOpen(timed));
}

TEST_CASE(
    "the communication graph of a trace gets the height, and the timeline on which messages are lit stays")
{
    test::WindowFixture fixture;
    fixture.window->resize(1600, 1000);
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    fixture.trigger("layout.communication");
    QTest::qWait(30);
    const DockHost& docks = fixture.window->docks();
    for (const char* id : {"communication", "timeline"})
        CHECK_FALSE(docks.find(id)->view->visibleRegion().isEmpty());
    CHECK(docks.find("communication")->dock->height() > 2 * docks.find("timeline")->dock->height());
    CHECK(docks.find("communication")->dock->height() * 2 > docks.height());
}

TEST_CASE("a panel that is chosen comes to the front of those it joins")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const DockHost& docks = fixture.window->docks();
    fixture.trigger("layout.behavior");
    QTest::qWait(30);
    REQUIRE(docks.find("stream")->dock->isHidden());
    docks.find("stream")->dock->toggleViewAction()->trigger();
    CHECK(test::waitFor([&] { return !docks.find("stream")->view->visibleRegion().isEmpty(); }, 2'000));
    docks.find("stream")->dock->toggleViewAction()->trigger();
    CHECK(docks.find("stream")->dock->isHidden());
}

TEST_CASE("on small screens, too, what answers a layout's question is in front")
{
    test::WindowFixture fixture;
    fixture.window->resize(1024, 700);
    fixture.open({test::example("lulesh-8/trace-otf2")});
    for (const Workspace& workspace : workspaces()) {
        if (!workspace.answer) continue;
        INFO(workspace.id);
        fixture.trigger((std::string("layout.") + workspace.id).c_str());
        QTest::qWait(30);
        CHECK_FALSE(fixture.window->docks().find(workspace.answer)->view->visibleRegion().isEmpty());
    }
}

TEST_CASE("on small screens the graph of communication has more height than its choices and legend")
{
    test::WindowFixture fixture;
    fixture.window->resize(1024, 700);
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.trigger("layout.communication");
    const auto* graph = fixture.window->findChild<QWidget*>("communication.graph");
    REQUIRE(graph);
    CHECK(test::waitFor([&] { return graph->height() >= 225; }));
    const auto* timeline = fixture.window->docks().find("timeline")->view;
    CHECK_FALSE(timeline->visibleRegion().isEmpty());
    CHECK(timeline->height() >= 60);
}

TEST_CASE("layout, search and settings stand beside each other at the upper right in every layout")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.window->resize(1024, 700);
    const auto* corner = fixture.window->menuBar()->cornerWidget();
    const auto* button = corner->findChild<QToolButton*>("layoutButton");
    REQUIRE(button);
    for (const Workspace& workspace : workspaces()) {
        INFO(workspace.id);
        fixture.trigger((std::string("layout.") + workspace.id).c_str());
        QTest::qWait(30);
        CHECK(button->text().startsWith(workspace.title));
        CHECK(button->sizeHint().width() <= button->width());
        int right = 0;
        for (int at = 0; at < corner->layout()->count(); ++at) {
            const QRect place = corner->layout()->itemAt(at)->widget()->geometry();
            CHECK(place.left() >= right);
            CHECK(place.width() >= corner->layout()->itemAt(at)->minimumSize().width());
            right = place.right();
        }
        CHECK(right < corner->width());
    }
}

TEST_CASE("when the window grows the timeline takes the room")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const auto size = [&](const char* id) { return fixture.window->docks().find(id)->dock->size(); };
    const QSize overview = size("overview"), summary = size("function_summary"), tree = size("call_tree"),
                details = size("details");
    const QSize detail = size("location_detail"), timeline = size("timeline");
    const auto resize = [&](int width, int height) {
        fixture.window->resize(width, height);
        REQUIRE(test::waitFor([&] { return fixture.window->docks().width() == width; }, 10'000));
        QTest::qWait(50);
    };
    resize(2400, 1500);
    CHECK(std::abs(size("overview").height() - overview.height()) <= 2);
    CHECK(std::abs(size("function_summary").height() - summary.height()) <= 2);
    CHECK(std::abs(size("location_detail").height() - detail.height()) <= 2);
    CHECK(std::abs(size("call_tree").width() - tree.width()) <= 2);
    CHECK(std::abs(size("details").width() - details.width()) <= 2);
    CHECK(std::abs(size("timeline").width() - timeline.width() - 800) <= 4);
    CHECK(std::abs(size("timeline").height() - timeline.height() - 500) <= 6);
    const QByteArray large = fixture.window->docks().layout();
    resize(1600, 1000);
    CHECK(std::abs(size("overview").height() - overview.height()) <= 2);
    REQUIRE(fixture.window->docks().setLayout(large));
    QTest::qWait(50);
    CHECK(fixture.window->docks().width() == 1600);
    CHECK(std::abs(size("overview").height() - overview.height()) <= 30);  // tabs come later
    UNSCOPED_INFO("tree " << size("call_tree").width() << " was " << tree.width() << ", timeline "
                          << size("timeline").width() << " was " << timeline.width() << ", details "
                          << size("details").width() << " was " << details.width());
    CHECK(std::abs(size("call_tree").width() - tree.width()) <= 2);
}

TEST_CASE("panels behind another one's tab begin nothing and hear nothing until they are looked at")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const DockHost& docks = fixture.window->docks();
    const auto inFront = [&](const char* id) { return docks.find(id)->view->isVisible(); };
    CHECK(inFront("timeline"));
    CHECK(inFront("function_summary"));
    for (const char* id : {"counters", "profile", "statistics", "waits"}) {
        INFO(id);
        CHECK_FALSE(inFront(id));
    }
    const auto waitMarks = [&] { return fixture.window->selection().state().waitMarks; };
    CHECK(waitMarks() == WaitMarks::WhenLookedFor);
    fixture.trigger("panel.waits");
    REQUIRE(test::waitFor([&] { return inFront("waits"); }, 30000));
    fixture.settle();
    // The timeline has no marks that nobody asked for.
    CHECK(waitMarks() == WaitMarks::WhenLookedFor);
    CHECK_FALSE(inFront("function_summary"));
    fixture.trigger("panel.function_summary");
    CHECK(inFront("function_summary"));
    CHECK_FALSE(inFront("waits"));
}

TEST_CASE("panels that are looked at one after the other leave the window room to be small")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    for (const DockHost::Panel& panel : fixture.window->docks().panels()) {
        panel.dock->show();
        panel.dock->raise();
        fixture.settle();
        INFO(panel.description->id);
        CHECK(fixture.window->minimumSizeHint().width() <= 1024);
    }
}

}  // namespace skein::workspace_test
