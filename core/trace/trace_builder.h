// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/definitions/definitions.h"
#include "core/profile/call_tree.h"
#include "core/trace/location_trace_builder.h"
#include "core/trace/trace.h"

#include <memory>
#include <vector>

namespace skein {

/// Collects the events of an archive: one builder a location, which may be filled on different threads, and
/// what belongs to no location.
struct TraceBuilder {
    /// `ticksPerSecond` tells how long the longest pause between two records of a location may be: a year.
    explicit TraceBuilder(std::size_t locationCount, std::uint64_t ticksPerSecond = 1'000'000'000);

    LocationTraceBuilder& operator[](LocationId location) { return locations[location.index()]; }

    std::unique_ptr<TraceStorage> storage;
    std::vector<LocationTraceBuilder> locations;  ///< index = LocationId
    ColumnBuilder<Marker> markers;                ///< of the whole archive; times are ticks, in any order
};

struct FinishedTrace {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const CallTree> callTree;
};

/// Makes the trace out of what was collected: merges the local call trees in location order into one, matches
/// the messages, groups the collectives, converts ticks (of definitions.clock.ticksPerSecond, which must not
/// be 0) to nanoseconds from the earliest event, which becomes definitions.clock.originTicks, and sorts the
/// tables. Reports repairs and what found no partner. The same input gives the same bits for any number of
/// threads. Errors: Cancelled, OutOfMemory.
Result<FinishedTrace> finishTrace(TraceBuilder builder, Definitions& definitions, ImportReport& report,
                                  const Task& task);

}  // namespace skein
