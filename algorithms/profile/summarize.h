// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <memory>
#include <optional>
#include <vector>

namespace skein {

/// What of a trace is summed up.
struct SummaryParams {
    /// Nothing: the whole run. Otherwise times are the parts of calls inside the half-open window, and a call counts
    /// when it overlaps the window; a call of no length counts when its time lies in the window.
    std::optional<TimeSpan> window;
    std::vector<LocationId> locations;  ///< empty: all; others get no rows
};

/// Sums a trace up to what a profiling tool would have written: calls, inclusive and exclusive time in ns and the
/// durations of single calls (clipped to the window) per call path and region, one location at a time.
/// All sums are whole nanoseconds, so that they are exact up to 2^53 ns (104 days).
/// Exclusive time is inclusive time less that of the callees; the inclusive time of a region counts the outermost
/// calls of a recursion only, as TAU and Score-P do.
/// Errors: InvalidArgument where there is no trace; Cancelled. O(calls in the window); one thread a location.
Result<Profile> summarizeTrace(const Experiment& experiment, const SummaryParams& params, const Task& task);

/// The profile that the measurement recorded, or, where there is none or a window is asked for, the summed up trace.
/// Errors: InvalidArgument where there is neither, or a window on a profile without a trace; Cancelled.
Result<std::shared_ptr<const Profile>> profileOf(const Experiment& experiment, const std::optional<TimeSpan>& window,
                                                 const Task& task);

}  // namespace skein
