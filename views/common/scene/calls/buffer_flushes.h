// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/location_spans.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/axes/time_axis.h"

#include <mutex>
#include <string>
#include <vector>

namespace skein {

struct TimelineData;

/// Where the measurement of one trace wrote its buffer, by location and begin.
struct TraceFlushes {
    Column<BufferFlush> spans;  ///< at least 1 ns long
    LocationSpans<BufferFlush> index;
};

/// The buffer flushes of a session: sorted when the first picture asks, for all that follow. Thread-safe.
class BufferFlushes {
public:
    /// One an experiment. Always of the same session. O(flushes · log) for the first time.
    const std::vector<TraceFlushes>& of(const Session& session);

private:
    std::once_flag once_;
    std::vector<TraceFlushes> traces_;
};

/// "buffer flush, 1.2 ms" where the location writes its buffer within a pixel of the session time, the
/// longest one; else empty. O(log flushes + those that are near).
std::string flushTooltip(const TimelineData& data, const TimeScale& scale, LocationRef location, TimeNs time);

/// Which of `columns` pixels from `left` on the location writes its buffer in: each flush has at least one.
/// O(columns · log flushes).
std::vector<bool> flushColumns(const TimelineData& data, const TimeScale& scale, double left,
                               std::size_t columns, LocationRef location);

}  // namespace skein
