// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/clocks/clock_offsets.h"
#include "core/session/experiment.h"

#include <cstdint>

namespace skein {

struct TraceTotals {
    std::uint32_t maximumDepth = 0;  ///< see Trace::maximumDepth()
    std::uint64_t messageBytes = 0;  ///< of all sends
    std::uint64_t unmatchedSends = 0;
};

/// What takes a look at all of a trace to know. Kept with the index of the archive, so that it is told at
/// once, whatever the size.
struct TraceSummary {
    TraceTotals totals;
    ClockOffsets clocks;  ///< estimated by ClockModel::Automatic
};

/// The summary that came with the experiment, else worked out now: O(calls + messages), in parallel, the same
/// bits for any number of threads. Errors: InvalidArgument without a trace; Cancelled.
Result<TraceSummary> traceSummaryOf(const Experiment& experiment, const Task& task);

/// The same for a part of it.
Result<TraceTotals> traceTotalsOf(const Experiment& experiment, const Task& task);
Result<ClockOffsets> clockOffsetsOf(const Experiment& experiment, const Task& task);

}  // namespace skein
