// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/series_entities.h"
#include "algorithms/comm/message_filter.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/time_span.h"
#include "core/series/series_table.h"
#include "core/session/experiment.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a trace recorded, as a series a location, process, node …: a value a bin of time.
namespace skein {

enum class SeriesQuantity : std::uint8_t {
    Exclusive,     ///< ns in calls of the regions, without callees
    Inclusive,     ///< ns in calls of the regions that are in no other of them
    Calls,         ///< of the regions, that begin in the bin
    SentMessages,  ///< that were sent in the bin
    SentBytes,
    ReceivedMessages,  ///< whose receive was complete in the bin
    ReceivedBytes,
    Wait,    ///< ns in wait states
    Metric,  ///< counters: by how much they grew; others: their mean over the time
};

/// Whether messages, or their bytes, are counted.
bool ofMessages(SeriesQuantity quantity);
/// ofMessages(), or waits: what TraceSeriesParams::messages acts on.
bool followsMessageRules(SeriesQuantity quantity);

struct TraceSeriesParams {
    SeriesQuantity quantity = SeriesQuantity::Exclusive;
    /// The region, else the group of regions, of this name; a kind of wait state; a metric. Empty: all
    /// regions, or all kinds.
    std::string name;
    SeriesGrouping per = SeriesEntity::Process;  ///< values of locations are added up
    /// Bin i is [edges[i], edges[i + 1]) in the experiment's time; increasing.
    std::vector<TimeNs> edges;
    /// A location: it counts nowhere, and what it is all of has no column. Empty: all count.
    std::vector<bool> hidden = {};
    /// Which messages are counted, or waited for, where followsMessageRules(); waits in collectives always
    /// count.
    MessageRules messages = {};
};

/// Reads "exclusive:NAME", "calls", "sent-bytes", "wait:late sender" …; another text is the name of a metric.
TraceSeriesParams seriesQuantity(std::string_view text);

/// Edges of bins of one length, that of the last included in it. `bins` > 0.
std::vector<TimeNs> equalBins(TimeSpan extent, std::size_t bins);

/// Edges at the begin and end of the run and where calls of the region begin that are in no other call of it,
/// on the first location that has such calls. Errors: NotRecorded, where there are none or no trace.
Result<std::vector<TimeNs>> binsByRegion(const Experiment& experiment, std::string_view region);

/// One row a bin, `times` are the bins' begins in ns. Over all bins of a run the sums of times, calls,
/// messages and bytes are those of its profile, but for communicators, which share members, and whose
/// messages are only those within them. With the archive's index times cost O(bins · locations · log calls)
/// and no look at most calls; without, O(calls). The same bits for any number of threads. Errors: NotRecorded
/// (no trace; no such region, group, kind, metric or entities), InvalidArgument (no bins, checkSeriesSize()),
/// Cancelled. Memory: the table, and 32 MiB.
Result<SeriesTable> traceSeries(const Experiment& experiment, const TraceSeriesParams& params,
                                const Task& task);

}  // namespace skein
