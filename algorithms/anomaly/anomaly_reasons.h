// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/anomaly_candidates.h"
#include "algorithms/anomaly/find_anomalies.h"

#include <vector>

namespace skein {

/// A call that is an anomaly, or the consequence of something that is no call of its own location.
struct RootCall {
    AnomalyCandidate candidate;
    AnomalyLabel label = AnomalyLabel::Anomaly;
    AnomalyReason reason = AnomalyReason::OwnTime;
    CallFeature feature = CallFeature::Duration;  ///< of AnomalyReason::Feature
    double score = 0.0;
    TimeNs severityNs = 0;
    TimeNs overAt = 0;                   ///< when it had lost its time
    std::uint32_t waitedFor = kNoCause;  ///< place among the roots, of OtherThread
};

/// Asks each candidate why, the shortest first, and drops those that are only long because of others on their
/// location. `candidates`: by (location, call).
std::vector<RootCall> rootCallsOf(const Trace& trace, const std::vector<AnomalyCandidate>& candidates,
                                  const CallModels& models, const std::vector<PlaceOfLocation>& places);

}  // namespace skein
