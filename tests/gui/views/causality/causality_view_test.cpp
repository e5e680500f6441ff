// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/causality/causality_view.h"

#include "tests/gui/support/window_fixture.h"

#include <QAbstractItemModelTester>
#include <QChart>
#include <QChartView>
#include <QComboBox>
#include <QDockWidget>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeView>

namespace skein::causality_view_test {

namespace {

struct Opened : test::WindowFixture {
    CausalityView* view = nullptr;

    explicit Opened(const char* archive)
    {
        open({test::example(archive)});
        const auto* panel = window->docks().find("causality");
        panel->dock->show();
        panel->dock->raise();
        view = qobject_cast<CausalityView*>(panel->view);
        settleAll();
    }
    void settleAll()
    {
        QTest::qWait(150);
        settle();
    }
    int variables() { return child<QComboBox>("causality.of")->count(); }
};

}  // namespace

TEST_CASE(
    "the causality table holds what leads a metric, or all pairs, and draws the answer of the chosen one")
{
    Opened opened("heatflow-16x2/trace-otf2");
    auto& rows = const_cast<CausalityModel&>(opened.view->model());
    const QAbstractItemModelTester tester(&rows);
    const int count = opened.variables();
    REQUIRE(count >= 2);
    CHECK(rows.rowCount() == count - 1);
    for (int row = 1; row < rows.rowCount(); ++row) CHECK(rows.link(row).to == rows.link(0).to);
    auto* chart = opened.child<QChartView>("causality.response")->chart();
    CHECK(chart->series().size() == 2);
    opened.child<QComboBox>("causality.direction")->setCurrentIndex(2);
    CHECK(rows.rowCount() == count * (count - 1));
    rows.sort(CausalityModel::kShare, Qt::DescendingOrder);
    for (int row = 1; row < rows.rowCount(); ++row)
        CHECK_FALSE(rows.link(row).share > rows.link(row - 1).share);
    opened.child<QComboBox>("causality.direction")->setCurrentIndex(1);
    for (int row = 1; row < rows.rowCount(); ++row) CHECK(rows.link(row).from == rows.link(0).from);
}

TEST_CASE("fewer than two metrics is a sentence, and another number of lags another model")
{
    Opened opened("lulesh-8/trace-otf2");
    const int before = opened.variables();
    REQUIRE(before >= 2);
    auto* lags = opened.child<QSpinBox>("causality.lags");
    lags->setValue(2);
    opened.settleAll();
    CHECK(opened.view->model().rowCount() == before - 1);
    const auto actions = opened.child<QToolButton>("causality.metrics")->menu()->actions();
    for (QAction* action : actions) action->setChecked(action == actions.front());
    opened.settleAll();
    CHECK_FALSE(opened.view->findChild<QTreeView*>()->isVisible());
}

}  // namespace skein::causality_view_test
