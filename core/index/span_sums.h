// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"
#include "core/index/call_sums.h"
#include "core/index/timeline_index.h"

#include <cstddef>
#include <vector>

namespace skein {

/// The calls of one location that overlap a span, by call path. Calls that an edge of the span cuts are
/// apart: what they took inside is known, how long they are is not. A call of no length counts when its time
/// lies in the half-open span. Not thread-safe.
class SpanSums {
public:
    /// `callPaths`: how many the call tree has.
    explicit SpanSums(std::size_t callPaths) : whole_(callPaths), cut_(callPaths) {}

    /// Adds a location with the help of its index. O(depth · (256 + call paths · log calls)).
    void add(const CallIntervals& calls, const TimelineIndex::Location& index, TimeSpan span);
    /// The same without: O(calls in the span). After a stop request only some of them.
    void add(const CallIntervals& calls, TimeSpan span, const Task& task);

    /// The call paths that were called, in increasing order.
    std::vector<std::uint32_t> callPaths();
    /// Calls that lie in the span, with both ends.
    const CallSum& whole(std::uint32_t callPath) const { return whole_[callPath]; }
    /// The parts inside of the other calls.
    const CallSum& cut(std::uint32_t callPath) const { return cut_[callPath]; }
    std::uint64_t calls(std::uint32_t callPath) const
    {
        return whole_[callPath].calls + cut_[callPath].calls;
    }
    TimeNs timeNs(std::uint32_t callPath) const
    {
        return whole_[callPath].durationNs + cut_[callPath].durationNs;
    }
    void clear();

private:
    CallTally whole_;
    CallTally cut_;
};

}  // namespace skein
