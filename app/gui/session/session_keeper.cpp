// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/session_keeper.h"

#include "app/gui/session/carried_state.h"
#include "app/gui/session/clock_correction.h"
#include "app/gui/session/placement_state.h"
#include "app/gui/session/recent_paths.h"
#include "core/session/session_clock.h"
#include "core/session/source_hash.h"
#include "views/common/selection_model.h"

#include <QFileInfo>
#include <QVariant>

#include <algorithm>
#include <utility>

namespace skein::gui {
namespace {

QString hashOf(const QString& path, const Task& task)
{
    const auto hash = sourceHash(path.toStdString(), task);
    return hash ? QString::fromStdString(*hash) : QString();
}

Problem problemOf(const QString& path, const Error& error)
{
    return {path, QString::fromStdString(error.message), QString::fromStdString(error.context)};
}

}  // namespace

SessionKeeper::SessionKeeper(SessionLoader& loader, SelectionModel& selection, TaskRunner& tasks,
                             QObject* parent)
    : QObject(parent), loader_(loader), selection_(selection), tasks_(tasks)
{
    connect(&loader_, &SessionLoader::sessionFileWanted, this, &SessionKeeper::open);
    connect(&loader_, &SessionLoader::loadingChanged, this, &SessionKeeper::forgetIfReplaced);
    connect(&loader_, &SessionLoader::sessionChanged, this, [this] {
        if (pending_ && !loader_.loading()) pending_->shown = true;
    });
}

void SessionKeeper::open(const QString& file)
{
    auto session = readSessionFile(file);
    if (!session) return Q_EMIT failed({problemOf(file, session.error())}, {});
    tasks_.run<QStringList>(
        {"session file", tr("Comparing the archives of %1").arg(shortTitle({file}))}, this,
        [sources = session->sources](const Task& task) -> Result<QStringList> {
            QStringList hashes;
            for (const SessionSource& source : sources) hashes.push_back(hashOf(source.path, task));
            if (task.stopRequested()) return cancelled();
            return hashes;
        },
        [this, file, session = *session](Result<QStringList> hashes) {
            if (hashes) openArchives({file, session, *hashes, 0, false});
        });
}

void SessionKeeper::openArchives(Pending pending)
{
    QStringList paths;
    for (const SessionSource& source : pending.session.sources) paths.push_back(source.path);
    if (!pending.session.coupling.path.isEmpty()) paths.push_back(pending.session.coupling.path);
    pending_.reset();
    loader_.open(paths);
    pending.job = loader_.job();
    pending_ = std::move(pending);
}

/// Something else was opened, or nothing came of it.
void SessionKeeper::forgetIfReplaced()
{
    if (pending_ && pending_->job != loader_.job() && (loader_.loading() || !pending_->shown))
        pending_.reset();
}

void SessionKeeper::hold(const SessionPtr& session)
{
    held_.reset();
    if (!takenUp_ || !session || pending_) return;
    held_ = carriedState(selection_.state(), *takenUp_, *session);
    marksAreHeld_ = holdsAllOf(*takenUp_, *session);
}

/// Marks that were kept for just these archives come back where these archives come together.
void SessionKeeper::bringBackHeld()
{
    ViewState state = std::move(*held_);
    held_.reset();
    for (const Mark& kept : marksAreHeld_ ? std::vector<Mark>() : selection_.state().marks)
        if (std::ranges::find(state.marks, kept) == state.marks.end()) state.marks.push_back(kept);
    std::ranges::stable_sort(state.marks, {}, [](const Mark& mark) { return mark.span.begin; });
    selection_.setState(state, nullptr);
}

void SessionKeeper::takeUp(const SessionPtr& session)
{
    tasks_.release(std::exchange(takenUp_, session));
    if (!session) return;
    if (!pending_) {
        if (!loader_.isDerived()) file_.clear();
        if (held_) bringBackHeld();
        return;
    }
    if (pending_->session.clocks == SessionClocks::Corrected && !loader_.isDerived())
        return correctClocks(session);
    putBack(*session);
}

void SessionKeeper::correctClocks(const SessionPtr& session)
{
    tasks_.run<Session>(
        {"clocks", tr("Correcting clocks"), JobVisibility::AtOnce}, this,
        [session](const Task& task) -> Result<Session> {
            const auto estimates = estimateClocks(*session, task);
            if (!estimates) return tl::make_unexpected(estimates.error());
            return correctAll(*session, *estimates, task);
        },
        [this, session](Result<Session> corrected) {
            if (loader_.session() != session) return;
            if (corrected) return loader_.derive(std::make_shared<const Session>(std::move(*corrected)));
            if (pending_) pending_->session.clocks = SessionClocks::Recorded;
            takeUp(session);
        });
}

void SessionKeeper::putBack(const Session& session)
{
    const auto sources = matches();
    RestoredState restored = stateFromJson(pending_->session.state, session, sources);
    const TimeSpan whole = sessionClock(session, restored.state.clockShiftsNs).extent;
    restored.state.visible = within(restored.state.visible, whole);
    restored.state.brushed = within(restored.state.brushed, whole);
    selection_.setState(restored.state, nullptr);
    file_ = pending_->file;
    const QStringList told = changes(sources, restored.lost);
    const QByteArray layout = pending_->session.layout;
    pending_.reset();
    if (!layout.isEmpty()) Q_EMIT layoutWanted(layout);
    if (!told.isEmpty()) Q_EMIT changed(file_, told);
}

std::vector<SourceMatch> SessionKeeper::matches() const
{
    std::vector<SourceMatch> found;
    const QStringList& opened = loader_.paths();
    qsizetype next = 0;
    for (std::size_t i = 0; i < pending_->session.sources.size(); ++i) {
        const SessionSource& source = pending_->session.sources[i];
        const QString& hash = pending_->hashes[static_cast<qsizetype>(i)];
        SourceMatch match;
        if (next < opened.size() && opened[next] == source.path)
            match.experiment = static_cast<std::uint32_t>(next++);
        match.unchanged = !hash.isEmpty() && hash == source.hash;
        found.push_back(match);
    }
    return found;
}

QStringList SessionKeeper::changes(const std::vector<SourceMatch>& matches, std::size_t lost) const
{
    QStringList sentences;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const SessionSource& source = pending_->session.sources[i];
        const QString title = shortTitle({source.path});
        if (!matches[i].experiment) sentences.push_back(tr("%1 could not be opened.").arg(title));
        else if (!matches[i].unchanged && !source.hash.isEmpty())
            sentences.push_back(tr("%1 has changed since the session was saved.").arg(title));
    }
    const auto& known = pending_->session.sources;
    const bool hashless = std::ranges::any_of(known, [](const auto& each) { return each.hash.isEmpty(); });
    if (lost > 0 && hashless)
        sentences.push_back(
            tr("The session has no hash of an archive: what goes by numbers is not looked for."));
    if (lost > 0)
        sentences.push_back(tr("Not found again: %n thing(s) that were selected, filtered or arranged.",
                               nullptr, static_cast<int>(lost)));
    return sentences;
}

void SessionKeeper::save(const QString& file, const QByteArray& layout)
{
    const SessionPtr session = loader_.session();
    if (!session) return;
    Q_EMIT aboutToSave();
    SessionFile saving;
    for (const QString& path : loader_.paths())
        saving.sources.push_back({QFileInfo(path).absoluteFilePath(), {}});
    if (!loader_.couplingFile().isEmpty())
        saving.coupling.path = QFileInfo(loader_.couplingFile()).absoluteFilePath();
    saving.clocks = loader_.isDerived() ? SessionClocks::Corrected : SessionClocks::Recorded;
    saving.layout = layout;
    saving.state = stateToJson(selection_.state(), *session);
    tasks_.run<bool>(
        {"save session", tr("Saving the session")}, this,
        [saving, file](const Task& task) mutable -> Result<bool> {
            for (SessionSource& source : saving.sources) source.hash = hashOf(source.path, task);
            if (!saving.coupling.path.isEmpty()) saving.coupling.hash = hashOf(saving.coupling.path, task);
            if (task.stopRequested()) return cancelled();
            if (auto written = writeSessionFile(file, saving); !written)
                return tl::make_unexpected(written.error());
            return true;
        },
        [this, file, left = leftOut(selection_.state().placements)](Result<bool> done) {
            if (!done && !done.error().cancelled())
                return Q_EMIT failed({problemOf(file, done.error())}, loader_.paths());
            if (!done) return;
            file_ = file;
            Q_EMIT saved(file);
            if (left > 0)
                selection_.say(tr("%n candidate(s) of a remapping are too many or too large for the file.",
                                  nullptr, static_cast<int>(left)));
        });
}

}  // namespace skein::gui
