// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/forgetting_mean.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>

namespace skein {

struct ChangeParams {
    double alpha = 0.01;        ///< significance in [0, 1]: larger is more sensitive
    double eta = 0.01;          ///< step by which the forgetting factor learns, ≥ 0
    std::uint32_t burnIn = 10;  ///< values from which the level between two changes is learnt, ≥ 2

    bool operator==(const ChangeParams&) const = default;
};

/// Errors: InvalidArgument, naming what is out of its range.
Result<void> checkChangeParams(const ChangeParams& params);

/// What a value was found to be.
struct ChangeStep {
    double pValue = 0.5;
    bool change = false;
    bool blind = false;  ///< in a burn-in, where nothing can be found, or no number
};

/// Finds changes of the mean of a stream as its values come: the mean of the last values, which forgets as
/// fast as the stream moves, against mean and variance of a burn-in (Bodenham and Adams, Statistics and
/// Computing 27(5), 2017). A change begins a new burn-in; the forgetting mean goes on. Where the burn-in was
/// constant, the first other value is the change. Values that are not finite are passed over. O(1) a value;
/// detections are the same for y and a·y + b. Not thread-safe.
class ChangeDetector {
public:
    /// `params` as checkChangeParams() lets pass.
    explicit ChangeDetector(const ChangeParams& params) : params_(params) {}

    /// `rowsStill`: how many rows before were all the same as the one that the value stands for. While more
    /// than a burn-in were, nothing is called, although what stands for them may still move (where the
    /// reference calls one change after the other).
    ChangeStep add(double value, std::size_t rowsStill = 0);

    const ForgettingMean& adaptive() const { return adaptive_; }
    /// Of the last whole burn-in.
    double levelMean() const { return levelMean_; }
    double levelDeviation() const { return levelDeviation_; }

private:
    void learn(double value);
    bool departs(double value) const;
    double tolerance() const;

    ChangeParams params_;
    ForgettingMean adaptive_;
    std::uint32_t learnt_ = 0;  ///< values of the burn-in so far; params_.burnIn: monitoring
    double runningMean_ = 0.0;
    double runningSquares_ = 0.0;
    double levelMean_ = 0.0;
    double levelVariance_ = 0.0;
    double levelDeviation_ = 0.0;
    double largest_ = 0.0;  ///< |value| so far
    bool constant_ = false;
};

}  // namespace skein
