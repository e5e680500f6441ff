// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/shortcut_dialog.h"
#include "app/gui/search/finder_popup.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/layout_store.h"
#include "tests/gui/support/window_fixture.h"

#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QStatusBar>
#include <QTreeWidget>
#include <QWindow>

#include <algorithm>
#include <set>

namespace skein::app_window_test {

using namespace skein::gui;

TEST_CASE("views and actions have ids of their own, views in alphabetical order")
{
    test::WindowFixture fixture;
    std::string previous;
    for (const ViewDescription& view : viewList()) {
        CHECK(previous < view.id);
        previous = view.id;
    }
    std::set<QString> ids;
    std::set<QString> shortcuts;
    for (const auto& entry : fixture.window->actionRegistry().entries()) {
        INFO(entry.id.toStdString());
        CHECK(ids.insert(entry.id).second);
        const QString keys = entry.action->shortcut().toString();
        const bool global = entry.action->shortcutContext() == Qt::WindowShortcut;
        if (!keys.isEmpty() && global) CHECK(shortcuts.insert(keys).second);
    }
}

TEST_CASE("the command palette finds and runs an action from the keyboard")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    QTest::keyClick(fixture.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* palette = fixture.child<FinderPopup>("commandPalette");
    REQUIRE(palette);
    REQUIRE(palette->isVisible());
    auto* query = palette->findChild<QLineEdit*>();
    QTest::keyClicks(query, "close ses");
    REQUIRE(palette->findChild<QListWidget*>()->currentItem());
    CHECK(palette->findChild<QListWidget*>()->currentItem()->text() == "File: Close Session");
    QTest::keyClick(query, Qt::Key_Return);
    CHECK_FALSE(palette->isVisible());
    CHECK_FALSE(fixture.window->loader().session());
    QTest::keyClick(fixture.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(query, Qt::Key_Escape);
    CHECK_FALSE(palette->isVisible());
}

TEST_CASE("the window has its icon, and what floats over it for a moment sends none to the display")
{
    test::WindowFixture fixture;
    REQUIRE(fixture.window->windowHandle());
    CHECK_FALSE(fixture.window->windowHandle()->icon().isNull());
    QLabel tip(fixture.window.get(), Qt::ToolTip);
    tip.show();
    CHECK(tip.windowIcon().isNull());
    REQUIRE(tip.windowHandle());
    CHECK(tip.windowHandle()->icon().isNull());
}

TEST_CASE("letters at the starts of words and in a row match best")
{
    CHECK(matchScore("", "anything") == 0);
    CHECK(matchScore("xyz", "Open File") < 0);
    CHECK(matchScore("of", "Open File") > matchScore("of", "Go for it"));
    CHECK(matchScore("file", "Open File") > matchScore("file", "Fix a little e"));
}

TEST_CASE("the question mark lists every action that has a shortcut")
{
    test::WindowFixture fixture;
    QTest::keyClick(fixture.window.get(), Qt::Key_Question);
    auto* dialog = fixture.child<ShortcutDialog>("shortcutDialog");
    REQUIRE(dialog);
    const auto* tree = dialog->findChild<QTreeWidget*>();
    for (const auto& entry : fixture.window->actionRegistry().entries()) {
        if (entry.action->shortcut().isEmpty()) continue;
        INFO(entry.id.toStdString());
        CHECK_FALSE(
            tree->findItems(plainText(*entry.action), Qt::MatchExactly | Qt::MatchRecursive).isEmpty());
    }
}

TEST_CASE("a layout is kept over a restart, under a name, and can be reset")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    fixture.trigger("panel.jobs");
    auto* jobs = fixture.window->docks().find("jobs")->dock;
    REQUIRE_FALSE(jobs->isHidden());
    LayoutStore::save("with jobs", fixture.window->docks().layout());
    jobs->close();
    CHECK(jobs->isHidden());
    fixture.reopen();
    fixture.open({test::example("lulesh-8/profile-flat")});
    jobs = fixture.window->docks().find("jobs")->dock;
    CHECK(jobs->isHidden());
    CHECK(fixture.window->docks().setLayout(LayoutStore::load("with jobs")));
    CHECK_FALSE(jobs->isHidden());
    fixture.trigger("layout.reset");
    CHECK(jobs->isHidden());
    CHECK_FALSE(fixture.window->docks().setLayout("damaged"));
}

TEST_CASE("panels have the sizes again in which they were left")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    const auto dock = [&] { return fixture.window->docks().find("call_tree")->dock; };
    fixture.window->docks().resizeDocks({dock()}, {dock()->width() + 150}, Qt::Horizontal);
    QTest::qWait(50);
    const QSize before = dock()->size();
    fixture.reopen();
    fixture.open({test::example("lulesh-8/profile-flat")});
    CHECK(dock()->size() == before);
}

TEST_CASE("a message in the status line takes the place of what stands there")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.window->statusBar()->showMessage("found");
    fixture.window->selection().setBrushed(TimeSpan{0, 1000}, nullptr);
    QTest::qWait(20);
    for (const auto* label : fixture.window->statusBar()->findChildren<QLabel*>())
        if (label->text().startsWith("Selected") || label->text().startsWith("lulesh"))
            CHECK_FALSE(label->isVisible());
    fixture.window->statusBar()->clearMessage();
    for (const auto* label : fixture.window->statusBar()->findChildren<QLabel*>())
        if (label->text().startsWith("Selected") || label->text().startsWith("lulesh"))
            CHECK(label->isVisible());
}

TEST_CASE("every panel can be reached with the keyboard")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    std::size_t withKeys = 0;
    for (const DockHost::Panel& panel : fixture.window->docks().panels()) {
        INFO(panel.description->id);
        QAction* action = fixture.window->actionRegistry().find(QString("panel.") + panel.description->id);
        REQUIRE(action);
        withKeys += action->shortcut().isEmpty() ? 0 : 1;
        panel.dock->close();
        action->trigger();
        CHECK_FALSE(panel.dock->isHidden());
        CHECK(panel.view->isVisible());
    }
    CHECK(withKeys == fixture.window->docks().panels().size());
}

TEST_CASE("what the default layout has in front are the first of the panels that share a place")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    fixture.trigger("layout.where");
    fixture.settle();
    for (const char* id : {"function_summary", "location_detail", "timeline"}) {
        INFO(id);
        for (const DockHost::Panel& panel : fixture.window->docks().panels())
            if (QString(id) == panel.description->id) CHECK_FALSE(panel.view->visibleRegion().isEmpty());
    }
}

TEST_CASE("light and dark themes give windows of that lightness")
{
    test::WindowFixture fixture;
    fixture.trigger("theme.dark");
    CHECK(fixture.window->palette().color(QPalette::Window).lightness() < 80);
    fixture.trigger("theme.light");
    CHECK(fixture.window->palette().color(QPalette::Window).lightness() > 200);
}

}  // namespace skein::app_window_test
