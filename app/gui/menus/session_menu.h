// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "app/gui/menus/window_parts.h"
#include "core/session/experiment.h"

class QMenu;

namespace skein::gui {

/// What is done to a session as a whole.
class SessionMenu : public QObject {
    Q_OBJECT

public:
    /// Adds itself to the menu bar of the window.
    SessionMenu(const WindowParts& parts, QObject* parent);

    /// Enables what needs a session, in all menus, while the panels show one; null: they show none.
    void follow(const SessionPtr& shown);

private:
    void showClocks();
    void fillRemove();

    WindowParts parts_;
    QMenu* remove_ = nullptr;
};

}  // namespace skein::gui
