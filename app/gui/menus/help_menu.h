// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "app/gui/menus/window_parts.h"

namespace skein::gui {

class FinderPopup;

/// Commands by name, keys and gestures, what the program is.
class HelpMenu : public QObject {
    Q_OBJECT

public:
    /// Adds itself to the menu bar of the window.
    HelpMenu(const WindowParts& parts, QObject* parent);

private:
    void showGuide();
    void showShortcuts();
    void showAbout();

    WindowParts parts_;
    FinderPopup* palette_ = nullptr;
};

}  // namespace skein::gui
