// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/clock_dialog.h"
#include "app/gui/search/finder_popup.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/status_line.h"
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "views/call_tree/call_tree_model.h"
#include "views/function_summary/summary_model.h"

#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace skein::session_test {

using namespace skein::gui;

namespace {

QTreeView* table(const test::WindowFixture& fixture, const char* view)
{
    return fixture.window->docks().find(view)->view->findChild<QTreeView*>();
}

QModelIndex find(const QTreeView* view, const QString& name)
{
    const auto found = view->model()->match(view->model()->index(0, 0), Qt::DisplayRole, name, 1,
                                            Qt::MatchExactly | Qt::MatchRecursive);
    REQUIRE(found.size() == 1);
    return found[0];
}

void click(QTreeView* view, const QModelIndex& index, Qt::KeyboardModifiers modifiers = {})
{
    view->scrollTo(index);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, modifiers, view->visualRect(index).center());
    QTest::qWait(20);
}

QString detailsText(const test::WindowFixture& fixture)
{
    return fixture.window->docks().find("details")->view->findChild<QTextBrowser*>()->toPlainText();
}

}  // namespace

TEST_CASE("selecting in one view selects in all")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* summary = table(fixture, "function_summary");
    auto* tree = table(fixture, "call_tree");
    click(summary, find(summary, "MPI_Allreduce()"));
    CHECK(fixture.window->selection().state().selected.regions.size() == 1);
    CHECK_FALSE(tree->selectionModel()->selectedRows().isEmpty());
    for (const QModelIndex& row : tree->selectionModel()->selectedRows())
        CHECK(row.data().toString() == "MPI_Allreduce()");
    CHECK(detailsText(fixture).contains("MPI_Allreduce()"));
    click(tree, find(tree, "MPI_Init()"));
    REQUIRE(summary->selectionModel()->selectedRows().size() == 1);
    CHECK(summary->selectionModel()->selectedRows()[0].data().toString() == "MPI_Init()");
    CHECK(detailsText(fixture).contains("MPI_Init()"));
    fixture.trigger("edit.clearSelection");
    QTest::qWait(20);
    CHECK(tree->selectionModel()->selectedRows().isEmpty());
    CHECK(summary->selectionModel()->selectedRows().isEmpty());
}

TEST_CASE("a call that is selected elsewhere is found in tree, summary and details")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const Session& session = *fixture.window->loader().session();
    const Selection selected = select(session, IntervalRef{0, LocationId(3), 40});
    REQUIRE(selected.callPaths.size() == 1);
    fixture.window->selection().setSelected(selected, nullptr);
    QTest::qWait(20);
    CHECK(table(fixture, "call_tree")->selectionModel()->selectedRows().size() == 1);
    CHECK(table(fixture, "function_summary")->selectionModel()->selectedRows().size() == 1);
    CHECK(detailsText(fixture).contains("Call of"));
    CHECK(detailsText(fixture).contains("Rank 3"));
}

TEST_CASE("the summary follows the visible window")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const auto* model = qobject_cast<const SummaryModel*>(table(fixture, "function_summary")->model());
    REQUIRE(model);
    const double whole = model->rows().totalExclusive;
    fixture.window->selection().setVisible(TimeSpan{600'000'000, 610'000'000}, nullptr);
    QTest::qWait(150);
    fixture.settle();
    CHECK_FALSE(model->rows().wholeRun);
    CHECK(model->rows().totalExclusive < whole / 10);
    CHECK(model->rows().totalExclusive == Approx(8 * 10e6).epsilon(0.01));
    fixture.trigger("view.back");
    QTest::qWait(150);
    fixture.settle();
    CHECK(model->rows().totalExclusive == whole);
}

TEST_CASE("what was unfolded by hand stays so in another window, and the table where it is")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* tree = table(fixture, "call_tree");
    const QStringList opened{"LagrangeLeapFrog(Domain&)", "LagrangeNodal(Domain&)",
                             "LagrangeElements(Domain&, int)"};
    for (const QString& name : opened) tree->expand(find(tree, name));
    tree->collapse(find(tree, "LagrangeElements(Domain&, int)"));
    fixture.settle();
    constexpr int kPlace = 30;
    REQUIRE(tree->verticalScrollBar()->maximum() > kPlace);
    tree->verticalScrollBar()->setValue(kPlace);
    const TimeSpan windows[] = {{600'000'000, 610'000'000}, {584'000'000, 640'000'000}};
    for (const TimeSpan& window : windows) {
        fixture.window->selection().setVisible(window, nullptr);
        QTest::qWait(150);
        fixture.settle();
        CHECK(tree->isExpanded(find(tree, "LagrangeLeapFrog(Domain&)")));
        CHECK(tree->isExpanded(find(tree, "LagrangeNodal(Domain&)")));
        CHECK_FALSE(tree->isExpanded(find(tree, "LagrangeElements(Domain&, int)")));
        CHECK(tree->verticalScrollBar()->value() == std::min(kPlace, tree->verticalScrollBar()->maximum()));
    }
    // Another archive begins with its hot path.
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    CHECK(tree->verticalScrollBar()->value() == 0);
    CHECK(tree->isExpanded(find(tree, "time_step")));
}

TEST_CASE("tables stay where they were scrolled to when sums of another window come")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* summary = table(fixture, "function_summary");
    const SessionPtr session = fixture.window->loader().session();
    const auto& regions = session->experiments[0]->definitions.regions;
    for (std::uint32_t id = 0; id < regions.size(); ++id)
        if (regions[id].name.starts_with("MPI_Isend"))
            fixture.window->selection().setSelected(select(*session, RegionRef{0, RegionId(id)}), nullptr);
    fixture.settle();
    const auto place = [&] { return summary->verticalScrollBar()->value(); };
    CHECK(place() > 0);  // what is selected elsewhere is brought into sight
    summary->verticalScrollBar()->setValue(summary->verticalScrollBar()->maximum() / 2);
    const int before = place();
    fixture.window->selection().setVisible(TimeSpan{584'000'000, 640'000'000}, nullptr);
    QTest::qWait(150);
    fixture.settle();
    CHECK(place() == std::min(before, summary->verticalScrollBar()->maximum()));
    CHECK(summary->selectionModel()->selectedRows().size() == 1);
}

TEST_CASE("a click on a column sorts by it and again turns it round")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* summary = table(fixture, "function_summary");
    const auto* model = qobject_cast<const SummaryModel*>(summary->model());
    auto* header = summary->header();
    const auto clickColumn = [&](int column) {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 5, header->height() / 2});
    };
    clickColumn(SummaryModel::kCalls);
    const double first = model->row(0).region.values.calls;
    clickColumn(SummaryModel::kCalls);
    const double again = model->row(0).region.values.calls;
    CHECK(first != again);
    for (int row = 1; row < model->rowCount(); ++row) {
        const double before = model->row(row - 1).region.values.calls;
        const double here = model->row(row).region.values.calls;
        CHECK((first < again ? before >= here : before <= here));
    }
}

TEST_CASE("the hot path button leads to where the time went")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* tree = table(fixture, "call_tree");
    tree->collapseAll();
    tree->setCurrentIndex({});
    QToolButton* hotPath = nullptr;
    for (auto* button : fixture.window->docks().find("call_tree")->view->findChildren<QToolButton*>())
        if (button->text() == "Hot Path") hotPath = button;
    REQUIRE(hotPath);
    QTest::mouseClick(hotPath, Qt::LeftButton);
    CHECK(tree->currentIndex().data().toString() == "MPI_Init()");
    CHECK(tree->isExpanded(tree->currentIndex().parent()));
}

TEST_CASE("what the end of the hot path called is in sight when an archive opens")
{
    const test::TemporaryFolder folder;
    const auto file = test::fileWith(folder, "stacks.folded", "main 70\nmain;work 20\nmain;work;inner 10\n");
    test::WindowFixture fixture;
    fixture.open({QString::fromStdString(file)});
    const auto* tree = table(fixture, "call_tree");
    const QModelIndex main = tree->model()->index(0, 0);
    REQUIRE(main.data().toString() == "main");
    CHECK(tree->isExpanded(main));
    CHECK_FALSE(tree->isExpanded(tree->model()->index(0, 0, main)));
}

TEST_CASE("the filter of the call tree unfolds what it finds and can be copied as text")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* tree = table(fixture, "call_tree");
    QTest::keyClick(tree, Qt::Key_F, Qt::ControlModifier);
    auto* filter = fixture.window->docks().find("call_tree")->view->findChild<QLineEdit*>();
    QTest::keyClicks(filter, "allreduce");
    const QModelIndex found = find(tree, "MPI_Allreduce()");
    CHECK(tree->isExpanded(found.parent()));
    click(tree, found);
    QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier);
    const QStringList copied = QApplication::clipboard()->text().split('\n');
    REQUIRE(copied.size() == 2);
    CHECK(copied[0].contains("Exclusive [ns]"));
    CHECK(copied[1].startsWith("MPI_Allreduce()\t"));
}

TEST_CASE("search finds regions and locations and selects them")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    QTest::keyClick(fixture.window.get(), Qt::Key_Slash);
    auto* popup = fixture.child<FinderPopup>("searchPopup");
    REQUIRE(popup->isVisible());
    auto* query = popup->findChild<QLineEdit*>();
    QTest::keyClicks(query, "rank 5");
    CHECK(popup->findChild<QListWidget*>()->count() == 1);
    QTest::keyClick(query, Qt::Key_Return);
    CHECK(fixture.window->selection().state().selected.locations
          == std::vector<LocationRef>{{0, LocationId(5)}});
}

TEST_CASE("the timeline has the keyboard when an archive is open, and again after a search")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.window->activateWindow();
    View* timeline = fixture.window->docks().find("timeline")->view;
    View* overview = fixture.window->docks().find("overview")->view;
    CHECK(QApplication::focusWidget() == timeline);
    auto* popup = fixture.child<FinderPopup>("searchPopup");
    for (View* before : {timeline, overview}) {
        before->setFocus();
        for (const Qt::Key key : {Qt::Key_Escape, Qt::Key_Return}) {
            QTest::keyClick(fixture.window.get(), Qt::Key_Slash);
            REQUIRE(popup->isVisible());
            auto* query = popup->findChild<QLineEdit*>();
            QTest::keyClicks(query, "rank 5");
            QTest::keyClick(query, key);
            CHECK(QApplication::focusWidget() == before);
        }
    }
}

TEST_CASE("who types while an archive is opened keeps the keyboard")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.window->activateWindow();
    auto* filter = fixture.window->docks().find("call_tree")->view->findChild<QLineEdit*>();
    filter->setFocus();
    QTest::keyClicks(filter, "mpi");
    fixture.open({test::example("lulesh-8/trace-otf2")});
    CHECK(QApplication::focusWidget() == filter);
    filter->clear();
    fixture.open({test::example("lulesh-8/trace-otf2")});
    CHECK(QApplication::focusWidget() == fixture.window->docks().find("timeline")->view);
}

TEST_CASE("details follow the clock of a component that is shifted")
{
    test::WindowFixture fixture;
    // Numbers follow the words a moment later.
    const auto settleNumbers = [&] {
        QTest::qWait(200);
        fixture.settle();
    };
    fixture.open(
        {test::example("workflow-12-4/sim/trace-otf2"), test::example("workflow-12-4/ana/trace-otf2")});
    fixture.window->selection().setSelected(
        select(*fixture.window->loader().session(), IntervalRef{1, LocationId(2), 0}), nullptr);
    settleNumbers();
    auto* text = fixture.window->docks().find("details")->view->findChild<QTextBrowser*>();
    const QString before = text->toPlainText();
    fixture.window->selection().setClockShifts({0, 100'000'000}, nullptr);
    settleNumbers();
    const bool follows = text->toPlainText() != before;
    CHECK(follows);
    fixture.window->selection().setClockShifts({}, nullptr);
    settleNumbers();
    const bool isBack = text->toPlainText() == before;
    CHECK(isBack);
}

TEST_CASE("a profile without a trace fills tree and summary")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-callpath")});
    CHECK(table(fixture, "call_tree")->model()->rowCount() > 0);
    CHECK(table(fixture, "function_summary")->model()->rowCount() > 0);
    fixture.open({test::example("lulesh-8/profile-flat")});
    CHECK(table(fixture, "call_tree")->model()->rowCount() > 10);
}

TEST_CASE("clocks that are apart are shown and corrected on demand, and the correction can be undone")
{
    test::WindowFixture fixture;
    fixture.open({test::example("eztrace-lulesh-8/trace-otf2")});
    const SessionPtr recorded = fixture.window->loader().session();
    fixture.trigger("session.clocks");
    fixture.settle();
    auto* dialog = fixture.child<ClockDialog>("clockDialog");
    REQUIRE(dialog);
    auto* correct = dialog->findChild<QPushButton*>("correctClocks");
    REQUIRE(correct->isEnabled());
    QTest::mouseClick(correct, Qt::LeftButton);
    fixture.settle();
    const SessionPtr corrected = fixture.window->loader().session();
    CHECK(corrected != recorded);
    CHECK(fixture.window->loader().isDerived());
    CHECK(corrected->experiments[0]->trace->extent.lengthNs()
          != recorded->experiments[0]->trace->extent.lengthNs());
    fixture.trigger("session.recordedClocks");
    CHECK(fixture.window->loader().session() == recorded);
}

TEST_CASE("every action can be triggered from the keyboard with nothing and with something open")
{
    test::WindowFixture fixture;
    for (const char* path : {"", "lulesh-8/profile-callpath"}) {
        if (*path) fixture.open({test::example(path)});
        for (const auto& entry : fixture.window->actionRegistry().entries()) {
            INFO(entry.id.toStdString());
            if (entry.id == "file.quit" || entry.id == "view.fullScreen" || !entry.action->isEnabled())
                continue;
            entry.action->trigger();
            QTest::qWait(1);
            for (QDialog* dialog : fixture.window->findChildren<QDialog*>()) dialog->close();
            if (*path && !fixture.window->loader().session()) fixture.open({test::example(path)});
        }
    }
    fixture.settle();
}

}  // namespace skein::session_test
