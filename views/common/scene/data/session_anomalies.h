// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"
#include "algorithms/anomaly/stream_anomalies.h"
#include "algorithms/anomaly/workflow_causes.h"
#include "core/select/view_state.h"
#include "core/session/hand_over.h"
#include "views/common/scene/data/memo.h"
#include "views/common/scene/data/point_features.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skein {

/// One call as the scatter shows it.
struct AnomalyPoint {
    IntervalRef call;
    std::uint32_t function = 0;
    TimeNs begin = 0;  ///< the experiment's time
    TimeNs durationNs = 0;
    TimeNs ownNs = 0;
    TimeNs severityNs = 0;
    double score = 0.0;
    AnomalyLabel label = AnomalyLabel::Normal;  ///< knowing what other programs did
    AnomalyReason reason = AnomalyReason::None;
    std::uint32_t place = 0;  ///< in FoundAnomalies::calls; only of those that are not normal
    std::uint32_t dice = 0;   ///< 0 … 2^32 − 1, by the call alone: who is shown at a sampling rate
};

/// What was found in the traces of a session.
struct SessionAnomalies {
    SessionPtr session;
    std::vector<std::shared_ptr<const FoundAnomalies>> found;  ///< by experiment; null without a trace
    std::vector<AnomalyPoint>
        points;                     ///< all that is not normal, and normal calls: at most kMostNormal or so
    std::uint64_t normalCalls = 0;  ///< also those without a point
    double keptShare = 1.0;         ///< of normal calls that have a point
    /// Of the work, how much is behind this; below 1 of what is told early: without normal calls of the
    /// archives that are not done, and without what depends on waits.
    double share = 1.0;
    WorkflowCauses causes;  ///< programs are experiments; once all is known

    static constexpr std::uint64_t kMostNormal = std::uint64_t{1} << 20;

    /// What the points' calls do, counted by the first that asks: O(events). Thread-safe.
    const PointFeatures& features() const;
    bool featuresCounted() const { return counted_; }
    bool complete() const { return share >= 1.0; }
    /// The anomaly behind a call that is a consequence of one; nothing where none is known.
    std::optional<WorkflowCall> causeOf(const AnomalyPoint& point) const;
    const JudgedCall& call(const WorkflowCall& at) const { return found[at.program]->calls[at.place]; }
    /// What counts of `said`: where it teaches, also what was learned of points. By call; O(points) the first
    /// time. Thread-safe.
    std::shared_ptr<const std::vector<CallVerdict>> inForce(const std::vector<CallVerdict>& said,
                                                            VerdictUse use) const;

private:
    mutable std::once_flag once_;
    mutable std::atomic<bool> counted_ = false;
    mutable PointFeatures features_;
    mutable Memo<std::vector<CallVerdict>, std::vector<CallVerdict>> learned_;
};

using SessionAnomaliesPtr = std::shared_ptr<const SessionAnomalies>;

/// Hears, on the thread of the work, what is known before its end.
using HearAnomalies = std::function<void(const SessionAnomaliesPtr&)>;

/// O(calls). `hear` is told once a trace, see findAnomalies(); `handOvers` between the programs of a workflow
/// count once all is known, see WorkflowCauses. Where calls are judged as they end, points have the scores
/// of the stream, and no call is a consequence. Errors: NotRecorded where no experiment has a trace;
/// Cancelled.
Result<SessionAnomaliesPtr> makeSessionAnomalies(const SessionPtr& session, const AnomalySearch& search,
                                                 const Task& task, const HearAnomalies& hear = {},
                                                 std::span<const HandOver> handOvers = {});

/// With what the user says of single calls in place of what the detector says. `verdicts`: by call.
AnomalyLabel labelOf(const AnomalyPoint& point, const std::vector<CallVerdict>& verdicts);

/// As what each call of a location was judged; by call, only those that are not normal. O(found).
struct LabelledCall {
    IntervalRef call;
    AnomalyLabel label = AnomalyLabel::Normal;
};
std::vector<LabelledCall> labelledCalls(const SessionAnomalies& anomalies, std::uint32_t experiment,
                                        const std::vector<CallVerdict>& verdicts);
AnomalyLabel labelOf(const std::vector<LabelledCall>& labelled, const IntervalRef& call);

/// The selected calls, at most `most`; where none is selected the most severe anomaly of all, if there is
/// one.
std::vector<IntervalRef> executionsToShow(const SessionAnomalies& anomalies, const Selection& selected,
                                          std::size_t most);

inline constexpr std::size_t kMostCauseLinks = 200;  ///< that pictures draw
/// Why a call lasted longer than usual, or what it cost all others, for pictures; backwards also into the
/// programs that handed data over to it. O(waits + hand-overs).
CauseLinks causeLinksOf(const SessionAnomalies& anomalies, const IntervalRef& call, CauseDirection direction,
                        std::span<const HandOver> handOvers = {});

/// Why a call is not normal; empty of one that is.
std::string_view whyOf(const SessionAnomalies& anomalies, const AnomalyPoint& point);
/// Function, rank, times, score, why and because of what.
std::vector<std::string> anomalyTooltip(const SessionAnomalies& anomalies, const AnomalyPoint& point,
                                        const std::vector<TimeNs>& clockShiftsNs = {});
/// "Rank 3 · apply_flux".
std::string callTitle(const Session& session, const IntervalRef& call);
/// "Rank 3 · apply_flux, call 12".
std::string anomalyName(const SessionAnomalies& anomalies, std::uint32_t experiment, const JudgedCall& call);
/// The same of what a point's call is the consequence of, with its archive where that is another one.
std::string nameOfCause(const SessionAnomalies& anomalies, const AnomalyPoint& point,
                        const WorkflowCall& cause);

}  // namespace skein
