// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/causality/causality_view.h"

#include "tests/gui/support/window_fixture.h"
#include "tests/support/scenes.h"

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

TEST_CASE(
    "the saved picture of causality holds the significant rows in colour and the response of the chosen one")
{
    Opened opened("heatflow-16x2/trace-otf2");
    opened.child<QComboBox>("causality.direction")->setCurrentIndex(2);
    const CausalityModel& rows = opened.view->model();
    std::size_t significant = 0;
    for (int row = 0; row < rows.rowCount(); ++row) significant += rows.significant(row) ? 1 : 0;
    REQUIRE(significant > 0);
    auto* table = opened.view->findChild<QTreeView*>();
    const QModelIndex second = table->model()->index(1, 0);
    table->setCurrentIndex(second);
    const std::string title = table->model()->index(1, CausalityModel::kTo).data().toString().toStdString()
        + " after a shock in " + second.data().toString().toStdString();
    for (const int width : {500, 1600}) {
        INFO(width << " pixels");
        const auto height = opened.view->pictureHeight(width);
        REQUIRE(height);
        const auto list = opened.view->drawnPicture(width, *height);
        REQUIRE(list);
        CHECK(list->width == width);
        CHECK(list->height == *height);
        std::size_t coloured = 0, pieces = 0;
        for (const RectItem& item : test::itemsOf<RectItem>(*list))
            coloured += item.fill == Color{0xff, 0xf3, 0xb0, 0xff} ? 1 : 0;
        CHECK(coloured % significant == 0);
        CHECK(coloured >= significant);
        for (const LineItem& item : test::itemsOf<LineItem>(*list)) {
            pieces += item.width == 2 ? 1 : 0;
            CHECK(item.to.x <= width);
            CHECK(item.to.y <= *height);
        }
        CHECK(pieces == 10);
        CHECK(test::shows(*list, title));
    }
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

TEST_CASE("a number of lags that is taken back at once leaves the model as it was")
{
    Opened opened("heatflow-16x2/trace-otf2");
    const auto shown = [&] {
        const QAbstractItemModel& rows = opened.view->model();
        QStringList cells;
        for (int row = 0; row < rows.rowCount(); ++row)
            for (int column = 0; column < rows.columnCount(); ++column)
                cells << rows.index(row, column).data().toString();
        return cells;
    };
    const QStringList before = shown();
    auto* lags = opened.child<QSpinBox>("causality.lags");
    const int best = lags->value();
    lags->setValue(3);
    opened.settleAll();
    CHECK(shown() != before);
    lags->setValue(best);
    opened.settleAll();
    CHECK(shown() == before);
    lags->setValue(3);
    lags->setValue(best);
    opened.settleAll();
    CHECK(shown() == before);
}

}  // namespace skein::causality_view_test
