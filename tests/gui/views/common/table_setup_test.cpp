// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "views/common/table/cell_model.h"
#include "views/common/table/table_delegate.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"

#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

#include <algorithm>

namespace skein::table_setup_test {

TEST_CASE("the header's menu hides every column but the first, and shows it again")
{
    test::guiApplication();
    QStandardItemModel model(2, 3);
    model.setHorizontalHeaderLabels({"Region", "Calls", "Mean"});
    QTreeView table;
    setUpTable(table, "Regions");
    table.setModel(&model);
    table.setColumnHidden(2, true);
    table.show();
    const auto choose = [&table](const QString& title) {
        Q_EMIT table.header()->customContextMenuRequested({5, 5});
        auto* menu = table.findChild<QMenu*>("columnMenu");
        REQUIRE(menu);
        CHECK(menu->actions().size() == 2);
        for (QAction* action : menu->actions())
            if (action->text() == title) action->trigger();
        delete menu;
    };
    choose("Mean");
    CHECK_FALSE(table.isColumnHidden(2));
    choose("Calls");
    CHECK(table.isColumnHidden(1));
    choose("Calls");
    CHECK_FALSE(table.isColumnHidden(1));
}

TEST_CASE("the first column stays while others scroll sideways, and selecting does not scroll")
{
    test::guiApplication();
    QStandardItemModel model(3, 8);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 8; ++column)
            model.setItem(row, column, new QStandardItem(QString("%1 %2").arg(row).arg(column)));
    TableTree table;
    setUpTable(table, "Regions");
    table.setModel(&model);
    for (int column = 0; column < 8; ++column) table.setColumnWidth(column, 100);
    table.resize(320, 160);
    table.show();
    REQUIRE(QTest::qWaitForWindowExposed(&table));
    const int y = table.visualRect(model.index(1, 0)).center().y();
    // Not the first row, which the pointer may be over.
    const int top = table.visualRect(model.index(1, 0)).top();
    const auto namesNow = [&] {
        return table.viewport()->grab(QRect(0, top, 90, table.viewport()->height() - top)).toImage();
    };
    const QImage before = namesNow();
    table.horizontalScrollBar()->setValue(250);
    REQUIRE(table.horizontalScrollBar()->value() == 250);
    CHECK(namesNow() == before);
    CHECK(table.indexAt({20, y}) == model.index(1, 0));
    CHECK(table.indexAt({160, y}).column() == 4);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, {20, y});
    CHECK(table.selectionModel()->isRowSelected(1));
    CHECK(table.horizontalScrollBar()->value() == 250);
    table.scrollTo(model.index(2, 0));
    CHECK(table.horizontalScrollBar()->value() == 250);
}

namespace {

/// Rows of a long name and of numbers.
QStandardItemModel* namesAndNumbers(QObject& owner, int numbers)
{
    auto* model = new QStandardItemModel(3, 1 + numbers, &owner);
    for (int row = 0; row < 3; ++row) {
        model->setItem(row, 0, new QStandardItem(QString(120, 'n')));
        for (int column = 1; column <= numbers; ++column)
            model->setItem(row, column, new QStandardItem(QString("%1.%2 ms").arg(row).arg(column)));
    }
    return model;
}

/// As wide as a large screen.
void showWide(QTreeView& table, int numbers)
{
    setUpTable(table, "Regions");
    table.setModel(namesAndNumbers(table, numbers));
    table.resize(3840, 300);
    table.show();
    REQUIRE(QTest::qWaitForWindowExposed(&table));
}

}  // namespace

TEST_CASE("two columns that name a row both stay while others scroll sideways")
{
    test::guiApplication();
    QStandardItemModel model(3, 8);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 8; ++column)
            model.setItem(row, column, new QStandardItem(QString("%1 %2").arg(row).arg(column)));
    TableTree table;
    setUpTable(table, "Pairs");
    table.setModel(&model);
    table.freezeColumns(2);
    table.setColumnHidden(7, true);
    for (int column = 0; column < 7; ++column) table.setColumnWidth(column, 80);
    table.resize(320, 160);
    table.show();
    REQUIRE(QTest::qWaitForWindowExposed(&table));
    const int y = table.visualRect(model.index(1, 0)).center().y();
    const int top = table.visualRect(model.index(1, 0)).top();
    const auto namesNow = [&] {
        return table.viewport()->grab(QRect(0, top, 150, table.viewport()->height() - top)).toImage();
    };
    const auto titlesNow = [&] {
        QWidget& titles = *table.header()->viewport();
        return titles.grab(QRect(0, 0, 150, titles.height())).toImage();
    };
    const QImage before = namesNow(), titles = titlesNow();
    table.horizontalScrollBar()->setValue(200);
    REQUIRE(table.horizontalScrollBar()->value() == 200);
    CHECK(namesNow() == before);
    CHECK(titlesNow() == titles);
    CHECK(table.indexAt({20, y}) == model.index(1, 0));
    CHECK(table.indexAt({100, y}) == model.index(1, 1));
    CHECK(table.indexAt({170, y}).column() == 4);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, {100, y});
    CHECK(table.selectionModel()->isRowSelected(1));
    CHECK(table.horizontalScrollBar()->value() == 200);
}

TEST_CASE("a column that is not offered leaves the menu, and is as the user left it when it comes back")
{
    test::guiApplication();
    QStandardItemModel model(2, 3);
    model.setHorizontalHeaderLabels({"Region", "Calls", "Mean"});
    QTreeView table;
    setUpTable(table, "Regions");
    table.setModel(&model);
    table.show();
    const auto offered = [&table] {
        Q_EMIT table.header()->customContextMenuRequested({5, 5});
        auto* menu = table.findChild<QMenu*>("columnMenu");
        REQUIRE(menu);
        QStringList titles;
        for (const QAction* action : menu->actions()) titles.push_back(action->text());
        delete menu;
        return titles;
    };
    table.setColumnHidden(1, true);
    for (const int column : {1, 2}) useColumn(table, column, ColumnUse::Missing);
    CHECK(offered().isEmpty());
    CHECK(table.isColumnHidden(2));
    for (const int column : {1, 2}) useColumn(table, column, ColumnUse::Offered);
    CHECK(offered() == QStringList{"Calls", "Mean"});
    CHECK(table.isColumnHidden(1));
    CHECK_FALSE(table.isColumnHidden(2));
}

TEST_CASE("a long text behind the name pushes no other column out of sight")
{
    test::guiApplication();
    QStandardItemModel model(2, 4);
    for (int row = 0; row < 2; ++row) {
        model.setItem(row, 0, new QStandardItem("solve"));
        model.setItem(row, 1, new QStandardItem("1.5 ms"));
        model.setItem(row, 2, new QStandardItem(QString(300, 'p')));
        model.setItem(row, 3, new QStandardItem("3"));
    }
    TableTree table;
    setUpTable(table, "Regions");
    table.setModel(&model);
    table.resize(900, 200);
    table.show();
    REQUIRE(QTest::qWaitForWindowExposed(&table));
    fitColumns(table, 160);
    CHECK(table.horizontalScrollBar()->maximum() == 0);
    CHECK(table.header()->sectionViewportPosition(3) + table.columnWidth(3) <= table.viewport()->width());
    CHECK(table.columnWidth(2) >= 200);
}

TEST_CASE("on a wide screen names have the room that they need, and numbers share the rest")
{
    test::guiApplication();
    QTreeView table;
    showWide(table, 14);
    const int room = table.viewport()->width();
    table.resizeColumnToContents(0);
    table.resizeColumnToContents(3);
    const int names = table.columnWidth(0), number = table.columnWidth(3);
    REQUIRE(names > 700);
    fitColumns(table, 240);
    CHECK(table.columnWidth(0) == names);
    CHECK(table.header()->length() <= room);
    CHECK(table.header()->length() > room * 2 / 3);
    CHECK(table.columnWidth(3) > number);
    // On a smaller one names give way, and nothing is out of sight.
    table.resize(1500, 300);
    fitColumns(table, 240);
    CHECK(table.columnWidth(0) < names);
    CHECK(table.columnWidth(0) >= 240);
    CHECK(table.header()->length() == table.viewport()->width());
}

TEST_CASE("a few numbers do not stand far from their names on a wide screen")
{
    test::guiApplication();
    QTreeView table;
    showWide(table, 2);
    table.resizeColumnToContents(2);
    const int number = std::max(table.columnWidth(2), 40);
    fitColumns(table, 240);
    CHECK(table.columnWidth(2) <= 3 * number);
    CHECK(table.header()->length() < table.viewport()->width() / 2);
}

TEST_CASE("a table with bars is as wide as a wide screen, however few numbers it has")
{
    test::guiApplication();
    QTreeView table;
    showWide(table, 3);
    for (int row = 0; row < table.model()->rowCount(); ++row)
        table.model()->setData(table.model()->index(row, 1), 0.5, kBarRole);
    table.resizeColumnToContents(2);
    const int number = std::max(table.columnWidth(2), 40);
    fitColumns(table, 240);
    CHECK(table.header()->length() <= table.viewport()->width());
    CHECK(table.header()->length() > table.viewport()->width() - 5);
    CHECK(table.columnWidth(2) <= 3 * number);
    // Where the bars are hidden nothing takes their place.
    table.setColumnHidden(1, true);
    fitColumns(table, 240);
    CHECK(table.header()->length() < table.viewport()->width() / 2);
}

TEST_CASE(
    "the first click on a column of numbers brings the greatest to the top, that on names the first one")
{
    test::guiApplication();
    CellModel model;
    model.setTable({{"Pair"}, {"Bytes", CellKind::Bytes}, {"Share", CellKind::Percent}},
                   {{"b", 20.0, 0.2}, {"a", 30.0, 0.3}, {"c", 10.0, 0.5}});
    TableTree table;
    setUpTable(table, "Pairs");
    table.setModel(&model);
    table.setSortingEnabled(true);
    table.sortByColumn(-1, Qt::AscendingOrder);
    table.resize(600, 200);
    table.show();
    REQUIRE(QTest::qWaitForWindowExposed(&table));
    const auto click = [&](int column) {
        QHeaderView& header = *table.header();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          {header.sectionViewportPosition(column) + header.sectionSize(column) / 2, 8});
        return model.index(0, 0).data(Qt::DisplayRole).toString();
    };
    CHECK(click(1) == "a");
    CHECK(click(2) == "c");
    CHECK(click(2) == "b");
    CHECK(click(0) == "a");
}

TEST_CASE("deep rows of a narrow table are indented less, those of a wide one are not")
{
    test::guiApplication();
    constexpr int kLevels = 9;
    QStandardItemModel model(0, 2);
    QStandardItem* above = model.invisibleRootItem();
    for (int level = 0; level < kLevels; ++level) {
        auto* row = new QStandardItem("a name of middling length");
        above->appendRow({row, new QStandardItem("1.5 ms")});
        above = row;
    }
    QTreeView table;
    setUpTable(table, "Call paths");
    table.setModel(&model);
    table.resize(240, 300);
    table.show();
    REQUIRE(QTest::qWaitForWindowExposed(&table));
    table.expandAll();
    fitColumns(table, 100);
    const auto innermost = [&] {
        QModelIndex row = model.index(0, 0);
        while (model.rowCount(row) > 0) row = model.index(0, 0, row);
        return table.visualRect(row).width();
    };
    const int narrow = table.indentation();
    CHECK(narrow >= 8);
    CHECK(narrow < 14);
    CHECK(innermost() >= 80);
    table.resize(1200, 300);
    fitColumns(table, 100);
    CHECK(table.indentation() == 14);
    // And back: what was measured with one indentation does not change the other.
    table.resize(240, 300);
    fitColumns(table, 100);
    CHECK(table.indentation() == narrow);
}

TEST_CASE("names deep in a tree keep room beside numbers in a narrow table")
{
    test::guiApplication();
    QTreeView table;
    setUpTable(table, "Call tree");
    auto* const model = new QStandardItemModel(&table);
    model->setHorizontalHeaderLabels({"Call path", "Share", "Inclusive", "Exclusive", "Calls"});
    QStandardItem* parent = model->invisibleRootItem();
    constexpr int kLevels = 14;
    for (int level = 0; level < kLevels; ++level) {
        QList<QStandardItem*> row{new QStandardItem("solver::calculateForces")};
        for (int number = 0; number < 4; ++number) row.push_back(new QStandardItem("1234.5678"));
        parent->appendRow(row);
        parent = row.front();
    }
    table.setModel(model);
    table.resize(420, 500);
    table.show();
    REQUIRE(QTest::qWaitForWindowExposed(&table));
    fitColumns(table, 160);
    const int flat = table.columnWidth(0);
    table.expandAll();
    fitColumns(table, 160);
    CHECK(table.columnWidth(0) > flat);
    CHECK(table.columnWidth(0) - kLevels * table.indentation() >= 0);
    CHECK(table.columnWidth(0) + table.columnWidth(1) <= table.viewport()->width());
}

}  // namespace skein::table_setup_test
