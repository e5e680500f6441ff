// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/compare_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/tree_graph/tree_graph_canvas.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

#include <fstream>

namespace skein::compare_view_test {
namespace {

void writeRun(const std::filesystem::path& file, const char* leaf, double solve)
{
    std::ofstream(file) << R"json([{"frame":{"name":"main"},"metrics":{"time":1,"time (inc)":)json"
                        << 3 + solve << R"json(},"children":[{"frame":{"name":")json" << leaf
                        << R"json("},"metrics":{"time":2,"time (inc)":2}},)json"
                        << R"json({"frame":{"name":"solve"},"metrics":{"time":)json" << solve
                        << R"json(,"time (inc)":)json" << solve << "}}]}]";
}

struct Opened : test::WindowFixture {
    test::TemporaryFolder folder;

    Opened()
    {
        writeRun(folder.path() / "old.json", "write_output", 3);
        writeRun(folder.path() / "new.json", "write_outputs", 4.5);
        open({file("old.json"), file("new.json")});
        window->docks().focusView("compare");
        settleAll();
    }
    QString file(const char* name) const { return QString::fromStdString((folder.path() / name).string()); }
    void settleAll()
    {
        settle();
        QTest::qWait(150);
        settle();
    }
    CompareView& view() const { return *static_cast<CompareView*>(window->docks().find("compare")->view); }
    QTreeView& tableOf(const char* panel) const
    {
        return *window->docks().find(panel)->view->findChild<QTreeView*>();
    }
    QStringList headers(const char* panel) const
    {
        const QAbstractItemModel& model = *tableOf(panel).model();
        QStringList titles;
        for (int column = 0; column < model.columnCount(); ++column)
            titles << model.headerData(column, Qt::Horizontal).toString();
        return titles;
    }
    void choose(const char* name, int row)
    {
        auto* box = child<QComboBox>(name);
        box->setCurrentIndex(row);
        Q_EMIT box->activated(row);
        settleAll();
    }
};

}  // namespace

TEST_CASE("two runs are compared, what got slower first")
{
    Opened opened;
    REQUIRE(opened.view().compared());
    CHECK(opened.view().compared()->rows.rows.size() == 4);
    const QAbstractItemModel& model = *opened.tableOf("compare").model();
    REQUIRE(model.rowCount() == 4);
    CHECK(model.index(0, 0).data().toString() == "write_outputs");
    CHECK(model.index(1, 0).data().toString() == "solve");
    CHECK(model.index(1, 1).data().toString() == "1.500 s");
    opened.choose("compare.rows", 3);
    CHECK(model.rowCount() == 2);
    opened.tableOf("compare").selectAll();
    opened.settleAll();
    CHECK(opened.window->selection().state().selected.callPaths.size() == 4);
    opened.choose("comparison.b", 0);
    CHECK_FALSE(opened.view().compared());
    opened.trigger("edit.undo");
    opened.settleAll();
    CHECK(opened.view().compared());
}

TEST_CASE("an expression that names both runs is a column of the comparison")
{
    Opened opened;
    const QStringList before = opened.headers("compare");
    opened.window->selection().setDerived("b.time / a.time", nullptr);
    opened.settleAll();
    const QStringList after = opened.headers("compare");
    REQUIRE(after.size() == before.size() + 1);
    const auto column = static_cast<int>(after.indexOf("b.time / a.time"));
    REQUIRE(column > 0);
    const QAbstractItemModel& model = *opened.tableOf("compare").model();
    REQUIRE(model.index(1, 0).data().toString() == "solve");
    CHECK(model.index(1, column).data().toString().toStdString() == "1.500 ");
    opened.window->selection().setDerived("b.nothing / a.time", nullptr);
    opened.settleAll();
    CHECK(opened.headers("compare").size() == before.size() + 1);
    CHECK(model.index(1, column).data().toString() == "–");
    opened.window->selection().setDerived("", nullptr);
    opened.settleAll();
    CHECK(opened.headers("compare") == before);
}

TEST_CASE("call tree and function summary have the expression of both runs while they show two")
{
    Opened opened;
    ComparisonChoice shown = opened.window->selection().state().comparison;
    shown.shown = true;
    opened.window->selection().setComparison(shown, nullptr);
    for (const char* panel : {"call_tree", "function_summary"}) {
        INFO(panel);
        opened.window->docks().focusView(panel);
        opened.window->selection().setDerived("b.time / a.time", nullptr);
        opened.settleAll();
        const QAbstractItemModel& model = *opened.tableOf(panel).model();
        const auto column = static_cast<int>(opened.headers(panel).indexOf("b.time / a.time"));
        REQUIRE(column > 0);
        const auto found = model.match(model.index(0, 0), Qt::DisplayRole, "solve", 1,
                                       Qt::MatchExactly | Qt::MatchRecursive);
        REQUIRE(found.size() == 1);
        CHECK(found.front().siblingAtColumn(column).data().toString().toStdString() == "1.500 ");
        opened.window->selection().setDerived("time.inc", nullptr);
        opened.settleAll();
        CHECK(opened.headers(panel).contains("A: time.inc"));
        CHECK(opened.headers(panel).contains("B: time.inc"));
        opened.window->selection().setDerived("", nullptr);
        opened.settleAll();
        CHECK_FALSE(opened.headers(panel).contains("A: time.inc"));
    }
}

TEST_CASE("a comparison that is under way does not come once both sides are the same run")
{
    Opened opened;
    auto* const per = opened.child<QComboBox>("comparison.per");
    auto* const b = opened.child<QComboBox>("comparison.b");
    per->setCurrentIndex(1);
    Q_EMIT per->activated(1);
    b->setCurrentIndex(0);
    Q_EMIT b->activated(0);
    opened.settleAll();
    CHECK_FALSE(opened.view().compared());
}

TEST_CASE("a renamed function is proposed, and confirmed compared as one")
{
    Opened opened;
    opened.view().showMatches();
    auto* list = opened.window->findChild<QDialog*>("compare.matchDialog")->findChild<CellTable*>();
    REQUIRE(list->cells().rowCount() == 1);
    CHECK(list->cellOf(0, 0).data().toString() == "main => write_outputs");
    CHECK(list->cellOf(0, 1).data().toString() == "main => write_output");
    CHECK(list->cells().setData(list->cellOf(0, 0), Qt::Checked, Qt::CheckStateRole));
    CHECK(list->cellOf(0, 0).data(Qt::CheckStateRole).toInt() == Qt::Checked);
    opened.settleAll();
    CHECK(opened.window->selection().state().comparison.matches.size() == 1);
    CHECK(opened.view().compared()->rows.rows.size() == 3);
    opened.trigger("edit.undo");
    opened.settleAll();
    CHECK(opened.view().compared()->rows.rows.size() == 4);
}

TEST_CASE("call tree, summary and call graph show both runs while the user wants it")
{
    Opened opened;
    opened.window->docks().focusView("call_tree");
    opened.window->docks().focusView("function_summary");
    opened.window->docks().focusView("tree_graph");
    opened.settleAll();
    const QStringList before = opened.headers("call_tree");
    const QStringList summary = opened.headers("function_summary");
    opened.window->docks().focusView("compare");
    opened.child<QCheckBox>("comparison.shown")->click();
    opened.window->docks().focusView("function_summary");
    opened.settleAll();
    CHECK(opened.headers("call_tree")
          == QStringList{"Call path", "A", "B", "B − A", "B / A", "Speed-up", "Own B − A", "Verdict"});
    CHECK(opened.headers("function_summary").contains("Incl. B − A"));
    const QAbstractItemModel& tree = *opened.tableOf("call_tree").model();
    REQUIRE(tree.rowCount() == 1);
    CHECK(tree.rowCount(tree.index(0, 0)) == 3);
    CHECK(tree.index(0, 3).data().toString() == "1.500 s");
    const auto* canvas = opened.child<TreeGraphCanvas>("tree_graph.canvas");
    REQUIRE(canvas->graph());
    CHECK(canvas->graph()->color.isDifference);
    opened.choose("tree_graph.beside", 1);
    auto* other = opened.child<TreeGraphCanvas>("tree_graph.other");
    REQUIRE(other->graph());
    CHECK_FALSE(canvas->graph()->color.isDifference);
    CHECK(canvas->graph()->layout.across == other->graph()->layout.across);
    other->zoomBy(2);
    CHECK(canvas->options().camera == other->options().camera);
    opened.window->docks().focusView("compare");
    opened.child<QCheckBox>("comparison.shown")->click();
    opened.window->docks().focusView("function_summary");
    opened.settleAll();
    CHECK(opened.headers("call_tree") == before);
    CHECK(opened.headers("function_summary") == summary);
}

TEST_CASE("one run alone says how to compare")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-callpath")});
    fixture.window->docks().focusView("compare");
    fixture.settle();
    auto* view = static_cast<CompareView*>(fixture.window->docks().find("compare")->view);
    CHECK_FALSE(view->compared());
    for (QAction* action : view->actions()) action->trigger();
}

TEST_CASE("repeated runs give differences an interval, and what noise explains is the same")
{
    Opened opened;
    writeRun(opened.folder.path() / "old2.json", "write_output", 3.4);
    writeRun(opened.folder.path() / "new2.json", "write_outputs", 4.1);
    opened.open({opened.file("old.json"), opened.file("new.json"), opened.file("old2.json"),
                 opened.file("new2.json")});
    opened.window->docks().focusView("compare");
    opened.settleAll();
    REQUIRE(opened.view().compared());
    CHECK_FALSE(opened.view().compared()->repeated);
    auto* menu = opened.child<QToolButton>("compare.repeats")->menu();
    const auto toggle = [&](const char* action) {
        Q_EMIT menu->aboutToShow();
        auto* found = menu->findChild<QAction*>(action);
        REQUIRE(found);
        found->trigger();
        opened.settleAll();
    };
    toggle("compare.repeat.a.2");
    toggle("compare.repeat.b.3");
    const ComparedRowsPtr compared = opened.view().compared();
    REQUIRE(compared);
    CHECK(compared->repeated);
    std::size_t solve = 0;
    while (compared->rows.rows[solve].name != "solve") ++solve;
    const ChangeEstimate expected = estimateChange({3e9, 3.4e9}, {4.5e9, 4.1e9});
    CHECK(compared->exclusive[solve].a == Approx(3.2e9));
    CHECK(compared->exclusive[solve].b == Approx(4.3e9));
    CHECK(compared->exclusive[solve].interval);
    CHECK(compared->exclusive[solve].low == Approx(expected.low));
    CHECK(compared->exclusive[solve].high == Approx(expected.high));
    const QStringList titles = opened.headers("compare");
    CHECK(titles[2] == "At least");
    CHECK(titles[3] == "At most");
    CHECK(compared->titleA.ends_with("and 1 more"));
    toggle("compare.repeat.b.2");
    const ComparisonChoice& choice = opened.window->selection().state().comparison;
    CHECK(choice.a.also.empty());
    CHECK(choice.b.also == std::vector<std::uint32_t>{2, 3});
    opened.trigger("edit.undo");
    CHECK(opened.window->selection().state().comparison.a.also == std::vector<std::uint32_t>{2});
}

}  // namespace skein::compare_view_test
