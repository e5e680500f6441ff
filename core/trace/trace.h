// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/id.h"
#include "core/base/time_span.h"
#include "core/trace/events.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The calls of one location in the order of their entry (preorder). The calls below call i are the
/// contiguous run after i while depth > depth[i]; a call's parent is the nearest call before it with a
/// smaller depth. A call that was never left ends at the location's last event.
struct CallIntervals {
    Column<TimeNs> begin;
    Column<TimeNs> end;              ///< end ≥ begin; half-open
    Column<std::uint32_t> callPath;  ///< node of the experiment's call tree
    Column<std::uint16_t> depth;     ///< 0 = outermost; saturates at 65 535

    std::size_t size() const { return begin.size(); }
    TimeSpan span(std::size_t index) const { return {begin[index], end[index]}; }
};

/// Calls gone through between two questions whether to stop: well below 10 ms.
inline constexpr std::size_t kCallsBetweenQuestions = std::size_t{1} << 16;

/// Samples of metrics that were recorded together on one location; times do not decrease.
struct MetricStream {
    LocationId recorder;       ///< the location whose events held the samples
    LocationId scopeLocation;  ///< what they tell about; invalid: see the others
    LocationGroupId scopeGroup;
    SystemTreeNodeId scopeNode;
    MetricOccurrence occurrence = MetricOccurrence::Synchronous;
    std::vector<MetricId> metrics;  ///< one a column
    Column<TimeNs> times;
    Column<std::uint64_t> values;  ///< [sample × metrics.size() + column], bits of the metric's value type

    std::size_t samples() const { return times.size(); }
};

/// A sample as a number, whatever its type is.
double metricValue(std::uint64_t bits, MetricValueType type);
/// How much a sample is above an earlier one. Of whole numbers the difference is exact before it is rounded:
/// counters may be beyond what a double tells apart.
double metricIncrease(std::uint64_t earlier, std::uint64_t later, MetricValueType type);

/// What one location recorded.
struct LocationTrace {
    CallIntervals intervals;
    Column<EventAttribute> attributes;
    std::uint64_t events = 0;  ///< records that were read
    TimeSpan extent;           ///< first to last event; empty where there is none
};

/// What happened when. Everything is sorted by time and then location, so that equal archives give equal
/// bits. Immutable; reading from several threads is safe.
struct Trace {
    std::vector<LocationTrace> locations;     ///< index = LocationId
    std::vector<MetricStream> metricStreams;  ///< by recorder, then first metric
    Column<Message> messages;                 ///< every send; unmatched ones have no receive time
    Column<Message> unmatchedReceives;        ///< receives without a send
    Column<CollectiveOperation> collectives;
    Column<CollectiveMember> collectiveMembers;  ///< of operation c: [firstMember, firstMember + memberCount)
    Column<RmaOperation> rmaOperations;
    Column<IoOperation> ioOperations;
    Column<ThreadEvent> threadEvents;
    Column<ParameterEvent> parameterEvents;
    Column<Marker> markers;
    Column<CallPathSample> samples;
    Column<BufferFlush> bufferFlushes;
    Column<ProgramRun> programRuns;

    TimeSpan extent;  ///< first to last event of all locations; begins at 0

    std::uint64_t eventCount() const;
    std::uint64_t intervalCount() const;
    std::uint64_t unmatchedSendCount() const;
    std::uint32_t maximumDepth() const;  ///< depth of the deepest call + 1; 0 without calls
};

}  // namespace skein
