// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QSize>
#include <QVariantMap>

#include "app/gui/window/dock_host.h"
#include "app/gui/window/workspaces.h"
#include "views/common/turn_queue.h"

class QStackedWidget;

namespace skein {
class View;
}

namespace skein::gui {

class SessionPresenter;

/// How the panels of a window stand: lays them out before they are seen, and knows what is to be kept of it.
class PanelArranger : public QObject {
    Q_OBJECT

public:
    /// The panels are one of the pages.
    PanelArranger(DockHost& docks, QStackedWidget& pages, const SessionPresenter& presenter, QObject* parent);

    /// As a layout says that DockHost::layout() gave; empty or damaged: as the present workspace does. `name`
    /// is that of the user's layout that it is; empty: none.
    void arrange(const QByteArray& layout, const QString& name = {});
    void apply(const Workspace& workspace);
    /// As the present workspace was made.
    void reset();
    /// The next session gets this one, whatever it holds.
    void insist(const Workspace& workspace) { insisted_ = &workspace; }
    /// What the session is of has its own arrangement: the one in which it was left, else the ready-made one
    /// that answers what is asked of it first. One of the same kind leaves the panels where they are.
    void follow(const Session& session);
    /// The id of the workspace that stands there, or the name of the user's layout.
    QString present() const;
    /// What stands there was saved under a name.
    void named(const QString& name)
    {
        name_ = name;
        Q_EMIT changed();
    }
    bool isOfUser() const { return !name_.isEmpty(); }
    /// For the next start of the program: how the panels stand for each kind of session.
    QVariantMap layoutsToKeep() const;
    void restoreLayouts(const QVariantMap& kept) { kept_ = kept; }

Q_SIGNALS:
    /// Another arrangement was chosen: its main view is to have the keyboard.
    void changed();

public:
    /// To be called when the panels come into sight.
    void show();
    /// To be called when the window is shown: does what a panel needs before it can be seen for the first
    /// time, one panel a turn, while the user still looks at the welcome.
    void prepare();
    /// Whether nothing is left to prepare.
    bool settled() const { return preparations_.empty(); }

private:
    void prepareHidden(const QPointer<View>& view);
    QByteArray layout() const { return seen_ ? docks_.layout() : savedLayout_; }

    DockHost& docks_;
    QStackedWidget& pages_;
    const SessionPresenter& presenter_;
    QByteArray savedLayout_;  ///< how the panels are to stand when they come into sight
    QString name_;            ///< of the user's layout that stands there; empty: a workspace
    QString kind_;            ///< of session: the id of its workspace; empty: none was shown yet
    const Workspace* insisted_ = nullptr;
    EventTimes times_ = EventTimes::Some;  ///< of the present session
    QVariantMap kept_;                     ///< by kind: "layout", "name"
    TurnQueue preparations_;               ///< of the panels, before anything is opened
    bool prepared_ = false;
    bool seen_ = false;  ///< since they were arranged as savedLayout_ says
    QSize arrangedFor_;  ///< the room that they had then
};

}  // namespace skein::gui
