// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/trace/trace.h"

#include <cstdint>

namespace skein {

/// Samples of one location while they are read; times hold ticks.
struct MetricStreamBuilder {
    MetricStream description;  ///< without its columns
    ColumnBuilder<TimeNs> times;
    ColumnBuilder<std::uint64_t> values;
};

/// Tables that an importer fills directly, in the order of the records. Their times hold ticks (a Tick's
/// bits, or kNoTime) until the trace is finished.
struct LocationTables {
    ColumnBuilder<RmaOperation> rmaOperations;
    ColumnBuilder<IoOperation> ioOperations;
    ColumnBuilder<ThreadEvent> threadEvents;
    ColumnBuilder<ParameterEvent> parameterEvents;
    ColumnBuilder<Marker> markers;
    ColumnBuilder<CallPathSample> samples;  ///< callPath: node of this location's own call tree
    ColumnBuilder<BufferFlush> bufferFlushes;
    ColumnBuilder<ProgramRun> programRuns;
};

}  // namespace skein
