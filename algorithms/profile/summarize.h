// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace skein {

/// What of a trace is summed up.
struct SummaryParams {
    /// Nothing: the whole run. Otherwise times are the parts of calls inside the half-open window, and a call
    /// counts when it overlaps the window; a call of no length counts when its time lies in the window.
    std::optional<TimeSpan> window;
    std::vector<LocationId> locations;   ///< empty: all; others get no rows
    std::vector<MetricId> metrics = {};  ///< to be summed besides the time; see trace_metrics.h
};

/// Sums a trace up to what a profiling tool would have written: calls, inclusive and exclusive time in ns and
/// the durations of single calls per call path and region, one location at a time. Calls that the window cuts
/// have their part inside in the times, and no place among the durations.
/// All sums are whole nanoseconds, so that they are exact up to 2^53 ns (104 days).
/// Exclusive time is inclusive time less that of the callees; the inclusive time of a region counts the
/// outermost calls of a recursion only, as TAU and Score-P do. Column 0 is the time, then come the metrics
/// asked for, of the locations where they can be told by call; where they cannot, they are 0. Errors:
/// NotRecorded where there is no trace; Cancelled. With the experiment's index: O(locations · call paths ·
/// log calls), else O(calls in the window); metrics: O(samples in the window). One thread a location.
Result<Profile> summarizeTrace(const Experiment& experiment, const SummaryParams& params, const Task& task);

/// The profile that the measurement recorded, or, where there is none or a window is asked for, the summed up
/// trace; also where only the trace can tell the metric. `metric` is the name of a metric that a summed up
/// trace should have besides its time, and whose column a recorded profile must have read; one that cannot be
/// told by call is no column, and metricColumn() says why. Errors: NotRecorded where there is neither,
/// InvalidArgument for a window on a profile without a trace; those of withColumn(); Cancelled.
Result<std::shared_ptr<const Profile>> profileOf(const Experiment& experiment,
                                                 const std::optional<TimeSpan>& window,
                                                 std::string_view metric, const Task& task);
/// The same with its time only.
Result<std::shared_ptr<const Profile>> profileOf(const Experiment& experiment,
                                                 const std::optional<TimeSpan>& window, const Task& task);

}  // namespace skein
