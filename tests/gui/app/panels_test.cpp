// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/recent_paths.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/panel_arranger.h"
#include "app/gui/window/panel_head.h"
#include "core/select/metric_choice.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/linked_selection.h"
#include "views/common/scope_head.h"

#include <QComboBox>
#include <QDockWidget>
#include <QImage>
#include <QSpinBox>
#include <QToolButton>

namespace skein::panels_test {

using namespace skein::gui;

QDockWidget* dockOf(const test::WindowFixture& fixture, const char* id)
{
    const DockHost::Panel* panel = fixture.window->docks().find(id);
    REQUIRE(panel);
    return panel->dock;
}

int docksInWindow(const test::WindowFixture& fixture)
{
    int count = 0;
    for (const DockHost::Panel& panel : fixture.window->docks().panels())
        count += !panel.dock->isHidden() && !panel.dock->isFloating() ? 1 : 0;
    return count;
}

TEST_CASE("a panel that floats paints itself after a restart")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.trigger("panel.profile");
    dockOf(fixture, "profile")->setFloating(true);
    fixture.settle();
    fixture.reopen();
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const QDockWidget* dock = dockOf(fixture, "profile");
    REQUIRE(dock->isFloating());
    CHECK(dock->updatesEnabled());
    CHECK(fixture.window->docks().find("profile")->view->updatesEnabled());
}

TEST_CASE("a panel that floats goes back where it was, among its tabs")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.trigger("panel.statistics");
    fixture.settle();
    DockHost& docks = fixture.window->docks();
    const QRect place = dockOf(fixture, "statistics")->geometry();
    fixture.trigger("view.float");
    CHECK(dockOf(fixture, "statistics")->isFloating());
    fixture.trigger("view.float");
    fixture.settle();
    CHECK_FALSE(dockOf(fixture, "statistics")->isFloating());
    CHECK(docks.tabifiedDockWidgets(dockOf(fixture, "statistics"))
              .contains(dockOf(fixture, "function_summary")));
    CHECK(dockOf(fixture, "statistics")->geometry() == place);
}

TEST_CASE("a key shows one panel alone, and all of them again where they were")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const int before = docksInWindow(fixture);
    const QRect timeline = dockOf(fixture, "timeline")->geometry();
    fixture.window->docks().focusView("timeline");
    QTest::keyClick(fixture.window.get(), Qt::Key_F11, Qt::ShiftModifier);
    fixture.settle();
    CHECK(docksInWindow(fixture) == 1);
    CHECK(dockOf(fixture, "timeline")->width() == fixture.window->docks().width());
    const QByteArray kept = fixture.window->docks().layout();
    QTest::keyClick(fixture.window.get(), Qt::Key_F11, Qt::ShiftModifier);
    fixture.settle();
    CHECK(docksInWindow(fixture) == before);
    CHECK(dockOf(fixture, "timeline")->geometry() == timeline);
    // A window that is left maximised comes back with all panels.
    REQUIRE(fixture.window->docks().setLayout(kept));
    CHECK(docksInWindow(fixture) == before);
}

TEST_CASE("every panel has one head, stacked and floated ones too, with the scope where it has one")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.window->selection().setBrushed(TimeSpan{560'000'000, 600'000'000}, nullptr);
    fixture.settle();
    for (const DockHost::Panel& panel : fixture.window->docks().panels()) {
        INFO(panel.id.toStdString());
        CHECK(panel.dock->titleBarWidget() == panel.head);
        for (const char* button : {"head.more", "head.maximise", "head.float", "head.close"})
            CHECK(panel.head->findChild<QToolButton*>(button));
        CHECK_FALSE(panel.view->findChild<ScopeHead*>());
    }
    for (const char* id : {"call_tree", "function_summary", "profile"}) {
        INFO(id);
        const auto* scope = fixture.window->docks().find(id)->head->findChild<ScopeHead*>();
        REQUIRE(scope);
        CHECK(scope->text().startsWith("Marked span: "));
        CHECK(scope->text().startsWith(
            QString::fromStdString(spanText(scopeOf(fixture.window->selection().state())))));
    }
}

TEST_CASE("what is opened chooses the layout, and the keyboard is in its main view")
{
    test::WindowFixture fixture;
    const auto present = [&] { return fixture.window->panels().present().toStdString(); };
    const auto focused = [&] {
        const DockHost::Panel* panel = fixture.window->docks().focused();
        return panel ? panel->id.toStdString() : std::string();
    };
    fixture.open({test::example("lulesh-8/profile-flat")});
    CHECK(present() == "profile");
    CHECK(focused() == "profile");
    CHECK(fixture.window->actionRegistry().find("layout.profile")->isChecked());
    CHECK(dockOf(fixture, "timeline")->isHidden());
    fixture.open({test::example("lulesh-8/trace-otf2")});
    CHECK(present() == "where");
    CHECK(focused() == "timeline");
    fixture.open({test::example("lulesh-8/trace-otf2"), test::example("heatflow-16x2/trace-otf2")});
    CHECK(present() == "compare");
    fixture.trigger("layout.balance");
    fixture.settle();
    CHECK(present() == "balance");
    CHECK(focused() == "balance");
    CHECK(fixture.window->actionRegistry().find("layout.balance")->isChecked());
    CHECK_FALSE(fixture.window->actionRegistry().find("layout.compare")->isChecked());
}

TEST_CASE("each kind of archive comes back in the layout in which it was left")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.trigger("layout.waits");
    fixture.settle();
    fixture.open({test::example("lulesh-8/profile-flat")});
    fixture.reopen();
    fixture.open({test::example("lulesh-8/trace-otf2")});
    CHECK(fixture.window->panels().present() == "waits");
    CHECK_FALSE(dockOf(fixture, "waits")->isHidden());
}

TEST_CASE("several panels of one view have pins and, on wish, a time axis of their own")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    DockHost& docks = fixture.window->docks();
    REQUIRE(docks.addPanel("call_tree"));
    REQUIRE(docks.addPanel("timeline"));
    fixture.settle();
    const auto scope = [&](const char* id) { return docks.find(id)->head->findChild<ScopeHead*>(); };
    scope("call_tree.2")->pinTo(ScopeHead::Pin::WholeRun);
    const TimeSpan phase{560'000'000, 600'000'000};
    fixture.window->selection().setVisible(phase, nullptr);
    fixture.settle();
    CHECK(scope("call_tree.2")->text().startsWith("Whole run"));
    CHECK(scope("call_tree")->text().startsWith("Visible window"));
    SelectionModel& own = docks.find("timeline.2")->link->own();
    CHECK(own.state().visible == phase);
    docks.find("timeline.2")->link->setAxis(LinkedSelection::Axis::Free);
    own.setVisible(TimeSpan{0, 1'000'000}, nullptr);
    fixture.settle();
    CHECK(fixture.window->selection().state().visible == phase);
    fixture.window->selection().addFilter({"something", FilterEffect::Keep, {}, {{0, LocationId(3)}}},
                                          nullptr);
    fixture.settle();
    CHECK(own.state().filters.size() == 1);
    CHECK(own.state().visible == TimeSpan{0, 1'000'000});
    docks.find("timeline.2")->link->setAxis(LinkedSelection::Axis::Linked);
    CHECK(own.state().visible == phase);
    // They are part of the layout.
    docks.find("timeline.2")->link->setAxis(LinkedSelection::Axis::Free);
    const QByteArray layout = docks.layout();
    docks.removePanel("timeline.2");
    docks.removePanel("call_tree.2");
    CHECK_FALSE(docks.find("timeline.2"));
    REQUIRE(docks.setLayout(layout));
    fixture.settle();
    REQUIRE(docks.find("timeline.2"));
    CHECK(docks.find("timeline.2")->link->axis() == LinkedSelection::Axis::Free);
    CHECK(docks.find("call_tree.2"));
}

TEST_CASE("choices in panels are undone by name, and filters and marks are named too")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.trigger("layout.balance");
    fixture.settle();
    auto* order = fixture.window->docks().find("balance")->view->findChild<QComboBox*>("balance.rowOrder");
    REQUIRE(order);
    const int before = order->currentIndex();
    order->setCurrentIndex(2);
    Q_EMIT order->activated(2);
    QTest::qWait(20);
    const auto undo = [&] {
        return fixture.window->actionRegistry().find("edit.undo")->text().toStdString();
    };
    CHECK(undo() == "&Undo Balance: Order of the regions");
    fixture.window->selection().addFilter({"MPI hidden", FilterEffect::Hide, {}, {{0, LocationId(3)}}},
                                          nullptr);
    QTest::qWait(20);
    CHECK(undo() == "&Undo Filter “MPI hidden”");
    fixture.trigger("edit.undo");
    QTest::qWait(20);
    CHECK(order->currentIndex() == 2);
    fixture.trigger("edit.undo");
    QTest::qWait(20);
    CHECK(order->currentIndex() == before);
    CHECK(fixture.window->actionRegistry().find("edit.redo")->text()
          == "&Redo Balance: Order of the regions");
    fixture.trigger("edit.redo");
    QTest::qWait(20);
    CHECK(order->currentIndex() == 2);
}

TEST_CASE("the first choices from lists that were filled later, and numbers, are undone and redone")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    const DockHost& docks = fixture.window->docks();
    fixture.trigger("panel.behavior");
    fixture.trigger("panel.profile");
    fixture.settle();
    auto* metric = docks.find("behavior")->view->findChild<QComboBox*>("behavior.metric");
    auto* per = docks.find("behavior")->view->findChild<QComboBox*>("behavior.per");
    REQUIRE(metric->count() > 2);
    struct Chosen {
        QComboBox* list;
        QString before, after;
    };
    std::vector<Chosen> chosen;
    for (QComboBox* list : {metric, per}) {
        const int last = list->count() - 1;
        REQUIRE(list->currentIndex() != last);
        chosen.push_back({list, list->currentText(), list->itemText(last)});
        list->setCurrentIndex(last);
        Q_EMIT list->activated(last);
        fixture.settle();
    }
    auto* largest = docks.find("profile")->view->findChild<QSpinBox*>("profile.largest");
    const int before = largest->value();
    largest->stepUp();
    fixture.settle();
    fixture.trigger("edit.undo");
    fixture.settle();
    CHECK(largest->value() == before);
    for (std::size_t step = chosen.size(); step-- > 0;) {
        CHECK(chosen[step].list->currentText() == chosen[step].after);
        fixture.trigger("edit.undo");
        fixture.settle();
        CHECK(chosen[step].list->currentText() == chosen[step].before);
    }
    for (const Chosen& each : chosen) {
        fixture.trigger("edit.redo");
        fixture.settle();
        CHECK(each.list->currentText() == each.after);
    }
    fixture.trigger("edit.redo");
    fixture.settle();
    CHECK(largest->value() == before + 1);
}

TEST_CASE("the metric is one edit wherever it is chosen, and stays when others are taken back")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    for (const char* panel : {"panel.balance", "panel.profile"}) fixture.trigger(panel);
    fixture.settle();
    SelectionModel& selection = fixture.window->selection();
    const auto listOf = [&](const char* panel, const char* name) {
        auto* list = fixture.window->docks().find(panel)->view->findChild<QComboBox*>(name);
        REQUIRE(list);
        return list;
    };
    auto* profile = listOf("profile", "profile.metric");
    auto* order = listOf("balance", "balance.rowOrder");
    const auto choose = [&](QComboBox* list, const QString& text) {
        REQUIRE(list->findText(text) >= 0);
        list->setCurrentText(text);
        Q_EMIT list->activated(list->currentIndex());
        fixture.settle();
    };
    const auto step = [&](const char* action, const QString& named, const QString& shown) {
        CHECK(fixture.window->actionRegistry().find(action)->text().endsWith(named));
        fixture.trigger(action);
        fixture.settle();
        CHECK(profile->currentText() == shown);
    };
    const QString size = "Message size for all-reduce";
    choose(profile, "Calls");
    CHECK(selection.state().metric == kCallsMetric);
    choose(profile, size);  // shown by this panel alone
    CHECK(selection.state().metric == kCallsMetric);
    step("edit.undo", "Choice of the Metric", "Calls");
    step("edit.undo", "Choice of the Metric", "Time");
    CHECK(selection.state().metric == MetricRef());
    step("edit.redo", "Choice of the Metric", "Calls");
    step("edit.redo", "Choice of the Metric", size);
    CHECK(selection.state().metric == kCallsMetric);
    // Another panel chooses: it gives way, until that is taken back.
    selection.setMetric({}, nullptr);
    fixture.settle();
    CHECK(profile->currentText() == "Time");
    const QString before = order->currentText();
    choose(order, order->itemText(order->count() - 1));
    REQUIRE(order->currentText() != before);
    step("edit.undo", "Balance: Order of the regions", "Time");
    CHECK(order->currentText() == before);
    CHECK(selection.state().metric == MetricRef());
    step("edit.undo", "Choice of the Metric", size);
    selection.setDerived("time / calls", nullptr);
    fixture.settle();
    step("edit.undo", "Metric by Expression", size);
    CHECK(selection.state().derived.empty());
}

TEST_CASE("nothing widens the window: twenty archives, and every layout, on a small screen")
{
    test::WindowFixture fixture;
    QStringList paths;
    for (int copy = 0; copy < 20; ++copy) paths.push_back(test::example("lulesh-8/trace-otf2"));
    fixture.window->resize(1024, 700);
    fixture.open(paths);
    CHECK(fixture.window->minimumSizeHint().width() <= 1024);
    CHECK(fixture.window->width() == 1024);
    for (const Workspace& workspace : workspaces()) {
        INFO(workspace.id);
        fixture.window->panels().apply(workspace);
        fixture.settle();
        CHECK(fixture.window->minimumSizeHint().width() <= 1024);
        CHECK(fixture.window->width() == 1024);
        CHECK(fixture.window->height() == 700);
        const QDockWidget* main = fixture.window->docks().mainPanel().dock;
        CHECK(2 * main->width() >= fixture.window->docks().width());
    }
}

TEST_CASE("archives of the same name are told apart by their folders")
{
    const QStringList titles = shortTitles(
        {{"/data/a/run7/traces.otf2"}, {"/data/b/run7/traces.otf2"}, {"/data/b/run8/traces.otf2"}});
    CHECK(titles == QStringList{"a/run7/traces.otf2", "b/run7/traces.otf2", "run8/traces.otf2"});
}

}  // namespace skein::panels_test
