// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/judgement.h"
#include "algorithms/anomaly/running_moments.h"

#include <cstddef>
#include <span>
#include <vector>

/// k·σ: a value is an anomaly if it is farther than k standard deviations from the mean (Xie et al., "A
/// visual analytics framework for the detection of anomalous call stack trees", IEEE TVCG 25(1), 2019,
/// section 4.2).
namespace skein {

/// Of which values mean and deviation are taken.
enum class SigmaModel {
    All,     ///< all values, also those after the judged one
    Past,    ///< those before it
    UpToNow  ///< those before it, and itself
};

/// |x − mean| / σ, and whether that is more than `sigma`. Equal values are at 0. Fewer than two values in the
/// model, and values that are not finite, are not evaluated. No value among fewer than k² + 2 can be farther
/// than k from a mean that it is part of (|z| ≤ (n − 1)/√n): that nothing was found there says nothing.
Judgement judgeBySigma(double value, const RunningMoments& model, double sigma);

/// Every value of a list by one of the models. O(n).
std::vector<Judgement> judgeBySigma(std::span<const double> values, double sigma, SigmaModel model);

/// A stream in batches: each is added to the model and then judged.
class SigmaDetector {
public:
    explicit SigmaDetector(double sigma) : sigma_(sigma) {}
    std::vector<Judgement> judge(std::span<const double> batch);
    const RunningMoments& model() const { return model_; }

private:
    double sigma_;
    RunningMoments model_;
};

/// The share of a normal distribution that lies farther than `sigma` deviations from its mean, on both sides:
/// 0.0027 for 3.
double tailShare(double sigma);

/// The fewest values of which one can be farther than `sigma` from the mean of all: 11 for 3.
std::size_t fewestForSigma(double sigma);

}  // namespace skein
