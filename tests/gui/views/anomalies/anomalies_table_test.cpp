// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_view.h"

#include "algorithms/anomaly/functions_of_calls.h"
#include "core/select/filters.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/support/heatflow_anomalies.h"
#include "views/anomalies/anomalies_canvas.h"
#include "views/common/table/cell_model.h"

#include <QComboBox>

#include <algorithm>

namespace skein::anomalies_table_test {
namespace {

/// The panel with its table in the place of the picture.
struct Table : test::ViewFixture<AnomaliesView> {
    CellModel& rows = *view.findChild<CellModel*>();
    AnomaliesCanvas& canvas = view.canvas();

    Table() : ViewFixture({1200, 800}, test::heatflowAnomalies()->session) { view.showTable(true); }

    /// Waits for all that is found, and for its rows.
    void fill()
    {
        waitUntil([this] { return canvas.anomalies() && canvas.anomalies()->complete(); });
        waitUntil([this] { return !tasks.anyRunning() && rows.rowCount() > 0; });
    }
    void choose(AnomalyRowKind kind)
    {
        view.findChild<QComboBox*>("anomalies.rows")->setCurrentIndex(static_cast<int>(kind));
        waitUntil([this] { return !tasks.anyRunning(); });
    }
    AnomalyRows expected(AnomalyRowKind kind) const
    {
        const auto made =
            anomalyRows(kind, *canvas.anomalies(), canvas.shownState(), canvas.choices(), Task());
        REQUIRE(made.has_value());
        return *made;
    }
    /// What stands in the line of a row.
    QString text(std::size_t row, int column) const
    {
        return rows.data(rows.index(rows.lineOf(row), column), Qt::DisplayRole).toString();
    }
};

constexpr AnomalyRowKind kKinds[] = {AnomalyRowKind::Calls, AnomalyRowKind::Functions, AnomalyRowKind::Ranks};

}  // namespace

TEST_CASE("tables of anomalous calls, functions and ranks have a column for each cell of their rows")
{
    Table table;
    table.fill();
    for (const AnomalyRowKind kind : kKinds) {
        table.choose(kind);
        const AnomalyRows expected = table.expected(kind);
        REQUIRE(static_cast<std::size_t>(table.rows.rowCount()) == expected.cells.size());
        REQUIRE(static_cast<std::size_t>(table.rows.columnCount()) == expected.cells[0].size());
        const std::size_t last = expected.cells.size() - 1;
        CHECK(table.text(last, 0).toStdString() == std::get<std::string>(expected.cells[last][0]));
        if (kind != AnomalyRowKind::Calls) CHECK_FALSE(table.text(0, table.rows.columnCount() - 1).isEmpty());
    }
}

TEST_CASE("rows of the tables of anomalies select the calls, functions and ranks that they name")
{
    Table table;
    table.fill();
    const auto selected = [&] { return table.selection.state().selected; };
    const AnomalyRows calls = table.expected(AnomalyRowKind::Calls);
    Q_EMIT table.view.rowsChosen({2});
    CHECK(selected().intervals == std::vector{calls.calls[2].call});
    Q_EMIT table.view.rowsChosen({0, 3});
    std::vector<IntervalRef> two{calls.calls[0].call, calls.calls[3].call};
    std::ranges::sort(two);
    CHECK(selected().intervals == two);

    // MPI_Send, and not all whose names begin so.
    table.choose(AnomalyRowKind::Functions);
    const AnomalyRows functions = table.expected(AnomalyRowKind::Functions);
    const Definitions& definitions = table.canvas.anomalies()->session->experiments[0]->definitions;
    const auto nameOf = [&](RegionRef region) { return functionName(definitions, region.id.value()); };
    std::size_t partsOfOthers = 0;
    for (std::size_t row = 0; row < functions.functions.size(); ++row) {
        const std::string name = nameOf(functions.functions[row]);
        partsOfOthers +=
            static_cast<std::size_t>(std::ranges::count_if(functions.functions, [&](RegionRef other) {
                const std::string of = nameOf(other);
                return of != name && of.find(name) != std::string::npos;
            }));
        Q_EMIT table.view.rowsChosen({row});
        REQUIRE_FALSE(selected().regions.empty());
        for (const RegionRef region : selected().regions) CHECK(nameOf(region) == name);
    }
    CHECK(partsOfOthers > 0);
    Q_EMIT table.view.rowsChosen({0, 1});
    CHECK(selected().regions
          == namesakes(*table.canvas.anomalies()->session, {functions.functions[0], functions.functions[1]}));

    table.choose(AnomalyRowKind::Ranks);
    const AnomalyRows ranks = table.expected(AnomalyRowKind::Ranks);
    Q_EMIT table.view.rowsChosen({1});
    CHECK(selected().locations == std::vector{ranks.locations[1]});
}

TEST_CASE("rows of anomalies stay, and can be chosen, until those of another scope are there")
{
    Table table;
    table.fill();
    const AnomalyRows all = table.expected(AnomalyRowKind::Calls);
    int emptied = 0;
    QObject::connect(&table.rows, &CellModel::modelReset, &table.view,
                     [&] { emptied += table.rows.rowCount() == 0; });
    table.selection.setBrushed(TimeSpan{1'000'000'000, 1'200'000'000}, nullptr);
    CHECK(static_cast<std::size_t>(table.rows.rowCount()) == all.cells.size());
    Q_EMIT table.view.rowsChosen({5});
    CHECK(table.selection.state().selected.intervals == std::vector{all.calls[5].call});
    table.waitUntil([&] { return static_cast<std::size_t>(table.rows.rowCount()) < all.cells.size(); });
    CHECK(emptied == 0);
    const AnomalyRows part = table.expected(AnomalyRowKind::Calls);
    REQUIRE(static_cast<std::size_t>(table.rows.rowCount()) == part.cells.size());
    Q_EMIT table.view.rowsChosen({5});
    CHECK(table.selection.state().selected.intervals == std::vector{part.calls[5].call});
}

TEST_CASE(
    "a table of anomalies that nobody looks at is made when it is looked at, and then only if it has to")
{
    Table table;
    table.fill();
    const int all = table.rows.rowCount();
    int filled = 0;
    QObject::connect(&table.rows, &CellModel::modelReset, &table.view, [&] { ++filled; });
    table.view.hide();
    table.view.show();
    table.settle();
    CHECK(filled == 0);  // what is selected in it stays selected

    table.view.hide();
    table.selection.setBrushed(TimeSpan{1'000'000'000, 1'200'000'000}, nullptr);
    QTest::qWait(50);
    table.settle();
    CHECK(filled == 0);
    table.view.show();
    table.waitUntil([&] { return filled == 1; });
    CHECK(table.rows.rowCount() > 0);
    CHECK(table.rows.rowCount() < all);

    table.view.showTable(false);
    table.selection.setBrushed(std::nullopt, nullptr);
    table.settle();
    CHECK(filled == 1);
    table.view.showTable(true);
    table.waitUntil([&] { return table.rows.rowCount() == all; });
    CHECK(filled == 2);
}

TEST_CASE("a search for anomalies that is cancelled does not begin again because its table is shown")
{
    Table table;
    table.waitUntil([&] { return table.tasks.anyRunning(); });
    table.tasks.cancelAll();
    table.waitUntil([&] { return !table.tasks.anyRunning(); });
    QTest::qWait(200);
    CHECK_FALSE(table.tasks.anyRunning());
    table.view.hide();
    table.view.show();
    table.fill();
    CHECK(static_cast<std::size_t>(table.rows.rowCount())
          == table.expected(AnomalyRowKind::Calls).cells.size());
}

}  // namespace skein::anomalies_table_test
