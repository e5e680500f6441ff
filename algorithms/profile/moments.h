// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {

/// Count, sum, extremes and spread of values that can be merged (Chan, Golub, LeVeque 1979, "Updating
/// formulae and a pairwise algorithm for computing sample variances", eq. 2.1): stable where Σx² − (Σx)²/n is
/// not.
struct Moments {
    double count = 0.0;
    double sum = 0.0;
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    double squaredDeviations = 0.0;  ///< Σ (x − mean)²

    double mean() const { return count > 0.0 ? sum / count : 0.0; }
    /// Standard deviation of the values themselves (divisor n); 0 without values.
    double standardDeviation() const { return count > 0.0 ? std::sqrt(squaredDeviations / count) : 0.0; }

    void merge(const Moments& other)
    {
        if (other.count == 0.0) return;
        if (count > 0.0) {
            const double difference = other.mean() - mean();
            squaredDeviations += difference * difference * count * other.count / (count + other.count);
        }
        squaredDeviations += other.squaredDeviations;
        count += other.count;
        sum += other.sum;
        minimum = std::min(minimum, other.minimum);
        maximum = std::max(maximum, other.maximum);
    }
};

}  // namespace skein
