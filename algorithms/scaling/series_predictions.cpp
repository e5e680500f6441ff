// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of a series once it is known which functions are likely.
#include "algorithms/scaling/series_modeler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace skein {
namespace {

/// Intervals are of the likeliest functions that together have this.
constexpr double kConfidence = 0.995;
/// Without repetitions, how likely a function must be beside the likeliest to be told instead of it because
/// it is nearer to the points.
constexpr double kNearlyAsLikely = 0.1;
constexpr int kRobustSteps = 40;
constexpr double kLeastDeviation = 1e-9;

double symmetricError(double told, double measured)
{
    const double size = std::abs(told) + std::abs(measured);
    return size > 0.0 ? 200.0 * std::abs(told - measured) / size : 0.0;
}

}  // namespace

double SeriesModeler::fittedSmape() const
{
    double sum = 0.0;
    for (std::size_t at = 0; at < design_.points(); ++at)
        sum += symmetricError(means_[at] - fit_.residuals()[at] / weights_[at], means_[at]);
    return sum / static_cast<double>(design_.points());
}

void SeriesModeler::preferNearest()
{
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t which = 0; which < kept_.size(); ++which) {
        if (likelihoods_[which] < kNearlyAsLikely * likelihoods_.front()) break;
        if (!fit(*kept_[which].shape)) continue;
        const double error = fittedSmape();
        if (error >= least) continue;
        least = error;
        nearest = which;
    }
    const auto moved = static_cast<std::ptrdiff_t>(nearest);
    std::rotate(kept_.begin(), kept_.begin() + moved, kept_.begin() + moved + 1);
    std::rotate(likelihoods_.begin(), likelihoods_.begin() + moved, likelihoods_.begin() + moved + 1);
}

std::vector<double> SeriesModeler::robustCoefficients(const ScalingShape& shape)
{
    // Least absolute relative deviations by least squares whose weights are renewed (Schlossmacher 1973).
    const std::vector<double> weights = weights_, weighted = weighted_;
    std::vector<double> best(fit_.columns());
    const auto take = [&] {
        for (std::size_t at = 0; at < best.size(); ++at) best[at] = fit_.coefficient(at);
    };
    double least = fittedSmape();
    take();
    for (int step = 0; step < kRobustSteps; ++step) {
        for (std::size_t at = 0; at < weights.size(); ++at) {
            const double relative = std::abs(fit_.residuals()[at]) * weights[at] / weights_[at];
            const double factor = 1.0 / std::sqrt(std::max(relative, kLeastDeviation));
            weights_[at] = weights[at] * factor;
            weighted_[at] = weighted[at] * factor;
        }
        lastFit_.reset();
        if (!fit(shape)) break;
        const double error = fittedSmape();
        if (error >= least) continue;
        least = error;
        take();
    }
    weights_ = weights;
    weighted_ = weighted;
    lastFit_.reset();
    fit(shape);
    return best;
}

void SeriesModeler::measureErrors(ScalingModel& model) const
{
    const std::size_t points = design_.points();
    for (std::size_t at = 0; at < points; ++at) {
        const double residual = fit_.residuals()[at] / weights_[at];
        const double left = std::max(1.0 - fit_.leverages()[at], 1e-9);
        model.smape += symmetricError(model.at(design_.point(at)), means_[at]);
        model.leftOutSmape += symmetricError(means_[at] - residual / left, means_[at]);
    }
    model.smape /= static_cast<double>(points);
    model.leftOutSmape /= static_cast<double>(points);
}

void SeriesModeler::setTargets(const ScalingParams& params)
{
    if (targets_ && targetPoints_ == params.at) return;
    targetPoints_ = params.at;
    targets_.emplace(params.at);
    targetOnes_.assign(params.at.size(), 1.0);
    targetColumns_.resize(params.at.size() * SmallFit::kMostColumns);
}

void SeriesModeler::addComponents(const ScalingShape& shape, double likelihood)
{
    std::array<double, SmallFit::kMostColumns> row{};
    targets_->fillColumns(shape, targetOnes_, targetColumns_.data());
    for (std::size_t at = 0; at < components_.size(); ++at) {
        double center = 0.0;
        for (std::size_t i = 0; i < fit_.columns(); ++i) {
            row[i] = targetColumns_[i * components_.size() + at];
            center += row[i] * fit_.coefficient(i);
        }
        const double variance = fit_.varianceAt(std::span(row).first(fit_.columns()));
        components_[at].push_back({likelihood, center, std::sqrt(noise_.variance * variance)});
    }
}

void SeriesModeler::predict(ScalingModel& model, const ScalingParams& params)
{
    const double tail = 0.5 * (1.0 - params.probability);
    for (auto& mixture : components_) {
        double sum = 0.0;
        for (const MixtureComponent& one : mixture) sum += one.weight;
        for (MixtureComponent& one : mixture) one.weight /= sum;
        ScalingPrediction told;
        told.value = model.at(params.at[model.predictions.size()]);
        const double rounding = kRounding * std::abs(told.value);
        const StudentTable& student = students_.of(noise_.freedoms);
        told.low = std::min(told.value, mixtureQuantile(mixture, student, tail)) - rounding;
        told.high = std::max(told.value, mixtureQuantile(mixture, student, 1.0 - tail)) + rounding;
        if (neverNegative_ && told.value >= 0.0) told.low = std::max(told.low, 0.0);
        model.predictions.push_back(told);
    }
}

void SeriesModeler::takeKept(ScalingModel& model, const ScalingParams& params)
{
    setTargets(params);
    components_.resize(params.at.size());
    for (auto& mixture : components_) mixture.clear();
    double sum = 0.0;
    for (std::size_t which = 0; which < kept_.size(); ++which) {
        const ScalingShape& shape = *kept_[which].shape;
        if (!fit(shape)) continue;  // all but dependent: four at a time they may pass
        if (sum < kConfidence) addComponents(shape, likelihoods_[which]);
        sum += likelihoods_[which];
        model.alternatives.push_back({shape.function(coefficientsOfFit(), true), likelihoods_[which]});
    }
    fit(*kept_.front().shape);
}

std::vector<double> SeriesModeler::coefficientsOfFit() const
{
    std::vector<double> coefficients;
    for (std::size_t at = 0; at < fit_.columns(); ++at) coefficients.push_back(fit_.coefficient(at));
    return coefficients;
}

ScalingModel SeriesModeler::modelOf(const ScalingParams& params)
{
    ScalingModel model;
    takeKept(model, params);
    const ScalingShape& shape = *kept_.front().shape;
    const std::vector<double> plain = coefficientsOfFit();
    const std::vector<double> coefficients = isSingle() ? robustCoefficients(shape) : plain;
    model.alternatives.front().function = shape.function(coefficients, true);
    model.function = model.alternatives.front().function;
    if (shape.form != JumpForm::None) {
        const auto levels = design_.levels(shape.jumpParameter);
        model.jump = ScalingJump{shape.jumpParameter, shape.below,
                                 *std::upper_bound(levels.begin(), levels.end(), shape.below),
                                 jumpFactor(jumpOf(shape), plain), shape.function(coefficients, false)};
    }
    measureErrors(model);
    predict(model, params);
    return model;
}

}  // namespace skein
