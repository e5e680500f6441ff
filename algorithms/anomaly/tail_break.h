// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/value_sketch.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace skein {

struct TailBreakParams {
    double sigma = 3.0;       ///< the body reaches so many robust deviations beyond the median, at least
    double floor = 0.0;       ///< and at least so far: what nobody would care about
    double mostShare = 0.05;  ///< more of the values cannot be anomalies: they are another way to be normal
};

/// Where the values of a function stop being its body. docs/ANOMALIES.md explains and derives the rule.
struct TailBreak {
    double median = 0.0;
    double deviation = 0.0;  ///< 1.4826 × the median distance from the median
    /// The least value beyond the break; +∞ where there is none.
    double limit = std::numeric_limits<double>::infinity();
    double reach = 0.0;        ///< beyond the median, what another value must exceed to lie beyond a break
    std::uint64_t count = 0;   ///< of all values
    std::uint64_t beyond = 0;  ///< of values from the limit on

    double excess(double value) const { return value - median; }
    bool isBeyond(double value) const { return value >= limit; }
    /// Distance from the median in deviations, at least of 1 each.
    double score(double value) const;
};

/// The fewest values that can have a break.
inline constexpr std::uint64_t kFewestForBreak = 8;

/// The values as far below the greatest as they lie, ascending: their upper tail is the lower one of
/// `counts`, which ascend.
std::vector<ValueCount> mirrored(const std::vector<ValueCount>& counts);

/// The lowest value that is `breakFactor` times as far above the median as every smaller one. `counts`
/// ascending. O(counts log counts).
TailBreak tailBreakOf(const std::vector<ValueCount>& counts, const TailBreakParams& params);

/// 1 + ln(1/p) / ln(n), p being the share of a normal distribution beyond `sigma`: where excesses fall off
/// exponentially, the greatest of n is so many times the second with the probability p.
double breakFactor(double sigma, std::uint64_t count);

}  // namespace skein
