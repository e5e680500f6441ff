// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/balance_view.h"

#include "tests/gui/support/window_fixture.h"
#include "views/balance/balance_canvas.h"
#include "views/common/selection_model.h"

#include <QAccessible>
#include <QComboBox>
#include <QDockWidget>
#include <QToolButton>
#include <QTreeView>

namespace skein::balance_view_test {

namespace {

struct Opened : test::WindowFixture {
    BalanceCanvas* canvas = nullptr;

    Opened()
    {
        open({test::example("heatflow-16x2/trace-otf2")});
        const auto* panel = window->docks().find("balance");
        panel->dock->show();
        panel->dock->raise();
        canvas = panel->view->findChild<BalanceCanvas*>();
        settleAll();
    }
    void settleAll()
    {
        QTest::qWait(150);
        settle();
    }
};

}  // namespace

TEST_CASE("the balance compares processes, says how well they were used, and a click selects both")
{
    Opened opened;
    const BalancePicturePtr picture = opened.canvas->picture();
    REQUIRE(picture);
    CHECK(picture->matrix.columns.size() == 16);
    REQUIRE(picture->titles.size() == 1);
    CHECK(picture->titles[0].starts_with("Parallel efficiency 38.9 % = load balance 90.3 %"));
    const BalanceLayout layout = opened.canvas->sceneLayout();
    const double scale = opened.canvas->devicePixelRatioF();
    const QPointF cell(layout.body.x + 2.5 * layout.body.width / 16, layout.body.y + 1.5 * layout.rowHeight);
    QTest::mouseClick(opened.canvas, Qt::LeftButton, {}, (cell / scale).toPoint());
    const Selection& selected = opened.window->selection().state().selected;
    const BalanceRow& row = picture->matrix.rows[picture->rowOrder[1]];
    CHECK(selected.regions == row.regions);
    for (const LocationId id : picture->matrix.columns[2].locations)
        CHECK(std::binary_search(selected.locations.begin(), selected.locations.end(), LocationRef{0, id}));
}

TEST_CASE("the balance follows the scope, and its columns what they are asked to stand for")
{
    Opened opened;
    auto* columns = opened.child<QComboBox>("balance.columns");
    columns->setCurrentIndex(0);
    Q_EMIT columns->activated(0);
    opened.settleAll();
    CHECK(opened.canvas->picture()->matrix.columns.size() == 32);
    opened.window->selection().setBrushed(TimeSpan{1'000'000'000, 1'100'000'000},
                                          {{0, LocationId(0)}, {0, LocationId(2)}, {0, LocationId(4)}},
                                          nullptr);
    opened.settleAll();
    CHECK(opened.canvas->picture()->matrix.columns.size() == 3);
    for (const BalanceRow& row : opened.canvas->picture()->matrix.rows) CHECK(row.maximum <= 1e8);
}

TEST_CASE("the balance as a table has a row a region, and a row selects it")
{
    Opened opened;
    auto* table = opened.child<QTreeView>("balance.table");
    auto* button = opened.child<QToolButton>("balance.asTable");
    REQUIRE(table);
    REQUIRE(button);
    CHECK_FALSE(table->isVisible());
    button->click();
    opened.settleAll();
    CHECK(table->isVisible());
    CHECK_FALSE(opened.canvas->isVisible());
    const BalancePicturePtr picture = opened.canvas->picture();
    REQUIRE(table->model()->rowCount() == static_cast<int>(picture->matrix.rows.size()));
    CHECK(table->model()->columnCount() == 5 + 16);
    table->setCurrentIndex(table->model()->index(2, 0));
    CHECK(opened.window->selection().state().selected.regions
          == picture->matrix.rows[picture->rowOrder[2]].regions);
    button->click();
    CHECK(opened.canvas->isVisible());
}

TEST_CASE("screen readers get the values of the balance that is in sight, titles above them")
{
    Opened opened;
    QAccessibleInterface* found = QAccessible::queryAccessibleInterface(opened.canvas);
    REQUIRE(found);
    QAccessibleTableInterface* table = found->tableInterface();
    REQUIRE(table);
    const BalancePicturePtr picture = opened.canvas->picture();
    const BalanceTable numbers = balanceTable(*picture);
    CHECK(table->columnDescription(0) == "Region");
    const auto inSight = std::min(opened.canvas->sceneLayout().rowsInSight, numbers.rows.size());
    REQUIRE(inSight > 2);
    const auto text = [&](std::size_t row, std::size_t column) {
        return table->cellAt(static_cast<int>(row), static_cast<int>(column))->text(QAccessible::Name);
    };
    for (std::size_t row = 0; row < inSight; ++row) {
        CHECK(text(row + 1, 0) == QString::fromStdString(std::get<std::string>(numbers.rows[row][0])));
        for (std::size_t column = 0; column < numbers.columns.size(); ++column) {
            CHECK(table->columnDescription(static_cast<int>(5 + column))
                  == QString::fromStdString(numbers.columns[column]));
            const double difference = std::get<double>(numbers.rows[row][5 + column]);
            CHECK(text(row + 1, 5 + column).remove(" %").toDouble()
                  == Approx(100 * difference).margin(0.05001));
        }
    }
}

}  // namespace skein::balance_view_test
