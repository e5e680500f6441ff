// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_detector.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kRelativeNoise = 1e-9;
/// A deviation of 1 at a level of 1e9 is no rounding: what is constant deviates by less than what departs.
constexpr double kConstantNoise = 1e-10 / kRelativeNoise;

}  // namespace

Result<void> checkChangeParams(const ChangeParams& params)
{
    if (!(params.alpha >= 0.0 && params.alpha <= 1.0))
        return fail(ErrorCode::InvalidArgument, "The significance alpha must lie between 0 and 1.");
    if (!(params.eta >= 0.0 && std::isfinite(params.eta)))
        return fail(ErrorCode::InvalidArgument, "The step eta must be a number that is not negative.");
    if (params.burnIn < 2)
        return fail(ErrorCode::InvalidArgument,
                    "The burn-in must have 2 values at least: a variance is learnt from it.");
    return {};
}

/// What counts as no difference at all: relative to the level, or to 1, or to all values where these are
/// smaller than that.
double ChangeDetector::tolerance() const
{
    return kRelativeNoise * std::max(std::min(1.0, largest_), std::abs(levelMean_));
}

void ChangeDetector::learn(double value)
{
    const double distance = value - runningMean_;
    runningMean_ += distance / static_cast<double>(++learnt_);
    runningSquares_ += distance * (value - runningMean_);
    if (learnt_ < params_.burnIn) return;
    levelMean_ = runningMean_;
    levelVariance_ = runningSquares_ / static_cast<double>(params_.burnIn - 1);
    levelDeviation_ = std::sqrt(levelVariance_);
    constant_ = levelDeviation_ <= kConstantNoise * tolerance();
}

bool ChangeDetector::departs(double value) const { return std::abs(value - levelMean_) > tolerance(); }

ChangeStep ChangeDetector::add(double value, std::size_t rowsStill)
{
    if (!std::isfinite(value)) return {0.5, false, true};
    largest_ = std::max(largest_, std::abs(value));
    const bool monitoring = learnt_ == params_.burnIn;
    adaptive_.add(value, monitoring && !constant_ ? params_.eta / levelVariance_ : 0.0);
    if (!monitoring) {
        learn(value);
        return {0.5, false, true};
    }
    ChangeStep step;
    if (constant_) {
        step.change = departs(value);
        step.pValue = step.change ? 0.0 : 1.0;
    } else {
        const double z =
            (adaptive_.mean() - levelMean_) / (std::sqrt(adaptive_.varianceFactor()) * levelDeviation_);
        step.pValue = std::erfc(std::abs(z) / std::sqrt(2.0));
        step.change = step.pValue < params_.alpha;
    }
    if (rowsStill > params_.burnIn) step.change = false;
    if (step.change) {
        learnt_ = 0;
        runningMean_ = runningSquares_ = 0.0;
    }
    return step;
}

}  // namespace skein
