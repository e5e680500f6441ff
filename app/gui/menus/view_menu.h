// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "app/gui/menus/window_parts.h"

class QMenu;

namespace skein::gui {

/// Where the user looks: panels, layouts, theme, span of time.
class ViewMenu : public QObject {
    Q_OBJECT

public:
    /// Adds itself to the menu bar of the window, and the actions of the views to the registry.
    ViewMenu(const WindowParts& parts, QObject* parent);

private:
    void addPanels(QMenu& menu);
    void fillPanels();
    void addTimeline(QMenu& menu);
    void addThemes(QMenu& menu);
    void addTimes(QMenu& menu);
    /// Again with what was typed where it was no time.
    void askForTime(const QString& typed = {}, const QString& problem = {});

    WindowParts parts_;
    QMenu* panels_ = nullptr;
};

}  // namespace skein::gui
