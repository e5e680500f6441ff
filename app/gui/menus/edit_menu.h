// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "app/gui/menus/window_parts.h"

class QMenu;

namespace skein::gui {

class FinderPopup;
class PanelExport;

/// Undo, search, the clipboard, filters, settings.
class EditMenu : public QObject {
    Q_OBJECT

public:
    /// Adds itself to the menu bar of the window.
    EditMenu(const WindowParts& parts, PanelExport& exports, QObject* parent);

private:
    void addSearch(QMenu& menu);
    void addClearing(QMenu& menu, PanelExport& exports);
    void addCorner();
    void makeSearch();
    void showSettings();
    void enable();

    WindowParts parts_;
    FinderPopup* search_ = nullptr;
};

}  // namespace skein::gui
