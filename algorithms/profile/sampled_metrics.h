// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/moments.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Values that came at some events, and belong to no call as a whole: user events of TAU profiles, samples of
/// a trace.
namespace skein {

/// The values of a metric on one location within the calls of one region.
struct SampledCell {
    LocationId location;
    RegionId region;  ///< the innermost call's; invalid: outside of all calls, or not recorded
    Moments values;
};

/// Names of the metrics that have user events or samples; sorted, once each. O(metrics + streams + user
/// events).
std::vector<std::string> sampledMetricNames(const Experiment& experiment);

/// A metric's values per location and region, by location and then region. User events of a profile are told
/// by region where call paths were recorded with them for all of a location's count, otherwise under no
/// region. Samples of a trace are those within the half-open window (nothing: all). Values that are no
/// numbers are left out. Empty where the experiment has none of that name, or a window is asked of a profile.
/// Errors: Cancelled. O(user events), or O(calls + samples) of the locations that have some.
Result<std::vector<SampledCell>> sampledMetric(const Experiment& experiment, std::string_view name,
                                               const std::optional<TimeSpan>& window, const Task& task);

}  // namespace skein
