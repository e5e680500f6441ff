// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QDeadlineTimer>
#include <QObject>
#include <QPointer>

#include "core/session/experiment.h"
#include "views/common/turn_queue.h"

#include <vector>

namespace skein {
class View;
}

namespace skein::gui {

class DockHost;

/// Gives a session to the panels of a window, step by step, each in a turn of its own: all at once would keep
/// the user waiting. Until all panels have let go of the session before none gets the new one, so that what
/// is chosen in one means the same in the others.
class SessionPresenter : public QObject {
    Q_OBJECT

public:
    SessionPresenter(DockHost& docks, QObject* parent);

    /// Shows another session in place of the one before; null: nothing is open any more.
    void present(SessionPtr session);
    /// Gives the session to a panel that was added, after those that are still to get it.
    void giveAdded(View* view);
    /// Does `step` after all steps that are due so far.
    void afterwards(TurnQueue::Step step) { steps_.add(std::move(step)); }
    /// Whether every panel has the session.
    bool settled() const { return steps_.empty(); }

Q_SIGNALS:
    /// Nothing is open any more; the panels still show what was.
    void closing();
    /// No panel shows the session before any longer, none this one yet.
    void beginning(const skein::SessionPtr& session);
    /// The panels are to come into sight.
    void panelsWanted();
    /// A turn later, before the first of them gets the session.
    void panelsInSight();
    /// Every panel has the session.
    void presented();

private:
    std::vector<View*> viewsShownFirst() const;
    void giveTo(View* view);
    bool isThere(const View* view) const;
    void takeAway();
    void give();
    void awaitFirst(const std::vector<View*>& pictures, const std::vector<View*>& later,
                    QDeadlineTimer deadline);
    void givePictures(const std::vector<View*>& pictures, const std::vector<View*>& later);
    void giveLater(const std::vector<View*>& pictures, const std::vector<View*>& later,
                   QDeadlineTimer deadline);

    DockHost& docks_;
    SessionPtr session_;
    TurnQueue steps_;                 ///< what is still to be done until every panel has the session
    bool panelsHoldSession_ = false;  ///< some or all of them
};

}  // namespace skein::gui
