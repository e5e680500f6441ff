// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"

#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

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

}  // namespace skein::table_setup_test
