// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/session_loader.h"

#include "app/gui/session/recent_paths.h"
#include "app/gui/session/session_file.h"
#include "core/index/first_picture.h"
#include "core/io/archive_search.h"
#include "core/io/coupling/coupling_file.h"
#include "core/session/dominant_regions.h"
#include "core/session/experiment_titles.h"

#include <QDir>
#include <QFileInfo>
#include <QVariant>

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>

namespace skein::gui {
namespace {

/// Titles by path: no number of folders tells an archive from itself.
std::map<std::filesystem::path, std::string> titlesByPath(const Session& session)
{
    std::map<std::filesystem::path, ExperimentPtr> byPath;
    for (const ExperimentPtr& experiment : session.experiments) byPath.emplace(experiment->path, experiment);
    Session once;
    for (const auto& [path, experiment] : byPath) once.experiments.push_back(experiment);
    const auto titles = experimentTitles(once);
    std::map<std::filesystem::path, std::string> result;
    for (std::size_t i = 0; i < titles.size(); ++i) result.emplace(once.experiments[i]->path, titles[i]);
    return result;
}

/// Every view calls an experiment by its name: it becomes the title that tells it from the others. Copies
/// definitions of any size.
SessionPtr withTitles(Session result)
{
    const auto titles = titlesByPath(result);
    std::map<std::string, int> uses;
    for (ExperimentPtr& experiment : result.experiments) {
        std::string title = titles.at(experiment->path);
        if (const int use = ++uses[title]; use > 1) title = fmt::format("{} ({})", title, use);
        if (title == experiment->name) continue;
        auto renamed = std::make_shared<Experiment>(*experiment);
        renamed->name = std::move(title);
        experiment = std::move(renamed);
    }
    return std::make_shared<const Session>(std::move(result));
}

/// The session with the table that was opened with or beside its archives.
SessionPtr withHandOvers(SessionPtr session, const QString& file)
{
    std::optional<std::filesystem::path> named;
    if (!file.isEmpty()) named = file.toStdString();
    if (!session || session->handOverFile == named) return session;
    Session other = *session;
    other.handOverFile = std::move(named);
    return std::make_shared<const Session>(std::move(other));
}

/// What can be chosen in a folder that could not be opened because it holds several archives.
std::optional<ArchiveChoice> choiceBelow(const QString& path, const Error& error, const Task& task)
{
    if (error.code != ErrorCode::NotRecognized || !QFileInfo(path).isDir()) return std::nullopt;
    const auto search = searchArchives(path.toStdString(), task);
    if (!search || search->found.size() < 2) return std::nullopt;
    ArchiveChoice choice{path, QString::fromStdString(error.message), {}, false};
    for (const ArchiveCandidate& found : search->found)
        choice.archives.push_back({QString::fromStdString(found.archive.string()),
                                   QString::fromUtf8(found.importer->title.data(),
                                                     static_cast<qsizetype>(found.importer->title.size()))});
    return choice;
}

/// A table of hand-overs goes with the archives that it is opened with, or with those that are open.
struct Sources {
    QStringList archives;
    QString coupling;
};

Sources sorted(const QStringList& paths)
{
    Sources sources;
    for (const QString& path : paths) {
        if (isCouplingFile(path.toStdString())) sources.coupling = path;
        else sources.archives.push_back(QDir::cleanPath(path));  // the last name of "run/" is empty
    }
    return sources;
}

}  // namespace

void SessionLoader::open(const QStringList& paths)
{
    if (paths.size() == 1 && isSessionFile(paths.front())) return Q_EMIT sessionFileWanted(paths.front());
    if (refuseSessionFiles(paths)) return;
    const Sources sources = sorted(paths);
    couplingFile_ = sources.coupling;
    if (!sources.archives.isEmpty() || sources.coupling.isEmpty())
        return start(sources.archives, Place::InsteadOfSession);
    if (session_) return show(std::make_shared<const Session>(*session_), recorded_);
    Q_EMIT failed({{sources.coupling,
                    tr("This is a table of what the components of a workflow handed over. Open it with their "
                       "archives."),
                    {}}},
                  {});
}

/// True when there was one among the paths.
bool SessionLoader::refuseSessionFiles(const QStringList& paths)
{
    for (const QString& path : paths) {
        if (!isSessionFile(path)) continue;
        Q_EMIT failed({{path, tr("A session is opened alone: it names its archives itself."), {}}}, {});
        return true;
    }
    return false;
}

void SessionLoader::add(const QStringList& paths)
{
    if (refuseSessionFiles(paths)) return;
    const Sources sources = sorted(paths);
    if (!sources.coupling.isEmpty()) couplingFile_ = sources.coupling;
    if (!sources.archives.isEmpty()) return start(sources.archives, Place::BesideSession);
    if (!sources.coupling.isEmpty() && session_) show(std::make_shared<const Session>(*session_), recorded_);
}

void SessionLoader::close()
{
    cancel();
    if (!session_) return;
    paths_.clear();
    show(nullptr, nullptr);
}

void SessionLoader::remove(std::size_t experiment)
{
    const SessionPtr& recorded = recorded_ ? recorded_ : session_;
    if (!recorded || experiment >= recorded->experiments.size()) return;
    if (recorded->experiments.size() == 1) return close();
    Session rest = *recorded;
    rest.experiments.erase(rest.experiments.begin() + static_cast<std::ptrdiff_t>(experiment));
    if (static_cast<qsizetype>(experiment) < paths_.size())
        paths_.removeAt(static_cast<qsizetype>(experiment));
    show(withTitles(std::move(rest)), nullptr);
}

void SessionLoader::cancel() { tasks_.cancel(job_); }

void SessionLoader::derive(SessionPtr session) { show(std::move(session), recorded_ ? recorded_ : session_); }

void SessionLoader::restoreRecorded()
{
    if (recorded_) show(recorded_, nullptr);
}

/// Millions of events are not given back to the system while the user waits.
void SessionLoader::show(SessionPtr session, SessionPtr recorded)
{
    SessionPtr before = std::exchange(session_, withHandOvers(std::move(session), couplingFile_));
    SessionPtr recordedBefore = std::exchange(recorded_, std::move(recorded));
    Q_EMIT sessionChanged();
    tasks_.release(std::move(before));
    tasks_.release(std::move(recordedBefore));
}

Result<SessionLoader::Outcome> SessionLoader::openAll(const QStringList& paths,
                                                      const disk::IndexSettings& index, const Task& task)
{
    Outcome outcome;
    const auto count = static_cast<double>(paths.size());
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const auto at = static_cast<double>(i);
        auto opened =
            disk::openArchive(paths[i].toStdString(), index, task.part(at / count, (at + 1) / count));
        if (task.stopRequested()) return cancelled();
        if (opened) {
            const Experiment& experiment = *opened->experiment;
            if (experiment.trace && experiment.timelineIndex)
                expectFirstPicture(*experiment.trace, *experiment.timelineIndex);
            regionOwnTimes(experiment);  // read here, not in the first picture
            outcome.experiments.push_back(std::move(opened->experiment));
            outcome.paths.push_back(paths[i]);
            outcome.fromIndex = outcome.fromIndex && opened->fromIndex;
            if (opened->unsaved) outcome.unsaved.push_back(std::move(*opened->unsaved));
            continue;
        }
        if (auto choice = choiceBelow(paths[i], opened.error(), task)) {
            outcome.choices.push_back(std::move(*choice));
            continue;
        }
        outcome.problems.push_back({paths[i], QString::fromStdString(opened.error().message),
                                    QString::fromStdString(opened.error().context)});
    }
    return outcome;
}

void SessionLoader::start(const QStringList& paths, Place place)
{
    if (paths.isEmpty()) return;
    run({"open", tr("Opening %1").arg(shortTitle(paths)), JobVisibility::AtOnce}, place,
        [paths, index = saver_.settings(), base = baseFor(place)](const Task& task) -> Result<Outcome> {
            auto outcome = openAll(paths, index, task);
            if (!outcome) return outcome;
            return joined(std::move(*outcome), base);
        });
}

void SessionLoader::run(JobSpec spec, Place place, std::function<Result<Outcome>(const Task&)> work)
{
    job_ =
        tasks_.run<Outcome>(std::move(spec), this, std::move(work), [this, place](Result<Outcome> outcome) {
            job_ = 0;
            if (outcome) take(std::move(*outcome), place);
            else if (!outcome.error().cancelled())
                Q_EMIT failed({{{},
                                QString::fromStdString(outcome.error().message),
                                QString::fromStdString(outcome.error().context)}},
                              {});
            Q_EMIT loadingChanged();
        });
    Q_EMIT loadingChanged();
}

SessionPtr SessionLoader::baseFor(Place place) const
{
    return place == Place::BesideSession ? session_ : nullptr;
}

SessionLoader::Outcome SessionLoader::joined(Outcome outcome, SessionPtr base)
{
    Session session = base ? *base : Session();
    session.experiments.insert(session.experiments.end(), outcome.experiments.begin(),
                               outcome.experiments.end());
    outcome.session = withTitles(std::move(session));
    outcome.base = std::move(base);
    return outcome;
}

void SessionLoader::take(Outcome outcome, Place place)
{
    if (outcome.base != baseFor(place)) {
        // Meanwhile the session has become another one.
        const auto opened = std::make_shared<Outcome>(std::move(outcome));
        return run({"open", tr("Opening %1").arg(shortTitle(opened->paths)), JobVisibility::WhenSlow}, place,
                   [opened, base = baseFor(place)](const Task&) -> Result<Outcome> {
                       return joined(std::move(*opened), base);
                   });
    }
    if (!outcome.experiments.empty()) {
        paths_ = outcome.base ? paths_ + outcome.paths : outcome.paths;
        fromIndex_ = outcome.fromIndex && (!outcome.base || fromIndex_);
        show(outcome.session, nullptr);
        saver_.add(std::move(outcome.unsaved));
    }
    if (!outcome.problems.empty()) Q_EMIT failed(outcome.problems, outcome.paths);
    for (ArchiveChoice& choice : outcome.choices) {
        choice.beside = place == Place::BesideSession || !outcome.experiments.empty();
        Q_EMIT choiceWanted(choice);
    }
}

}  // namespace skein::gui
