// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein {

/// A value and how often it came.
struct ValueCount {
    double value = 0.0;
    std::uint64_t count = 0;

    bool operator==(const ValueCount&) const = default;
};

/// How many times of whole nanoseconds lie where, in bounded memory: up to kMostExact values as they are,
/// more in bins of less than 0.8 % of their value. What it says does not depend on the order in which values
/// came or sketches were merged. Negative values count as 0. O(1) a value; at most 64 KiB.
class ValueSketch {
public:
    static constexpr std::size_t kMostExact = 1024;

    void add(TimeNs value, std::uint64_t times = 1);
    void merge(const ValueSketch& other);
    std::uint64_t count() const { return count_; }
    bool exact() const { return bins_.empty(); }

    /// Ascending, without values that never came; a bin stands for the middle of its values.
    std::vector<ValueCount> counts() const;
    /// The number among counts() of a value that was added.
    static std::size_t binOf(TimeNs value);
    /// What counts() gives for a value: itself as long as the sketch is exact, else the middle of its bin.
    double represented(TimeNs value) const;

private:
    void spread();

    std::uint64_t count_ = 0;
    std::vector<TimeNs> values_;       ///< while few
    std::vector<std::uint64_t> bins_;  ///< then
};

/// The value of which as many are smaller as are greater, between the two in the middle of an even number.
/// `counts` ascending; 0 without values.
double medianOf(const std::vector<ValueCount>& counts);

}  // namespace skein
