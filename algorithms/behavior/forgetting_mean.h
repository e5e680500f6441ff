// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace skein {

/// Mean and variance of a stream that forgets: each value weighs λ times what the one after it does. λ stays
/// as it is or learns by gradient descent on the squared one-step error (Bodenham and Adams, Statistics and
/// Computing 27(5), 2017, section 3). O(1) a value. Not thread-safe.
class ForgettingMean {
public:
    static constexpr double kLeastLambda = 0.6;

    /// `lambda` in [0.6, 1]: that at the begin; 1 forgets nothing.
    explicit ForgettingMean(double lambda = 1.0) : lambda_(lambda) {}

    /// Takes a finite value; afterwards λ is moved by −step times the gradient. Step 0 keeps λ.
    void add(double value, double step);

    double lambda() const { return lambda_; }
    double mean() const { return mean_; }
    double variance() const { return variance_; }
    /// Variance of the mean for values of variance 1: 1/n when nothing is forgotten.
    double varianceFactor() const { return factor_; }
    /// Sum of the weights.
    double weight() const { return weight_; }
    /// dw/dλ and d mean/dλ, and the gradient that the value before made.
    double weightSlope() const { return weightSlope_; }
    double meanSlope() const { return meanSlope_; }
    double gradient() const { return gradient_; }

private:
    double lambda_;
    double weight_ = 0.0;
    double mean_ = 0.0;
    double variance_ = 0.0;
    double factor_ = 0.0;
    double weightSlope_ = 0.0;
    double meanSlope_ = 0.0;
    double gradient_ = 0.0;
};

}  // namespace skein
