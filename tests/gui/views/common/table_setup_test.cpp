// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "views/common/table/table_setup.h"

#include <QHeaderView>
#include <QMenu>
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

}  // namespace skein::table_setup_test
