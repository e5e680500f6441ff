// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/judgement.h"

#include <cstddef>
#include <span>
#include <vector>

namespace skein {

/// Middle and spread of values of which up to half may be anomalies (Hampel, JASA 69, 1974).
struct RobustScale {
    double median = 0.0;
    /// 1.4826 × the median of |x − median|: the standard deviation of a normal distribution. 0 where more
    /// than half of the values are equal.
    double deviation = 0.0;
    std::size_t count = 0;  ///< finite values
};

/// Values that are not finite are left out; of an even number the median is the mean of the two in the
/// middle. O(n).
RobustScale robustScaleOf(std::span<const double> values);

/// |x − median| in robust deviations, and whether that is more than `sigma`; with a deviation of 0 infinite
/// for any other value than the median. Not finite, or fewer than two values: not evaluated.
Judgement judgeByMedian(double value, const RobustScale& scale, double sigma);

}  // namespace skein
