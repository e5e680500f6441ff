// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/timeline_index.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// The calls of a region within a span, on one location or on all.
struct RegionStatistics {
    RegionId region;
    std::uint64_t calls = 0;  ///< that overlap the span
    std::uint64_t cut = 0;    ///< of these, those that an edge of the span cuts
    TimeNs inclusiveNs = 0;   ///< of calls that are in no other call of the region
    TimeNs exclusiveNs = 0;   ///< without callees
    // Of single calls that lie in the span with both ends, also recursive ones. 0 where there are none.
    TimeNs shortestNs = 0;
    TimeNs longestNs = 0;
    double meanNs = 0;
    double deviationNs = 0;  ///< standard deviation (divisor n)

    /// Whose durations are known.
    std::uint64_t wholeCalls() const { return calls - cut; }
    bool operator==(const RegionStatistics&) const = default;
};

/// What happened in a span. Rows stand in the order of their regions; regions that were not called have none.
struct SpanStatistics {
    std::vector<RegionStatistics> overall;  ///< over all chosen locations
    std::vector<RegionStatistics> rows;     ///< of all chosen locations, one after the other
    std::vector<std::uint64_t>
        locationOffsets;  ///< rows of location l: [locationOffsets[l], locationOffsets[l + 1])

    std::span<const RegionStatistics> of(LocationId location) const
    {
        const std::uint64_t first = locationOffsets[location.index()];
        return std::span(rows).subspan(first, locationOffsets[location.index() + 1] - first);
    }
};

/// Sums the calls that overlap the half-open `span` (in the experiment's time): a call that is cut counts
/// with its part inside, a call of no length when its time lies within. The same numbers as summarizeTrace()
/// with a window, to the nanosecond, without looking at the calls between: O(locations · (depth · 256 + call
/// paths · log calls)); some ms for 64 locations. `index` is the experiment's (Experiment::timelineIndex or
/// IndexShare::of). `locations`: empty: all; others get no rows. The same bits for any number of threads.
/// Errors: NotRecorded where there is no trace; Cancelled.
Result<SpanStatistics> spanStatistics(const Experiment& experiment, const TimelineIndex& index, TimeSpan span,
                                      std::span<const LocationId> locations, const Task& task);

}  // namespace skein
