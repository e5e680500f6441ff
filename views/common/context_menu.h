// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;
class QWidget;

namespace skein {

/// A menu of the widget for popup(), which goes when it is closed. No loop of events runs below it: sessions
/// may be opened meanwhile.
QMenu* newContextMenu(QWidget& owner);

/// Closes the menus of the widget that are open: what they were made for is no longer shown.
void closeContextMenus(QWidget& owner);

}  // namespace skein
