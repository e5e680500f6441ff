// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/call_tree/call_tree_model.h"
#include "views/common/expression_dialog.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_delegate.h"
#include "views/tree_graph/tree_graph_canvas.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeView>

#include <cmath>

namespace skein::derived_metric_test {
namespace {

struct Opened : test::WindowFixture {
    Opened()
    {
        open({test::example("lulesh-8/trace-otf2")});
        show("call_tree");
    }
    void show(const char* view)
    {
        window->docks().focusView(view);
        settleAll();
    }
    void settleAll()
    {
        settle();
        QTest::qWait(120);
        settle();
    }
    const QAbstractItemModel& modelOf(const char* panel) const
    {
        return *window->docks().find(panel)->view->findChild<QTreeView*>()->model();
    }
    QString lastHeader(const char* panel) const
    {
        const QAbstractItemModel& model = modelOf(panel);
        return model.headerData(model.columnCount() - 1, Qt::Horizontal).toString();
    }
};

/// Every row: calls visit(index of its first column).
template <typename Visit>
void forEachRow(const QAbstractItemModel& model, const QModelIndex& parent, Visit visit)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        visit(index);
        forEachRow(model, index, visit);
    }
}

double numberAt(const QModelIndex& row, int column)
{
    return row.siblingAtColumn(column).data(kSortRole).toDouble();
}

}  // namespace

TEST_CASE("a metric by expression is a column of call tree and summary, and a colour of the call graph")
{
    Opened opened;
    const QString before = opened.lastHeader("call_tree");
    opened.window->selection().setDerived("time.inc / calls", nullptr);
    opened.settleAll();
    CHECK(opened.lastHeader("call_tree") == "time.inc / calls");
    std::size_t rows = 0;
    const QAbstractItemModel& tree = opened.modelOf("call_tree");
    forEachRow(tree, {}, [&](const QModelIndex& row) {
        const double calls = numberAt(row, CallTreeModel::kCalls);
        const double expected = numberAt(row, CallTreeModel::kInclusive) / calls;
        const double shown = numberAt(row, CallTreeModel::kDerived);
        CHECK(std::abs(shown - expected) <= 1e-9 * expected);
        ++rows;
    });
    CHECK(rows > 20);
    opened.show("function_summary");
    CHECK(opened.lastHeader("function_summary") == "time.inc / calls");
    const QAbstractItemModel& summary = opened.modelOf("function_summary");
    const int last = summary.columnCount() - 1;
    forEachRow(summary, {}, [&](const QModelIndex& row) {
        CHECK(std::abs(numberAt(row, last) - numberAt(row, 3) / numberAt(row, 4))
              <= 1e-9 * numberAt(row, last));
    });
    opened.show("tree_graph");
    auto* color = opened.child<QComboBox>("tree_graph.color");
    REQUIRE(color->itemText(color->count() - 1).endsWith("time.inc / calls"));
    color->setCurrentIndex(color->count() - 1);
    Q_EMIT color->activated(color->count() - 1);
    opened.settleAll();
    const auto* canvas = opened.child<TreeGraphCanvas>("tree_graph.canvas");
    REQUIRE(canvas->graph());
    CHECK(canvas->graph()->color.name == "time.inc / calls");
    CHECK(canvas->graph()->color.unit == "ns");
    CHECK(canvas->graph()->color.greatest > 0.0);
    opened.show("call_tree");
    opened.window->selection().setDerived("", nullptr);
    opened.settleAll();
    CHECK(opened.lastHeader("call_tree") == before);
}

TEST_CASE("filters hide regions from a metric by expression as they do from the rows")
{
    Opened opened;
    opened.window->selection().setDerived("time.inc / calls", nullptr);
    opened.settleAll();
    const Session& session = *opened.window->loader().session();
    std::vector<RegionRef> hidden;
    const auto& regions = session.experiments[0]->definitions.regions;
    for (std::uint32_t id = 0; id < regions.size(); ++id)
        if (regions[id].name.starts_with("LagrangeNodal")) hidden.push_back({0, RegionId(id)});
    REQUIRE_FALSE(hidden.empty());
    opened.window->selection().setFilters({{"x", FilterEffect::Hide, hidden, {}, {}}}, nullptr);
    opened.settleAll();
    std::size_t rows = 0;
    forEachRow(opened.modelOf("call_tree"), {}, [&](const QModelIndex& row) {
        CHECK_FALSE(row.data().toString().startsWith("LagrangeNodal"));
        const double calls = numberAt(row, CallTreeModel::kCalls);
        const double expected = numberAt(row, CallTreeModel::kInclusive) / calls;
        CHECK(std::abs(numberAt(row, CallTreeModel::kDerived) - expected) <= 1e-9 * expected);
        ++rows;
    });
    CHECK(rows > 10);
}

TEST_CASE("an expression that an archive cannot answer leaves the column empty and says why")
{
    Opened opened;
    opened.window->selection().setDerived("PAPI_TOT_INS / calls", nullptr);
    opened.settleAll();
    const QAbstractItemModel& tree = opened.modelOf("call_tree");
    CHECK(std::isnan(numberAt(tree.index(0, 0), CallTreeModel::kDerived)));
    CHECK(tree.headerData(CallTreeModel::kDerived, Qt::Horizontal, Qt::ToolTipRole)
              .toString()
              .contains("PAPI_TOT_INS"));
}

TEST_CASE("the dialog points at the character that is wrong and takes only what can be read")
{
    Opened opened;
    CHECK(expressionProblem("time.inc / calls").isEmpty());
    CHECK(expressionProblem("").isEmpty());
    CHECK(expressionProblem("time +* 2").contains("At character 7"));
    askForExpression(opened.window->selection(), opened.window.get());
    auto* dialog = opened.child<QDialog>("expression.dialog");
    REQUIRE(dialog);
    auto* text = dialog->findChild<QLineEdit*>("expression.text");
    auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    text->setText("share(time");
    CHECK_FALSE(ok->isEnabled());
    CHECK(dialog->findChild<QLabel*>("expression.problem")->text().contains('^'));
    text->setText("share(time.inc)");
    CHECK(ok->isEnabled());
    ok->click();
    opened.settleAll();
    CHECK(opened.window->selection().state().derived == "share(time.inc)");
    const QAbstractItemModel& tree = opened.modelOf("call_tree");
    CHECK(tree.headerData(CallTreeModel::kDerived, Qt::Horizontal).toString() == "share(time.inc)");
    forEachRow(tree, {}, [&](const QModelIndex& row) {
        CHECK(std::abs(numberAt(row, CallTreeModel::kDerived) - numberAt(row, CallTreeModel::kPercent))
              < 1e-9);
    });
}

}  // namespace skein::derived_metric_test
