// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/context_menu.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"

#include <QMenu>
#include <QPointer>
#include <QTest>
#include <QWidget>

namespace skein::context_menu_test {

TEST_CASE("a context menu goes when it is closed, by the user or with what it was made for")
{
    test::guiApplication();
    QWidget owner;
    owner.show();
    int chosen = 0;
    const auto opened = [&] {
        QMenu* menu = newContextMenu(owner);
        menu->addAction("Choose", &owner, [&] { ++chosen; });
        menu->popup(owner.mapToGlobal(QPoint(1, 1)));
        return QPointer<QMenu>(menu);
    };
    QPointer<QMenu> menu = opened();
    REQUIRE(test::waitFor([&] { return menu->isVisible(); }));
    menu->setActiveAction(menu->actions().front());
    QTest::keyClick(menu.data(), Qt::Key_Return);
    CHECK(chosen == 1);
    CHECK(test::waitFor([&] { return menu.isNull(); }));
    menu = opened();
    closeContextMenus(owner);
    CHECK(test::waitFor([&] { return menu.isNull(); }));
    CHECK(chosen == 1);
}

}  // namespace skein::context_menu_test
