// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "app/gui/menus/window_parts.h"

class QMenu;
class QToolButton;

namespace skein::gui {

/// The ready-made layouts, and those that the user gave a name.
class LayoutMenu : public QObject {
    Q_OBJECT

public:
    /// Adds itself to `menu`.
    LayoutMenu(const WindowParts& parts, QMenu& menu, QObject* parent);

private:
    void fill();
    void addButton();
    void fitButton();
    void tick();
    void saveAs();

    WindowParts parts_;
    QMenu& menu_;
    QToolButton* button_ = nullptr;  ///< beside the search
    qsizetype fixedEntries_ = 0;     ///< of menu_, before those of the user
};

}  // namespace skein::gui
