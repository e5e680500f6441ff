// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "core/select/view_state.h"

#include <map>
#include <string>

class QAction;
class QComboBox;
class QLineEdit;

namespace skein {
class ScopeHead;
class SelectionModel;
}  // namespace skein

namespace skein::gui {

class DockHost;

/// Keeps what the user chooses in single panels in the view state, so that it can be undone and is part of
/// saved sessions, and puts it back. A choice is a list, a switch, an action that can be checked, or a text
/// or number that keepWithPanel() marks, whose object name begins with the id of the view and a dot, and the
/// pin of the panel's scope.
class PanelSettingsKeeper : public QObject {
    Q_OBJECT

public:
    PanelSettingsKeeper(DockHost& docks, SelectionModel& selection, QObject* parent);

    /// Every panel has the session: what is chosen is where the user begins, or what the session's file says.
    void begin();
    /// Panels get another session: what they choose themselves until begin() is no choice of the user.
    void pause() { paused_ = true; }

    /// What is being typed is recorded now, although the user does not rest.
    void recordTyped();

private:
    void watch(const QString& panel);
    void watchText(const QString& panel, QLineEdit& text, const QString& what);
    void record(const QString& panel, const QString& what);
    void noteFilled(const QString& panel);
    PanelSettings present(const QString& panel) const;
    void restore();
    void restorePanel(const QString& panel, const PanelSettings& wanted);

    DockHost& docks_;
    SelectionModel& selection_;
    std::map<QString, PanelSettings> known_;  ///< as each panel stood last
    std::map<QString, PanelSettings> first_;  ///< before the first choice in it
    std::map<QString, QString> typed_;        ///< what is being written in, by panel
    bool restoring_ = false;
    bool paused_ = true;
};

}  // namespace skein::gui
