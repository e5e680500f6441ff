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

/// Finds callers and long calls of one location without looking at the calls between: for groups of 16, 256,
/// 4096 … calls it knows the smallest depth and the longest duration (of four classes an octave).
/// 0.2 bytes a call. Immutable; reading from several threads is safe.
class IntervalSkip {
public:
    static constexpr std::uint32_t kFanOut = 16;

    IntervalSkip() = default;
    /// O(calls). After a stop request it is incomplete and to be dropped.
    explicit IntervalSkip(const CallIntervals& calls, const Task& task = {});

    /// The call around `index`; kNoInterval for an outermost one. O(log n).
    std::uint32_t parent(const CallIntervals& calls, std::uint32_t index) const;

    /// The innermost call that contains the time; kNoInterval where there is none. O((1 + calls left again) ·
    /// log n).
    std::uint32_t innermostAt(const CallIntervals& calls, TimeNs time) const;

    /// Appends the calls [from, to) that last at least `durationNs`, in their order.
    /// O(log n + found + groups whose longest call is of the same class but shorter).
    void appendLasting(const CallIntervals& calls, std::uint32_t from, std::uint32_t to, TimeNs durationNs,
                       std::vector<std::uint32_t>& found) const;

    /// Has the system read what finds long calls of the whole time, where that is on a disk.
    void expect() const;
    /// Its columns live there then.
    void moveTo(BlockStorage& storage);
    std::size_t bytes() const { return minimumDepth_.bytes() + maximumWidth_.bytes(); }

private:
    struct Lasting;
    friend struct disk::Fields;
    std::vector<std::size_t> levelOffsets_;  ///< level 0 is groups of 16 calls
    Column<std::uint16_t> minimumDepth_;
    Column<std::uint8_t> maximumWidth_;  ///< class of the duration
};

}  // namespace skein
