// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/context_menu.h"

#include <QMenu>
#include <QWidget>

namespace skein {

QMenu* newContextMenu(QWidget& owner)
{
    auto* menu = new QMenu(&owner);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

void closeContextMenus(QWidget& owner)
{
    for (QMenu* menu : owner.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly)) menu->close();
}

}  // namespace skein
