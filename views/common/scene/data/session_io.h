// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/index/location_spans.h"
#include "core/trace/events.h"

#include <memory>
#include <vector>

namespace skein {

/// One I/O operation, as pictures need it.
struct IoSpan {
    TimeNs begin = 0;
    TimeNs end = 0;  ///< > begin, also of operations whose end was not recorded
    LocationId location;
    std::uint32_t operation = 0;  ///< index into Trace::ioOperations
    IoKind kind = IoKind::Other;
};

/// The I/O operations of the traces that are open together. Immutable, may cross threads.
struct SessionIo {
    struct OfTrace {
        Column<IoSpan> spans;  ///< by (location, begin)
        LocationSpans<IoSpan> index;
    };
    std::vector<OfTrace> experiments;
};

using SessionIoPtr = std::shared_ptr<const SessionIo>;

}  // namespace skein
