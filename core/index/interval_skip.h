// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/task.h"
#include "core/trace/trace.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein::disk {
struct Fields;
}

namespace skein {

class BlockStorage;

/// Finds callers and long calls of one location without reading the calls in between. It knows the smallest
/// depth and the longest duration of every block of 16, 256, 4096 … calls; durations are in classes, four per
/// octave. 0.2 bytes per call. Immutable; safe to read from several threads.
class IntervalSkip {
public:
    static constexpr std::uint32_t kFanOut = 16;

    IntervalSkip() = default;
    /// O(calls). Incomplete after a stop request: discard it.
    explicit IntervalSkip(const CallIntervals& calls, const Task& task = {});

    /// The caller of `index`; kNoInterval for an outermost call. O(log n).
    std::uint32_t parent(const CallIntervals& calls, std::uint32_t index) const;

    /// The innermost call at the time; kNoInterval if there is none. O((1 + calls that ended before) · log
    /// n).
    std::uint32_t innermostAt(const CallIntervals& calls, TimeNs time) const;

    /// Appends the calls in [from, to) that last at least `durationNs`, in order.
    /// O(log n + found + blocks whose longest call is in the same class but shorter).
    void appendLasting(const CallIntervals& calls, std::uint32_t from, std::uint32_t to, TimeNs durationNs,
                       std::vector<std::uint32_t>& found) const;

    /// Asks the system to read what finds the long calls of the whole run, if it is on disk.
    void expect() const;
    /// Moves its columns into the storage.
    void moveTo(BlockStorage& storage);
    std::size_t bytes() const { return minimumDepth_.bytes() + maximumWidth_.bytes(); }

private:
    struct Lasting;
    friend struct disk::Fields;
    std::vector<std::size_t> levelOffsets_;  ///< level 0 has blocks of 16 calls
    Column<std::uint16_t> minimumDepth_;
    Column<std::uint8_t> maximumWidth_;  ///< class of the duration
};

}  // namespace skein
