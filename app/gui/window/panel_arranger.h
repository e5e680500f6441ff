// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QByteArray>
#include <QObject>
#include <QSize>

#include "app/gui/window/workspaces.h"
#include "views/common/turn_queue.h"

class QStackedWidget;

namespace skein {
class View;
}

namespace skein::gui {

class DockHost;
class SessionPresenter;

/// How the panels of a window stand: lays them out before they are seen, and knows what is to be kept of it.
class PanelArranger : public QObject {
    Q_OBJECT

public:
    /// The panels are one of the pages.
    PanelArranger(DockHost& docks, QStackedWidget& pages, const SessionPresenter& presenter, QObject* parent);

    /// As a layout says that DockHost::layout() gave; empty or damaged: as the present workspace does.
    void arrange(const QByteArray& layout);
    void apply(const Workspace& workspace);
    /// As at the first start.
    void reset() { apply(workspaces().front()); }
    /// For the next start of the program.
    QByteArray layoutToKeep() const;

    /// To be called when the panels come into sight.
    void show();
    /// To be called when the window is shown: does what a panel needs before it can be seen for the first
    /// time, one panel a turn, while the user still looks at the welcome.
    void prepare();
    /// Whether nothing is left to prepare.
    bool settled() const { return preparations_.empty(); }

private:
    void prepareHidden(View* view);

    DockHost& docks_;
    QStackedWidget& pages_;
    const SessionPresenter& presenter_;
    QByteArray savedLayout_;  ///< how the panels stood when the program was left
    TurnQueue preparations_;  ///< of the panels, before anything is opened
    bool prepared_ = false;
    bool seen_ = false;  ///< since they were arranged as savedLayout_ says
    QSize arrangedFor_;  ///< the room that they had then
};

}  // namespace skein::gui
