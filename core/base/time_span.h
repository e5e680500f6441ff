// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace skein {

/// Nanoseconds from the experiment's start (its earliest event).
using TimeNs = std::int64_t;

/// A time that is not known, for example when an unmatched message was received.
inline constexpr TimeNs kNoTime = std::numeric_limits<TimeNs>::min();

/// Half-open span [begin, end) of an experiment's time.
struct TimeSpan {
    TimeNs begin = 0;
    TimeNs end = 0;

    TimeNs lengthNs() const { return end - begin; }
    bool empty() const { return end <= begin; }
    bool contains(TimeNs time) const { return begin <= time && time < end; }
    bool overlaps(const TimeSpan& other) const { return begin < other.end && other.begin < end; }
    TimeSpan intersected(const TimeSpan& other) const
    {
        return {std::max(begin, other.begin),
                std::max(std::max(begin, other.begin), std::min(end, other.end))};
    }
    TimeSpan united(const TimeSpan& other) const
    {
        return {std::min(begin, other.begin), std::max(end, other.end)};
    }
    bool operator==(const TimeSpan&) const = default;
};

}  // namespace skein
