// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/archive_chooser.h"
#include "app/gui/dialogs/guide_window.h"
#include "app/gui/session/carried_state.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/loss_bar.h"
#include "core/session/session_clock.h"
#include "tests/gui/support/window_fixture.h"
#include "views/hand_overs/hand_over_model.h"
#include "views/hand_overs/hand_overs_view.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QTreeView>
#include <QTreeWidget>

#include <filesystem>
#include <limits>

namespace skein::archives_test {

using namespace skein::gui;

namespace fs = std::filesystem;

void copyArchive(const fs::path& to)
{
    fs::create_directories(to.parent_path());
    fs::copy(test::sourcePath("examples/lulesh-8/trace-otf2"), to, fs::copy_options::recursive);
}

TEST_CASE("of a folder with several archives the user chooses")
{
    test::TemporaryFolder folder;
    copyArchive(folder.path() / "run7");
    copyArchive(folder.path() / "run8");
    test::WindowFixture fixture;
    fixture.open({QString::fromStdString(folder.path().string())});
    CHECK_FALSE(fixture.window->loader().session());
    auto* chooser = fixture.child<ArchiveChooser>("archiveChooser");
    REQUIRE(chooser);
    auto* list = chooser->findChild<QTreeWidget*>("archiveChooser.list");
    REQUIRE(list->topLevelItemCount() == 2);
    CHECK(list->topLevelItem(0)->text(0) == "run7/traces.otf2");
    list->topLevelItem(0)->setCheckState(0, Qt::Checked);
    list->topLevelItem(1)->setCheckState(0, Qt::Checked);
    Q_EMIT chooser->openWanted(chooser->chosen());
    chooser->accept();
    fixture.settle();
    REQUIRE(fixture.window->loader().session());
    CHECK(fixture.window->loader().session()->experiments.size() == 2);
}

TEST_CASE("an archive leaves the session, and the last one closes it")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2"), test::example("heatflow-16x2/trace-otf2")});
    auto* remove = fixture.child<QMenu>("session.remove");
    REQUIRE(remove);
    Q_EMIT remove->aboutToShow();
    REQUIRE(remove->actions().size() == 2);
    remove->actions().front()->trigger();
    fixture.settle();
    REQUIRE(fixture.window->loader().session()->experiments.size() == 1);
    CHECK(fixture.window->loader().session()->experiments.front()->definitions.locations.size() >= 16);
    CHECK(fixture.window->loader().paths().size() == 1);
    fixture.window->loader().remove(0);
    fixture.settle();
    CHECK_FALSE(fixture.window->loader().session());
}

TEST_CASE("what the user has chosen stays when an archive comes beside the others, and when one goes")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    SelectionModel& selection = fixture.window->selection();
    const ViewState begun = selection.state();
    selection.setVisible(TimeSpan{1'000'000, 9'000'000}, nullptr);
    selection.setMachine({.topology = "torus:4x4"}, nullptr);
    const LocationRef hidden{0, LocationId(3)};
    selection.addFilter({.label = "one hidden", .locations = {hidden}}, nullptr);
    selection.setMarks({{{2'000'000, 3'000'000}, "here"}}, nullptr);
    Selection chosen;
    chosen.locations = {{0, LocationId(2)}};
    selection.setSelected(chosen, nullptr);
    const ViewState asChosen = selection.state();
    const auto isAsChosen = [&](std::uint32_t experiment) {
        const ViewState& now = selection.state();
        CHECK(now.visible == asChosen.visible);
        CHECK(now.machine == asChosen.machine);
        CHECK(now.marks == asChosen.marks);
        REQUIRE(now.filters.size() == 1);
        CHECK(now.filters.front().locations == std::vector<LocationRef>{{experiment, hidden.id}});
        CHECK(now.selected.locations == std::vector<LocationRef>{{experiment, LocationId(2)}});
    };
    fixture.window->loader().add({test::example("lulesh-8/trace-otf2")});
    fixture.settle();
    REQUIRE(fixture.window->loader().session()->experiments.size() == 2);
    isAsChosen(0);
    selection.setMarks({{{2'000'000, 3'000'000}, "there"}}, nullptr);
    fixture.settle();
    fixture.window->loader().remove(1);
    fixture.settle();
    // Marks are those of the session before alone, whatever was kept for the archive that is left.
    REQUIRE(selection.state().marks.size() == 1);
    CHECK(selection.state().marks.front().note == "there");
    selection.setMarks(asChosen.marks, nullptr);
    isAsChosen(0);
    fixture.window->loader().add({test::example("lulesh-8/trace-otf2")});
    fixture.settle();
    fixture.window->loader().remove(0);
    fixture.settle();
    // What was chosen in the run that is gone is gone with it.
    CHECK(selection.state().filters.empty());
    CHECK(selection.state().selected.locations.empty());
    CHECK(selection.state().machine == asChosen.machine);
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    CHECK(selection.state().machine == begun.machine);
    CHECK(selection.state().visible == begun.visible);
}

TEST_CASE("what is looked at stays where it is when another run moves the start of the session")
{
    ViewState state;
    state.visible = TimeSpan{100, 200};
    state.marks = {{{120, 130}, "here"}};
    const auto run = [](const char* path, std::int64_t startUnixNs) {
        Experiment made;
        made.path = path;
        made.definitions.clock.present = true;
        made.definitions.clock.realtimeNs = startUnixNs;
        auto trace = std::make_shared<Trace>();
        trace->extent = {0, 1'000'000'000};
        made.trace = std::move(trace);
        return std::make_shared<const Experiment>(std::move(made));
    };
    const std::int64_t day = 1'700'000'000'000'000'000;
    const Session alone{{run("b", day + 5'000)}};
    const Session both{{run("a", day), alone.experiments[0]}};
    REQUIRE(sessionClock(both).absolute);
    const auto carried = carriedState(state, alone, both);
    REQUIRE(carried);
    CHECK(carried->visible == TimeSpan{5'100, 5'200});
    REQUIRE(carried->marks.size() == 1);
    CHECK(carried->marks[0].span == TimeSpan{5'120, 5'130});
    CHECK_FALSE(carriedState(state, alone, Session{{run("b", day)}}));
    // With corrected clocks it is the same import.
    Experiment corrected = *alone.experiments[0];
    corrected.trace = std::make_shared<Trace>(*corrected.trace);
    CHECK(carriedState(state, alone, Session{{std::make_shared<const Experiment>(corrected)}}) == state);
    // What has numbers or times of before in words is left; what lies outside is not looked at.
    state.panels["profile"]["scope"] = "kept 100 200 1/0";
    state.panels["profile"]["order"] = "By name";
    state.visible = TimeSpan{2'000'000'000, 3'000'000'000};
    state.selected.handOvers = {{3}};
    const auto last = carriedState(state, both, alone);
    REQUIRE(last);
    CHECK_FALSE(last->visible);
    CHECK(last->selected.handOvers.empty());
    CHECK(last->panels.at("profile") == PanelSettings{{"order", "By name"}});
    // Times of files may be any.
    state.marks = {{{std::numeric_limits<TimeNs>::max() - 1, std::numeric_limits<TimeNs>::max()}, "end"}};
    const auto odd = carriedState(state, alone, both);
    REQUIRE(odd);
    CHECK(odd->marks[0].span.end == std::numeric_limits<TimeNs>::max());
}

TEST_CASE("what was lost is told by the rank that lacks it, until the user has read it")
{
    test::TemporaryFolder folder;
    copyArchive(folder.path() / "lost");
    fs::remove(folder.path() / "lost" / "traces" / "2.evt");
    test::WindowFixture fixture;
    fixture.open({QString::fromStdString((folder.path() / "lost").string())});
    auto* bar = fixture.child<LossBar>("lossBar");
    REQUIRE(bar);
    CHECK(bar->isVisible());
    CHECK(lossSentences(*fixture.window->loader().session())
          == QStringList{"Rank 1: no events, its file is missing (traces/2.evt)"});
    QTest::mouseClick(bar->findChild<QWidget*>("lossBar.report"), Qt::LeftButton);
    CHECK_FALSE(fixture.window->docks().find("import_report")->dock->isHidden());
    QTest::mouseClick(bar->findChild<QWidget*>("lossBar.close"), Qt::LeftButton);
    CHECK_FALSE(bar->isVisible());
    fixture.open({test::example("lulesh-8/trace-otf2")});
    CHECK_FALSE(bar->isVisible());
}

TEST_CASE("hand-overs have a table, and a row selects both ends with their numbers in the details")
{
    test::WindowFixture fixture;
    fixture.open(
        {test::example("workflow-12-4/sim/trace-otf2"), test::example("workflow-12-4/ana/trace-otf2")});
    fixture.trigger("panel.hand_overs");
    QTest::qWait(100);
    fixture.settle();
    auto* view = static_cast<HandOversView*>(fixture.window->docks().find("hand_overs")->view);
    REQUIRE(view->model().rowCount() > 0);
    auto* table = view->findChild<QTreeView*>();
    table->setCurrentIndex(view->model().index(0, 0));
    QTest::qWait(100);
    fixture.settle();
    const Selection& selected = fixture.window->selection().state().selected;
    REQUIRE(selected.handOvers.size() == 1);
    CHECK(selected.locations.size() == 2);
    CHECK(selected.locations.front().experiment != selected.locations.back().experiment);
    const QString details =
        fixture.window->docks().find("details")->view->findChild<QTextBrowser*>()->toPlainText();
    for (const char* word : {"Output", "Written at", "Taken at", "Waited"}) CHECK(details.contains(word));
}

TEST_CASE("F1 opens the guide, whose headings lead into it")
{
    test::WindowFixture fixture;
    fixture.trigger("help.guide");
    auto* guide = fixture.child<GuideWindow>("guide");
    REQUIRE(guide);
    CHECK(guide->text().toPlainText().contains("Keys and mouse"));
    auto* headings = guide->findChild<QListWidget*>("guide.headings");
    REQUIRE(headings->count() > 8);
    headings->setCurrentRow(headings->count() - 1);
    CHECK(guide->text().textCursor().blockNumber() > 20);
}

TEST_CASE("menus hold zoom, marks, messages and collectives, and panels are found by name")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    QStringList texts;
    for (const QMenu* menu : fixture.window->menuBar()->findChildren<QMenu*>())
        for (const QAction* action : menu->actions()) texts.push_back(action->objectName());
    for (const char* name : {"view.zoomIn", "view.zoomOut", "timeline.zoomToSpan", "timeline.mark",
                             "timeline.messages", "timeline.collectives", "timeline.waits"}) {
        INFO(name);
        CHECK(texts.contains(name));
    }
    const TimeSpan whole{0, 1};
    fixture.trigger("view.zoomIn");
    QTest::qWait(20);
    REQUIRE(fixture.window->selection().state().visible);
    CHECK(fixture.window->selection().state().visible->lengthNs() > whole.lengthNs());
    auto* panels = fixture.child<QMenu>("view.panels");
    REQUIRE(panels);
    Q_EMIT panels->aboutToShow();
    auto* field = panels->findChild<QLineEdit*>("view.panels.find");
    REQUIRE(field);
    field->setText("hand");
    int found = 0;
    for (const QAction* action : panels->actions())
        found += action->isVisible() && action->isCheckable() ? 1 : 0;
    CHECK(found == 1);
}

}  // namespace skein::archives_test
