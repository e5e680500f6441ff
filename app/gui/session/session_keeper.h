// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "app/gui/session/session_file.h"
#include "app/gui/session/session_loader.h"
#include "app/gui/session/session_state.h"

namespace skein {
class SelectionModel;
}

namespace skein::gui {

/// Saves what is open, and how it is looked at, to a file, and brings it back: opens the archives, corrects
/// their clocks where they were, and puts the view state back once the session is there.
class SessionKeeper : public QObject {
    Q_OBJECT

public:
    SessionKeeper(SessionLoader& loader, SelectionModel& selection, TaskRunner& tasks, QObject* parent);

    /// Opens the archives of a session file in place of the session. What cannot be read is told by failed().
    void open(const QString& file);
    /// Writes the session; saved() or failed() follows.
    void save(const QString& file, const QByteArray& layout);
    /// Where the present session was saved last, or came from; empty: nowhere.
    const QString& file() const { return file_; }

    /// To be called when another session comes, while the state is that of the one before: what holds for
    /// both is kept for takeUp().
    void hold(const SessionPtr& session);
    /// To be called when the panels' shares are those of a new session, before the first panel shows it.
    void takeUp(const SessionPtr& session);

Q_SIGNALS:
    /// The state is about to be written: what is not in it yet is to be put there.
    void aboutToSave();
    void saved(const QString& file);
    /// The panels are to stand as they stood.
    void layoutWanted(const QByteArray& layout);
    /// What has changed since the session was saved, and what could not be brought back.
    void changed(const QString& file, const QStringList& sentences);
    void failed(const std::vector<skein::gui::Problem>& problems, const QStringList& opened);

private:
    struct Pending {
        QString file;
        SessionFile session;
        QStringList hashes;  ///< of the sources as they are now; empty: cannot be read
        JobId job = 0;       ///< that opens the archives
        bool shown = false;
    };

    void bringBackHeld();
    void openArchives(Pending pending);
    void forgetIfReplaced();
    void correctClocks(const SessionPtr& session);
    void putBack(const Session& session);
    std::vector<SourceMatch> matches() const;
    QStringList changes(const std::vector<SourceMatch>& matches, std::size_t lost) const;

    SessionLoader& loader_;
    SelectionModel& selection_;
    TaskRunner& tasks_;
    QString file_;
    std::optional<Pending> pending_;
    SessionPtr takenUp_;  ///< whose state the selection model holds
    std::optional<ViewState> held_;
    bool marksAreHeld_ = false;  ///< all marks of the session that comes are in held_
};

}  // namespace skein::gui
