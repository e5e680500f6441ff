// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/sigma_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {

Judgement judgeBySigma(double value, const RunningMoments& model, double sigma)
{
    if (!std::isfinite(value) || model.count() < 2) return {};
    const double distance = std::abs(value - model.mean());
    const bool spread = model.maximum() > model.minimum();
    double score = 0.0;
    if (spread) score = distance / model.standardDeviation();
    else if (value != model.minimum()) score = std::numeric_limits<double>::infinity();
    return {score, score > sigma ? Verdict::Anomaly : Verdict::Normal};
}

std::vector<Judgement> judgeBySigma(std::span<const double> values, double sigma, SigmaModel model)
{
    RunningMoments moments;
    if (model == SigmaModel::All)
        for (const double value : values) moments.add(value);
    std::vector<Judgement> judged;
    judged.reserve(values.size());
    for (const double value : values) {
        if (model == SigmaModel::UpToNow) moments.add(value);
        judged.push_back(judgeBySigma(value, moments, sigma));
        if (model == SigmaModel::Past) moments.add(value);
    }
    return judged;
}

std::vector<Judgement> SigmaDetector::judge(std::span<const double> batch)
{
    for (const double value : batch) model_.add(value);
    std::vector<Judgement> judged;
    judged.reserve(batch.size());
    for (const double value : batch) judged.push_back(judgeBySigma(value, model_, sigma_));
    return judged;
}

double tailShare(double sigma) { return std::erfc(sigma / std::sqrt(2.0)); }

std::size_t fewestForSigma(double sigma)
{
    // (n − 1)² / n > σ² from n = (2 + σ² + √(σ⁴ + 4σ²)) / 2 on.
    const double squared = std::min(sigma * sigma, 1e15);
    const double border = 0.5 * (2.0 + squared + std::sqrt(squared * squared + 4.0 * squared));
    return static_cast<std::size_t>(std::floor(border)) + 1;
}

}  // namespace skein
