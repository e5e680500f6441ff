// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/restrict.h"
#include "core/base/result_store.h"
#include "core/session/experiment.h"
#include "views/common/scene/data/session_anomalies.h"
#include "views/common/scene/data/session_critical_path.h"
#include "views/common/scene/data/session_hand_overs.h"
#include "views/common/scene/data/session_waits.h"
#include "views/common/scene/data/timeline_data.h"

#include <memory>

/// What several views of a window work out from the same data: each is made when the first asks, once however
/// many ask, see ResultStore. May be called from any thread.
namespace skein {

/// The level-of-detail index of a trace: the one it came with, or one that is kept as long as the trace is.
/// Errors: Cancelled only.
Result<TimelineIndexPtr> timelineIndexOf(ResultStore& results, const Experiment& experiment,
                                         const Task& task);

/// The indexes of all traces of a session and their clock. Errors: Cancelled only.
Result<TimelineDataPtr> timelineDataOf(ResultStore& results, const Session& session, const Task& task);

/// The wait states of all traces of a session; each trace's are kept as long as it is. Errors: Cancelled
/// only.
Result<SessionWaitsPtr> waitsOf(ResultStore& results, const Session& session, const Task& task);

/// The critical paths of all traces of a session; each trace's is kept as long as it is. Errors: Cancelled
/// only.
Result<SessionCriticalPathPtr> criticalPathOf(ResultStore& results, const Session& session, const Task& task);

/// The anomalous calls of all traces of a session by these rules; kept as long as somebody has them.
/// `hear` is told what is known before all is, whoever makes it, on any thread and never after the return.
/// Errors: those of makeSessionAnomalies().
Result<SessionAnomaliesPtr> anomaliesOf(ResultStore& results, const SessionPtr& session,
                                        const AnomalySearch& search, const Task& task,
                                        const HearAnomalies& hear = {});

/// The same where somebody has it now, else null: nobody looks or waits for anomalies for this alone.
SessionAnomaliesPtr knownAnomalies(ResultStore& results, const SessionPtr& session,
                                   const AnomalySearch& search);

/// What components handed over, kept as long as the session is. Never null. Errors: Cancelled only.
Result<SessionHandOversPtr> handOversOf(ResultStore& results, const SessionPtr& session, const Task& task);

/// As profileOfPart(); kept as long as somebody has it.
Result<std::shared_ptr<const Profile>> profileOfPart(ResultStore& results, const ExperimentPtr& experiment,
                                                     const ProfilePart& part, const Task& task);

}  // namespace skein
