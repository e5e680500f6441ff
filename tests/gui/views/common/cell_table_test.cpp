// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of plain cells, and that those of all panels are of the common kind.
#include "views/common/table/cell_table.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/table/table_delegate.h"
#include "views/common/table/table_text.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>

#include <cmath>

namespace skein::cell_table_test {

namespace {

struct Shown {
    QApplication& application = test::guiApplication();
    CellTable table{"pairs", "Pairs", nullptr};

    Shown()
    {
        table.resize(500, 240);
        table.show();
        REQUIRE(QTest::qWaitForWindowExposed(&table));
        CellColumn note{"Note"};
        note.editable = true;
        table.setRows({{"Pair"}, {"Bytes", CellKind::Bytes}, {"Change", CellKind::Duration}, note},
                      {{"rank 10", 2048.0, WordedNumber{"+1.5 ms", 1'500'000}, "first"},
                       {"rank 9", 3072.0, WordedNumber{"−3 ms", -3'000'000}, "second"},
                       {"rank 1", std::nan(""), WordedNumber{"0 ns", 0}, "third"}});
    }
    void clickTitle(int column)
    {
        QHeaderView& header = *table.header();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          {header.sectionViewportPosition(column) + header.sectionSize(column) / 2, 8});
    }
    std::vector<std::size_t> order() const
    {
        std::vector<std::size_t> rows;
        for (int line = 0; line < table.cells().rowCount(); ++line) rows.push_back(table.cells().rowOf(line));
        return rows;
    }
};

using Order = std::vector<std::size_t>;

}  // namespace

TEST_CASE("rows stand as they came until a title is clicked, then numbers fall and names rise at first")
{
    Shown shown;
    CHECK(shown.order() == Order{0, 1, 2});
    shown.clickTitle(1);
    CHECK(shown.order() == Order{1, 0, 2});
    shown.clickTitle(1);
    CHECK(shown.order() == Order{0, 1, 2});  // what is not known stays behind
    shown.clickTitle(2);
    CHECK(shown.order() == Order{0, 2, 1});
    shown.clickTitle(0);
    CHECK(shown.order() == Order{2, 1, 0});
}

TEST_CASE(
    "what is copied has a header with units, and numbers with every digit whatever words stand for them")
{
    Shown shown;
    shown.table.selectAll();
    shown.table.actions().front()->trigger();
    CHECK(QApplication::clipboard()->text().toStdString()
          == "Pair\tBytes [bytes]\tChange [ns]\tNote\n"
             "rank 10\t2048\t1500000\tfirst\n"
             "rank 9\t3072\t-3000000\tsecond\n"
             "rank 1\t\t0\tthird");
    shown.table.setRows({{"Pair"}, {"Amount [ns]", CellKind::Number}},
                        {{"a", WordedNumber{"1.5 ms", 1'500'000}}});
    CHECK(exactHeader(shown.table.cells(), 1) == "Amount [ns]");
}

TEST_CASE("the first column stays at the edge while others are scrolled below it")
{
    Shown shown;
    std::vector<CellColumn> columns{{"Pair"}};
    std::vector<std::vector<TableCell>> rows(3, {std::string("a pair of ranks")});
    for (int number = 0; number < 20; ++number) {
        columns.push_back({QString("Interval %1").arg(number), CellKind::Bytes});
        for (auto& row : rows) row.push_back(1024.0 * number);
    }
    shown.table.setRows(columns, rows);
    QScrollBar* bar = shown.table.horizontalScrollBar();
    REQUIRE(bar->maximum() > 0);
    bar->setValue(bar->maximum());
    const int y = shown.table.visualRect(shown.table.cellOf(1, 0)).center().y();
    CHECK(shown.table.indexAt({20, y}) == shown.table.cellOf(1, 0));
    shown.table.setCurrentRow(2);
    CHECK(bar->value() == bar->maximum());
}

TEST_CASE(
    "what is written into a cell is told, changes nothing by itself, and is of the row wherever it stands")
{
    Shown shown;
    std::vector<std::pair<std::size_t, QString>> told;
    QObject::connect(&shown.table.cells(), &CellModel::written, &shown.table,
                     [&](std::size_t row, int, const QString& text) { told.emplace_back(row, text); });
    shown.clickTitle(1);
    const QModelIndex first = shown.table.cells().index(0, 3);
    CHECK(first.flags().testFlag(Qt::ItemIsEditable));
    CHECK(shown.table.cells().setData(first, "mine", Qt::EditRole));
    CHECK(told == std::vector<std::pair<std::size_t, QString>>{{1, "mine"}});
    CHECK(first.data().toString() == "second");
    CHECK_FALSE(first.siblingAtColumn(1).flags().testFlag(Qt::ItemIsEditable));
    CHECK_FALSE(shown.table.cells().setData(first.siblingAtColumn(1), "5", Qt::EditRole));
}

TEST_CASE("ticks are of rows, and go with them")
{
    Shown shown;
    CHECK_FALSE(shown.table.cellOf(0, 0).data(Qt::CheckStateRole).isValid());
    shown.table.cells().setTicks({false, true, false});
    CHECK(shown.table.cellOf(1, 0).data(Qt::CheckStateRole).toInt() == Qt::Checked);
    std::vector<std::pair<std::size_t, bool>> told;
    QObject::connect(&shown.table.cells(), &CellModel::ticked, &shown.table,
                     [&](std::size_t row, bool on) { told.emplace_back(row, on); });
    shown.clickTitle(0);
    CHECK(shown.table.cells().setData(shown.table.cellOf(2, 0), Qt::Checked, Qt::CheckStateRole));
    CHECK(told == std::vector<std::pair<std::size_t, bool>>{{2, true}});
    shown.table.clearRows();
    CHECK(shown.table.cells().rowCount() == 0);
}

TEST_CASE("chosen rows are told by the numbers that they came with")
{
    Shown shown;
    shown.clickTitle(1);
    shown.table.setCurrentRow(2);
    CHECK(shown.table.chosenRows() == Order{2});
    CHECK(shown.table.currentRow() == 2u);
    shown.table.selectAll();
    CHECK(shown.table.chosenRows() == Order{0, 1, 2});
    shown.table.setCurrentRow(99);
    CHECK(shown.table.currentRow() == 2u);
}

TEST_CASE("tables of all panels are of the common kind")
{
    test::WindowFixture fixture;
    for (const auto& panel : fixture.window->docks().panels())
        for (QTreeView* table : panel.view->findChildren<QTreeView*>()) {
            INFO(panel.id.toStdString() << " " << table->objectName().toStdString());
            // The legend is a list of switches without titles.
            if (panel.id == "legend") continue;
            CHECK(dynamic_cast<TableTree*>(table));
            CHECK(table->isSortingEnabled());
        }
}

}  // namespace skein::cell_table_test
