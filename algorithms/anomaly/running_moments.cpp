// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/running_moments.h"

#include <algorithm>
#include <cmath>

namespace skein {

void RunningMoments::add(double value)
{
    if (!std::isfinite(value)) return;
    const double before = static_cast<double>(count_);
    ++count_;
    const double n = static_cast<double>(count_);
    const double difference = value - mean_;
    const double step = difference / n;
    const double squaredStep = step * step;
    const double grown = difference * step * before;
    mean_ += step;
    fourths_ +=
        grown * squaredStep * (n * n - 3.0 * n + 3.0) + 6.0 * squaredStep * squares_ - 4.0 * step * cubes_;
    cubes_ += grown * step * (n - 2.0) - 3.0 * step * squares_;
    squares_ += grown;
    minimum_ = std::min(minimum_, value);
    maximum_ = std::max(maximum_, value);
}

void RunningMoments::merge(const RunningMoments& other)
{
    if (other.count_ == 0) return;
    if (count_ == 0) {
        *this = other;
        return;
    }
    const double a = static_cast<double>(count_), b = static_cast<double>(other.count_), n = a + b;
    const double d = other.mean_ - mean_;
    const double d2 = d * d;
    fourths_ += other.fourths_ + d2 * d2 * a * b * (a * a - a * b + b * b) / (n * n * n)
        + 6.0 * d2 * (a * a * other.squares_ + b * b * squares_) / (n * n)
        + 4.0 * d * (a * other.cubes_ - b * cubes_) / n;
    cubes_ +=
        other.cubes_ + d * d2 * a * b * (a - b) / (n * n) + 3.0 * d * (a * other.squares_ - b * squares_) / n;
    squares_ += other.squares_ + d2 * a * b / n;
    mean_ += d * b / n;
    count_ += other.count_;
    minimum_ = std::min(minimum_, other.minimum_);
    maximum_ = std::max(maximum_, other.maximum_);
}

double RunningMoments::variance() const
{
    return count_ < 2 ? 0.0 : squares_ / static_cast<double>(count_ - 1);
}

double RunningMoments::standardDeviation() const { return std::sqrt(variance()); }

double RunningMoments::populationDeviation() const
{
    return count_ == 0 ? 0.0 : std::sqrt(squares_ / static_cast<double>(count_));
}

double RunningMoments::skewness() const
{
    if (minimum_ >= maximum_ || squares_ <= 0.0) return 0.0;
    return std::sqrt(static_cast<double>(count_)) * cubes_ / std::pow(squares_, 1.5);
}

double RunningMoments::excessKurtosis() const
{
    if (minimum_ >= maximum_ || squares_ <= 0.0) return 0.0;
    return static_cast<double>(count_) * fourths_ / (squares_ * squares_) - 3.0;
}

}  // namespace skein
