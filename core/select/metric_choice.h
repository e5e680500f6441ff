// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <string>
#include <vector>

namespace skein {

/// What ViewState::metric can be: the time (an invalid reference), calls, or a metric of a profile.
struct MetricChoice {
    MetricRef metric;
    std::string name;  ///< "Time", "Calls", "PAPI_TOT_INS"
};

/// "Time", or where no experiment has recorded any, the metric that stands for it: "samples".
std::string nameOfTime(const Session& session);

/// Stands for the number of calls where a metric is asked for; names no definition.
inline constexpr MetricRef kCallsMetric{0, MetricId(0xFFFFFFFEu)};

/// The time, or what stands for it, and calls first, then every other metric of the experiments' profiles by
/// name, once each.
std::vector<MetricChoice> metricChoices(const Session& session);

/// The name to ask algorithms/profile for: empty for the time, and for calls, which stand beside every
/// metric. A reference that the session does not have, or of which no profile tells, means the time.
std::string profileMetricName(const Session& session, MetricRef metric);

}  // namespace skein
