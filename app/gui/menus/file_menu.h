// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>
#include <QStringList>

#include "app/gui/menus/window_parts.h"

class QMenu;

namespace skein::gui {

class PanelExport;
class SessionLoader;

/// What is read and written: archives, sessions, pictures, tables.
class FileMenu : public QObject {
    Q_OBJECT

public:
    /// Adds itself to the menu bar of the window.
    FileMenu(const WindowParts& parts, PanelExport& exports, QObject* parent);

Q_SIGNALS:
    /// The user wants nothing to be remembered of what was opened.
    void recentCleared();

private:
    using Open = void (SessionLoader::*)(const QStringList&);

    void addArchives(QMenu& menu);
    void addSessions(QMenu& menu);
    void fillRecent();
    void chooseFiles(Open open);
    void chooseFolder(Open open);
    void saveSession();
    void saveSessionAs();

    WindowParts parts_;
    QMenu* recent_ = nullptr;
};

}  // namespace skein::gui
