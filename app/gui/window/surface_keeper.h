// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

namespace skein::gui {

/// Asks an X server to keep the pixels of the application's windows that tooltips, menus and other windows
/// hide: else whoever goes away makes the window below send them again. Servers without a compositor (VNC, X
/// behind a forwarding) follow it, where the others never lose them; on other platforms it does nothing. Sees
/// every window that is made while it lives.
class SurfaceKeeper : public QObject {
    Q_OBJECT

public:
    /// For as long as the application lives, which owns it. To be made before its windows.
    static void install();

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

}  // namespace skein::gui
