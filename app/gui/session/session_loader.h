// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/index_saver.h"
#include "core/session/experiment.h"
#include "views/common/task_runner.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <vector>

namespace skein::gui {

/// A path that could not be opened, and why.
struct Problem {
    QString path;
    QString cause;    ///< a sentence
    QString context;  ///< file, line, offset or library message; may be empty
};

/// Archives below a folder that was to be opened, of which the user chooses.
struct ArchiveChoice {
    struct Archive {
        QString path;
        QString format;
    };
    QString folder;
    QString cause;  ///< in a sentence, for who cannot choose
    std::vector<Archive> archives;
    bool beside = false;  ///< they are to be opened beside what is open
};

/// Opens archives in the background, through their indexes where there are good ones, and holds the session.
/// Until an import has ended well, and when it is cancelled or fails, the session stays what it was.
class SessionLoader : public QObject {
    Q_OBJECT

public:
    explicit SessionLoader(TaskRunner& tasks, QObject* parent = nullptr)
        : QObject(parent), tasks_(tasks), saver_(tasks, this)
    {
    }

    /// Where indexes are kept; before this is called none are used.
    void setIndexSettings(disk::IndexSettings settings) { saver_.setSettings(std::move(settings)); }

    /// Opens the paths together in place of the session.
    void open(const QStringList& paths);
    /// Opens the paths beside what is open.
    void add(const QStringList& paths);
    /// Takes one of the archives out of the session, by its place in it; the last one closes it. What was
    /// corrected or derived is what was recorded again.
    void remove(std::size_t experiment);
    void close();
    void cancel();

    /// Null while nothing is open.
    const SessionPtr& session() const { return session_; }
    /// The paths of the session, as they were asked for.
    const QStringList& paths() const { return paths_; }
    /// The table of what components handed over that was opened with or beside the archives; empty: none was.
    const QString& couplingFile() const { return couplingFile_; }
    bool loading() const { return job_ != 0; }
    JobId job() const { return job_; }
    /// Whether what is open came from indexes alone.
    bool fromIndex() const { return fromIndex_; }
    /// True while an index of what was opened is still to be saved.
    bool savingIndex() const { return saver_.busy(); }
    /// Shows a session that was made of the present one, for example with corrected clocks, in its place.
    void derive(SessionPtr session);
    bool isDerived() const { return recorded_ != nullptr; }
    /// Goes back to what was recorded.
    void restoreRecorded();

Q_SIGNALS:
    /// A session file is to be opened: not here, where only archives are known.
    void sessionFileWanted(const QString& file);
    void sessionChanged();
    void loadingChanged();
    /// Some or all paths could not be opened; `opened` lists those that could.
    void failed(const std::vector<skein::gui::Problem>& problems, const QStringList& opened);
    /// A folder holds several archives: open() or add() with those that the user wants.
    void choiceWanted(const skein::gui::ArchiveChoice& choice);

private:
    enum class Place { InsteadOfSession, BesideSession };
    struct Outcome {
        std::vector<ExperimentPtr> experiments;
        QStringList paths;
        std::vector<Problem> problems;
        std::vector<ArchiveChoice> choices;
        std::vector<disk::PendingIndex> unsaved;
        bool fromIndex = true;
        SessionPtr base;     ///< the session beside which the experiments stand; null: none
        SessionPtr session;  ///< base and experiments
    };

    static Result<Outcome> openAll(const QStringList& paths, const disk::IndexSettings& index,
                                   const Task& task);
    static Outcome joined(Outcome outcome, SessionPtr base);
    SessionPtr baseFor(Place place) const;
    bool refuseSessionFiles(const QStringList& paths);
    void start(const QStringList& paths, Place place);
    void run(JobSpec spec, Place place, std::function<Result<Outcome>(const Task&)> work);
    void take(Outcome outcome, Place place);
    void show(SessionPtr session, SessionPtr recorded);

    TaskRunner& tasks_;
    IndexSaver saver_;
    SessionPtr session_;
    SessionPtr recorded_;  ///< what session_ was derived from; null when it is what was recorded
    QStringList paths_;
    QString couplingFile_;
    JobId job_ = 0;
    bool fromIndex_ = false;
};

}  // namespace skein::gui
