// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/candidate_list.h"

#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/trial_model.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr auto kKeptKey = "remap.kept";
constexpr std::size_t kMostKnown = 512;  ///< more than may be in a session

KeptPlacement keptOf(const RemapCandidate& candidate, std::uint32_t experiment)
{
    const auto slots = candidate.placement.slotOfRank();
    return {experiment,
            candidate.name,
            remapObjectiveName(candidate.request.objective),
            candidate.method,
            candidate.request.communication->request.machine,
            candidate.request.wholeMachine,
            candidate.request.seed,
            candidate.steps,
            candidate.searchedSeconds,
            std::make_shared<const std::vector<std::uint32_t>>(slots.begin(), slots.end()),
            keptSearchOf(candidate)};
}

CommunicationTrialPtr trialOf(const KeptPlacement& kept)
{
    CommunicationTrial trial;
    trial.kind = CommunicationTrial::Kind::Placement;
    trial.name = kept.name;
    trial.slotOfRank = *kept.slotOfRank;
    return std::make_shared<const CommunicationTrial>(std::move(trial));
}

}  // namespace

CandidateList::CandidateList(const ViewContext& context, QObject* parent) : QObject(parent), context_(context)
{
    context_.selection.listen(this, [this](const ViewChange& change) {
        if (!session_) return;
        // What did not fit may fit other messages.
        constexpr ViewParts kMessages = ViewParts::kBrushed | ViewParts::kFilters | ViewParts::kClocks;
        const bool again = change.parts.has(kMessages) && !unfit_.empty();
        if (again) {
            unfit_.clear();
            Q_EMIT failed({});
        }
        if (again || change.parts.has(ViewParts::kPlacements)) follow();
    });
}

void CandidateList::setRun(const SessionPtr& session, std::uint32_t experiment)
{
    context_.tasks.drop(kKeptKey);
    session_ = session;
    experiment_ = experiment;
    tellTrials({});
    unfit_.clear();
    listed_.clear();
    if (!session_) return Q_EMIT changed();
    const ExperimentPtr run =
        experiment < session_->experiments.size() ? session_->experiments[experiment] : nullptr;
    const std::shared_ptr<const CallTree> import = run ? run->callTree : nullptr;
    if (knownOf_.lock() != import || knownAt_ != experiment) known_.clear();
    knownOf_ = import;
    knownAt_ = experiment;
    follow();
}

std::vector<KeptPlacement> CandidateList::keptOfRun() const
{
    std::vector<KeptPlacement> kept = context_.selection.state().placements;
    std::erase_if(kept, [this](const KeptPlacement& one) { return one.experiment != experiment_; });
    return kept;
}

RemapCandidatePtr CandidateList::known(const KeptPlacement& kept) const
{
    const auto found =
        std::find_if(known_.rbegin(), known_.rend(), [&](const Known& known) { return known.kept == kept; });
    return found == known_.rend() ? nullptr : found->candidate;
}

void CandidateList::know(KeptPlacement kept, RemapCandidatePtr candidate)
{
    if (known_.size() == kMostKnown) known_.erase(known_.begin());
    known_.push_back({std::move(kept), std::move(candidate)});
}

/// One after the other: each is listed as soon as it is known what it does.
void CandidateList::follow()
{
    const std::vector<KeptPlacement> kept = keptOfRun();
    std::vector<RemapCandidatePtr> listed;
    const KeptPlacement* missing = nullptr;
    for (const KeptPlacement& one : kept) {
        if (RemapCandidatePtr candidate = known(one)) listed.push_back(std::move(candidate));
        else if (!missing && std::ranges::find(unfit_, one.name) == unfit_.end()) missing = &one;
    }
    tellTrials(kept);
    if (missing) workOut(*missing);
    if (listed == listed_) return;
    listed_ = std::move(listed);
    Q_EMIT changed();
}

void CandidateList::tellTrials(const std::vector<KeptPlacement>& kept)
{
    TrialModel& trials = TrialModel::of(context_.selection);
    for (const KeptPlacement& one : told_)
        if (std::ranges::find(kept, one.name, &KeptPlacement::name) == kept.end()) trials.drop(one.name);
    for (const KeptPlacement& one : kept)
        if (std::ranges::find(told_, one) == told_.end()) trials.keep(trialOf(one));
    told_ = kept;
}

void CandidateList::workOut(const KeptPlacement& kept)
{
    const ViewState& state = context_.selection.state();
    CommunicationRequest asked = communicationRequest(state, searchedScope(state), experiment_);
    asked.machine = kept.machine;
    context_.tasks.run<RemapCandidatePtr>(
        {kKeptKey, tr("Working out %1").arg(toQString(kept.name))}, this,
        [session = session_, results = context_.results, asked,
         kept](const Task& task) -> Result<RemapCandidatePtr> {
            auto communication = communicationOf(*results, session, asked, task);
            if (!communication) return Unexpected(communication.error());
            return keptCandidate(*communication, kept, task);
        },
        [this, kept](Result<RemapCandidatePtr> candidate) {
            if (candidate) know(kept, *candidate);
            else if (candidate.error().cancelled()) return;
            else unfit_.push_back(kept.name);
            if (!candidate)
                Q_EMIT failed(tr("%1: %2").arg(toQString(kept.name), toQString(candidate.error().text())));
            follow();
        });
}

bool CandidateList::isTaken(const std::string& name) const
{
    const std::vector<KeptPlacement> kept = keptOfRun();
    return std::ranges::find(kept, name, &KeptPlacement::name) != kept.end();
}

std::string CandidateList::freshName() const
{
    for (std::size_t number = keptOfRun().size() + 1;; ++number)
        if (std::string name = tr("Candidate %1").arg(number).toStdString(); !isTaken(name)) return name;
}

void CandidateList::keep(RemapCandidatePtr candidate)
{
    if (isTaken(candidate->name)) {
        auto renamed = std::make_shared<RemapCandidate>(*candidate);
        renamed->name = freshName();
        candidate = std::move(renamed);
    }
    const KeptPlacement kept = keptOf(*candidate, experiment_);
    know(kept, std::move(candidate));
    std::vector<KeptPlacement> placements = context_.selection.state().placements;
    placements.push_back(kept);
    context_.selection.setPlacements(placements, this);
    follow();
}

bool CandidateList::rename(std::size_t candidate, const std::string& name)
{
    if (name.empty() || isTaken(name)) return false;
    auto renamed = std::make_shared<RemapCandidate>(*listed_[candidate]);
    const std::string before = std::exchange(renamed->name, name);
    std::vector<KeptPlacement> placements = context_.selection.state().placements;
    for (KeptPlacement& kept : placements) {
        if (kept.experiment != experiment_ || kept.name != before) continue;
        kept.name = name;
        know(kept, renamed);
    }
    context_.selection.setPlacements(placements, this);
    follow();
    return true;
}

}  // namespace skein
