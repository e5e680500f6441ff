// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>

namespace skein {

/// Count, mean, spread and shape of values that come one by one (Welford, Technometrics 4(3), 1962), and of
/// parts that are merged (Pébay, SAND2008-6212, eq. 3.1). Values that are not finite are left out. O(1) each.
class RunningMoments {
public:
    void add(double value);
    void merge(const RunningMoments& other);

    std::uint64_t count() const { return count_; }
    double mean() const { return mean_; }
    double minimum() const { return minimum_; }  ///< +∞ without values
    double maximum() const { return maximum_; }  ///< −∞ without values
    /// With the divisor n − 1; 0 for fewer than two values.
    double variance() const;
    double standardDeviation() const;
    /// With the divisor n, as histograms are made with; 0 without values.
    double populationDeviation() const;
    /// g₁ = m₃ / m₂^1.5; 0 where all values are equal.
    double skewness() const;
    /// g₂ = m₄ / m₂² − 3; 0 where all values are equal.
    double excessKurtosis() const;

private:
    std::uint64_t count_ = 0;
    double mean_ = 0.0;
    double squares_ = 0.0;  ///< Σ (x − mean)²
    double cubes_ = 0.0;    ///< Σ (x − mean)³
    double fourths_ = 0.0;  ///< Σ (x − mean)⁴
    double minimum_ = std::numeric_limits<double>::infinity();
    double maximum_ = -std::numeric_limits<double>::infinity();
};

}  // namespace skein
