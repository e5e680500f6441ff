// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session_loader.h"

#include "app/gui/recent_paths.h"
#include "core/session/experiment_titles.h"

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

/// Every view calls an experiment by its name: it becomes the title that tells it from the others.
Session withTitles(const Session& session)
{
    Session result = session;
    const auto titles = titlesByPath(session);
    std::map<std::string, int> uses;
    for (ExperimentPtr& experiment : result.experiments) {
        std::string title = titles.at(experiment->path);
        if (const int use = ++uses[title]; use > 1) title = fmt::format("{} ({})", title, use);
        if (title == experiment->name) continue;
        auto renamed = std::make_shared<Experiment>(*experiment);
        renamed->name = std::move(title);
        experiment = std::move(renamed);
    }
    return result;
}

}  // namespace

void SessionLoader::open(const QStringList& paths) { start(paths, Place::InsteadOfSession); }

void SessionLoader::add(const QStringList& paths) { start(paths, Place::BesideSession); }

void SessionLoader::close()
{
    cancel();
    if (!session_) return;
    session_ = recorded_ = nullptr;
    paths_.clear();
    Q_EMIT sessionChanged();
}

void SessionLoader::cancel() { tasks_.cancel(job_); }

void SessionLoader::derive(SessionPtr session)
{
    if (!recorded_) recorded_ = session_;
    session_ = std::move(session);
    Q_EMIT sessionChanged();
}

void SessionLoader::restoreRecorded()
{
    if (!recorded_) return;
    session_ = std::exchange(recorded_, nullptr);
    Q_EMIT sessionChanged();
}

Result<SessionLoader::Outcome> SessionLoader::openAll(const QStringList& paths, const disk::IndexSettings& index, const Task& task)
{
    Outcome outcome;
    const auto count = static_cast<double>(paths.size());
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const auto at = static_cast<double>(i);
        auto opened = disk::openArchive(paths[i].toStdString(), index, task.part(at / count, (at + 1) / count));
        if (task.stopRequested()) return cancelled();
        if (opened) {
            outcome.experiments.push_back(std::move(opened->experiment));
            outcome.paths.push_back(paths[i]);
            outcome.fromIndex = outcome.fromIndex && opened->fromIndex;
            if (opened->unsaved) outcome.unsaved.push_back(std::move(*opened->unsaved));
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
    job_ = tasks_.run<Outcome>(
        {"open", tr("Opening %1").arg(shortTitle(paths)), JobVisibility::AtOnce}, this,
        [paths, index = saver_.settings()](const Task& task) { return openAll(paths, index, task); },
        [this, place](Result<Outcome> outcome) {
            job_ = 0;
            if (outcome) take(std::move(*outcome), place);
            else if (!outcome.error().cancelled())
                Q_EMIT failed({{{}, QString::fromStdString(outcome.error().message),
                                QString::fromStdString(outcome.error().context)}}, {});
            Q_EMIT loadingChanged();
        });
    Q_EMIT loadingChanged();
}

void SessionLoader::take(Outcome outcome, Place place)
{
    if (!outcome.experiments.empty()) {
        const bool beside = place == Place::BesideSession && session_;
        auto session = beside ? std::make_shared<Session>(*session_) : std::make_shared<Session>();
        session->experiments.insert(session->experiments.end(), outcome.experiments.begin(),
                                    outcome.experiments.end());
        session_ = std::make_shared<const Session>(withTitles(*session));
        recorded_ = nullptr;
        paths_ = beside ? paths_ + outcome.paths : outcome.paths;
        fromIndex_ = outcome.fromIndex && (!beside || fromIndex_);
        Q_EMIT sessionChanged();
        saver_.add(std::move(outcome.unsaved));
    }
    if (!outcome.problems.empty()) Q_EMIT failed(outcome.problems, outcome.paths);
}

}  // namespace skein::gui
