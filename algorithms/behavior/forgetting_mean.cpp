// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/forgetting_mean.h"

#include <algorithm>

namespace skein {

void ForgettingMean::add(double value, double step)
{
    gradient_ = 2.0 * (mean_ - value) * meanSlope_;
    const double freedomBefore = lambda_ * weight_ * (1.0 - factor_);
    weightSlope_ = lambda_ * weightSlope_ + weight_;
    weight_ = lambda_ * weight_ + 1.0;
    const double kept = (weight_ - 1.0) / weight_;
    factor_ = kept * kept * factor_ + 1.0 / (weight_ * weight_);
    const double error = mean_ - value;
    mean_ = (1.0 - 1.0 / weight_) * mean_ + value / weight_;
    // The textbook's difference of sums cancels where values have a large offset; this is the same without.
    meanSlope_ = (1.0 - 1.0 / weight_) * meanSlope_ + weightSlope_ / (weight_ * weight_) * error;
    const double freedom = weight_ * (1.0 - factor_);
    if (freedom > 0.0)
        variance_ =
            freedomBefore / freedom * variance_ + (weight_ - 1.0) / (weight_ * freedom) * error * error;
    if (step != 0.0) lambda_ = std::clamp(lambda_ - step * gradient_, kLeastLambda, 1.0);
}

}  // namespace skein
