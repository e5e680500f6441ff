// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/series_modeler.h"

#include "algorithms/behavior/tail_probabilities.h"
#include "algorithms/scaling/mixture_quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace skein {
namespace {

/// Errors are taken as relative; a value below this part of the largest counts as if it were that.
constexpr double kSmallestPart = 1e-3;
/// Relative rounding of exact values, squared.
constexpr double kRoundingVariance = 1e-24;
/// How unlikely a function is that is negative where all parameters are 1, or has a negative coefficient, so
/// that it is negative somewhere behind the measured points.
constexpr double kNegativePrior = 0.2;
/// log-likelihoods that one more coefficient must be worth, in logarithms of the number of observations.
constexpr double kPerCoefficient = 0.5;
/// When repetitions tell the scatter: how unlikely the misfit of the best shape may be before it counts as
/// scatter of its own.
constexpr double kMisfit = 0.01;
/// Functions that are less likely than this beside the best are excluded. Intervals are of the likeliest that
/// together have kConfidence.
constexpr double kNegligible = 1e-4;
constexpr double kConfidence = 0.995;
/// A jump must be this unlikely to be chance, and change values by so much.
constexpr double kJumpByChance = 0.02;
constexpr double kTermsTried = 2.0;
constexpr double kLeastJump = 1.1;
/// Without repetitions: a relative variance that is scatter, and no reason to look for more.
constexpr double kUsualScatter = 0.02 * 0.02;
/// Of how many shapes of several parameters jumps are tried.
constexpr std::size_t kJumpShapes = 5;
/// Without repetitions, how likely a function must be beside the likeliest to be told instead of it because
/// it is nearer to the points.
constexpr double kNearlyAsLikely = 0.1;
constexpr int kRobustSteps = 40;
constexpr double kLeastDeviation = 1e-9;
/// Of exact values, what rounding may have done to a prediction.
constexpr double kRounding = 1e-9;

double symmetricError(double told, double measured)
{
    const double size = std::abs(told) + std::abs(measured);
    return size > 0.0 ? 200.0 * std::abs(told - measured) / size : 0.0;
}

/// At most one term, and that no odd one.
bool isPlainShape(const ScalingShape& shape)
{
    constexpr double kLeastPlainness = 0.45;
    if (shape.products > 1) return false;
    const std::uint8_t term = shape.product[0][0];
    return term == 0 || performanceTerms()[term - 1u].plainness() >= kLeastPlainness;
}

double meanOfRepetitions(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

SeriesModeler::SeriesModeler(const ScalingDesign& design)
    : design_(design), columns_(design.points() * SmallFit::kMostColumns), row_(SmallFit::kMostColumns)
{
    if (design.parameters() != 1) return;
    shapes_ = shapesOfOneParameter();
    overheads_ = shapesWithOverhead();
    // Neighbours have columns in common.
    const auto hasConstant = [](const ScalingShape& shape) { return shape.constant; };
    std::stable_partition(shapes_.begin(), shapes_.end(), hasConstant);
    std::stable_partition(overheads_.begin(), overheads_.end(), hasConstant);
    for (const ScalingShape& shape : shapes_)
        if (isPlainShape(shape)) addJumps(shape, jumps_);
}

void SeriesModeler::addJumps(const ScalingShape& shape, std::vector<Jump>& into) const
{
    std::vector<ScalingShape> jumping;
    appendJumps(shape, design_, jumping);
    for (const ScalingShape& one : jumping)
        // What has as many unknowns as there are points fits whatever was measured.
        if (one.searched() < design_.points()) into.push_back(jumpOf(one));
}

void SeriesModeler::weigh(const std::vector<std::vector<double>>& values)
{
    const std::size_t points = design_.points();
    means_.resize(points);
    weights_.resize(points);
    weighted_.resize(points);
    pureSquares_ = pureFreedoms_ = observations_ = largest_ = 0.0;
    neverNegative_ = true;
    lastFit_.reset();
    double sum = 0.0;
    for (std::size_t at = 0; at < points; ++at) {
        means_[at] = meanOfRepetitions(values[at]);
        largest_ = std::max(largest_, std::abs(means_[at]));
        sum += means_[at];
        neverNegative_ = neverNegative_ && means_[at] >= 0.0;
    }
    sign_ = sum < 0.0 ? -1.0 : 1.0;
    for (std::size_t at = 0; at < points; ++at) {
        const double size = std::max(std::abs(means_[at]), kSmallestPart * largest_);
        const auto count = static_cast<double>(values[at].size());
        for (const double value : values[at])
            pureSquares_ += (value - means_[at]) / size * ((value - means_[at]) / size);
        pureFreedoms_ += count - 1.0;
        observations_ += count;
        weights_[at] = std::sqrt(count) / size;
        weighted_[at] = weights_[at] * means_[at];
    }
}

/// How many leading columns the shape has in common with the last fit.
std::size_t SeriesModeler::columnsOfLastFit(const ScalingShape& shape) const
{
    if (!lastFit_ || shape.form != JumpForm::None || shape.constant != lastFit_->constant) return 0;
    const std::size_t most = std::min(shape.products, lastFit_->products);
    std::size_t same = 0;
    while (same < most && shape.product[same] == lastFit_->product[same]) ++same;
    return same + (shape.constant ? 1 : 0);
}

bool SeriesModeler::fit(const ScalingShape& shape)
{
    const std::size_t count = shape.columns();
    if (count >= design_.points()) return false;
    const std::size_t known = columnsOfLastFit(shape);
    lastFit_.reset();
    design_.fillColumns(shape, weights_, columns_.data());
    std::array<const double*, SmallFit::kMostColumns> columns{};
    for (std::size_t at = 0; at < count; ++at) columns[at] = columns_.data() + at * design_.points();
    if (!fit_.run(std::span(columns).first(count), weighted_, known)) return false;
    if (shape.form == JumpForm::None) lastFit_ = shape;
    return true;
}

double SeriesModeler::signPenalty(const ScalingShape& shape) const
{
    if (shape.form != JumpForm::None) return 0.0;
    double atOne = shape.constant ? fit_.coefficient(0) : 0.0;
    bool negative = false;
    for (std::size_t at = 0; at < shape.products; ++at) {
        const double coefficient = fit_.coefficient(at + (shape.constant ? 1 : 0));
        negative = negative || coefficient * sign_ < 0.0;
        const bool logarithms =
            std::any_of(shape.product[at].begin(), shape.product[at].end(), [](std::uint8_t term) {
                return term != 0 && performanceTerms()[term - 1u].logarithm > 0;
            });
        if (!logarithms) atOne += coefficient;
    }
    static const double kPenalty = std::log(kNegativePrior);
    return (atOne * sign_ < -kRounding * largest_ ? kPenalty : 0.0) + (negative ? kPenalty : 0.0);
}

void SeriesModeler::consider(const ScalingShape& shape, std::vector<Candidate>& into)
{
    if (!fit(shape)) return;
    constexpr double kLeastLeft = 1e-9;
    Candidate candidate;
    candidate.shape = shape;
    candidate.squares = fit_.squares();
    double variances = 1.0;
    for (std::size_t at = 0; at < design_.points(); ++at) {
        const double left = std::max(1.0 - fit_.leverages()[at], kLeastLeft);
        const double residual = fit_.residuals()[at];
        candidate.leftOut += residual * residual / left;
        variances *= left;
        if (variances < 1e-200) {
            candidate.logVariances += std::log(variances);
            variances = 1.0;
        }
    }
    candidate.logVariances += std::log(variances);
    candidate.penalty = signPenalty(shape);
    into.push_back(candidate);
}

std::vector<std::uint8_t> SeriesModeler::bestTerms(std::size_t parameter, std::size_t most)
{
    // Every slice has a constant and a coefficient of its own, so that nothing is said of other parameters.
    std::vector<std::pair<double, std::uint8_t>> costs;
    std::vector<double> ones, term, values;
    lastFit_.reset();
    const auto& slices = design_.slices(parameter);
    for (std::size_t at = 0; at < performanceTerms().size(); ++at) {
        double both = kRoundingVariance, alone = kRoundingVariance, count = 0.0;
        for (const auto& slice : slices) {
            ones.clear(), term.clear(), values.clear();
            for (const std::uint32_t point : slice) {
                ones.push_back(weights_[point]);
                term.push_back(weights_[point] * design_.term(parameter, at)[point]);
                values.push_back(weighted_[point]);
            }
            const std::array<const double*, 2> columns{term.data(), ones.data()};
            count += static_cast<double>(slice.size());
            const auto add = [&](std::size_t used, double& cost) {
                if (!fit_.run(std::span(columns).first(used), values)) return;
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const double left = std::max(1.0 - fit_.leverages()[i], 1e-9);
                    cost += fit_.residuals()[i] * fit_.residuals()[i] / left;
                }
            };
            add(2, both);
            add(1, alone);
        }
        const double cost = 0.5 * count * std::log(std::min(both, alone));
        costs.emplace_back(cost - std::log(performanceTerms()[at].plainness()),
                           static_cast<std::uint8_t>(at));
    }
    const std::size_t kept = std::min(most, costs.size());
    std::partial_sort(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(kept), costs.end());
    std::vector<std::uint8_t> best;
    for (std::size_t at = 0; at < kept; ++at) best.push_back(costs[at].second);
    return best;
}

std::vector<std::vector<std::uint8_t>> SeriesModeler::shortlist()
{
    constexpr std::array<std::size_t, kMostScalingParameters + 1> kMost{0, 0, 6, 3, 2};
    std::vector<std::vector<std::uint8_t>> terms;
    for (std::size_t parameter = 0; parameter < design_.parameters(); ++parameter)
        terms.push_back(bestTerms(parameter, kMost[design_.parameters()]));
    return terms;
}

void SeriesModeler::considerPlain()
{
    plain_.clear();
    jumping_.clear();
    if (design_.parameters() == 1) {
        for (const ScalingShape& shape : shapes_) consider(shape, plain_);
        return;
    }
    for (const ScalingShape& shape : shapesOfParameters(shortlist())) consider(shape, plain_);
}

double SeriesModeler::pureVariance() const
{
    return pureFreedoms_ > 0.0 ? std::max(pureSquares_ / pureFreedoms_, kRoundingVariance) : 0.0;
}

SeriesModeler::Noise SeriesModeler::noiseOf(const std::vector<Candidate>& candidates) const
{
    const auto points = static_cast<double>(design_.points());
    double best = std::numeric_limits<double>::max(), freedoms = 1.0;
    for (const Candidate& candidate : candidates) {
        const double left = points - static_cast<double>(candidate.shape.searched());
        if (left < 1.0 || candidate.squares / left >= best) continue;
        best = candidate.squares / left;
        freedoms = left;
    }
    const double pure = pureVariance();
    const bool repeated =
        pureFreedoms_ > 0.0 && (best <= pure || fTail(best / pure, freedoms, pureFreedoms_) > kMisfit);
    if (repeated) return {pure, pureFreedoms_, observations_};
    return {std::max(best, kRoundingVariance), freedoms, points};
}

SeriesModeler::Jump SeriesModeler::jumpOf(const ScalingShape& shape) const
{
    // Between the last point before the jump and the first one behind it.
    const auto levels = design_.levels(shape.jumpParameter);
    const auto behind = std::upper_bound(levels.begin(), levels.end(), shape.below);
    std::vector<double> point(design_.point(0).size());
    for (std::size_t at = 0; at < point.size(); ++at) point[at] = design_.levels(at).back();
    point[shape.jumpParameter] = std::sqrt(shape.below * *behind);
    Jump jump{shape, {}, {}};
    ScalingShape goneOn = shape;
    goneOn.below = point[shape.jumpParameter];
    goneOn.fillRow(point, jump.before);
    shape.fillRow(point, jump.behind);
    return jump;
}

double SeriesModeler::jumpFactor(const Jump& jump) const
{
    double before = 0.0, behind = 0.0;
    for (std::size_t at = 0; at < fit_.columns(); ++at) {
        before += jump.before[at] * fit_.coefficient(at);
        behind += jump.behind[at] * fit_.coefficient(at);
    }
    return before == 0.0 ? std::numeric_limits<double>::infinity() : behind / before;
}

bool SeriesModeler::isMisfit() const
{
    const Noise plain = noiseOf(plain_);
    const double pure = pureVariance();
    const double scatter = pureFreedoms_ > 0.0 ? pure : kUsualScatter;
    return plain.variance > scatter;
}

std::vector<SeriesModeler::Jump> SeriesModeler::jumpsOfBest() const
{
    std::vector<const Candidate*> best;
    for (const Candidate& candidate : plain_) best.push_back(&candidate);
    const std::size_t most = std::min(kJumpShapes, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(most), best.end(),
                      [](const Candidate* a, const Candidate* b) { return a->squares < b->squares; });
    std::vector<Jump> jumps;
    for (std::size_t at = 0; at < most; ++at) addJumps(best[at]->shape, jumps);
    return jumps;
}

void SeriesModeler::considerJumps()
{
    const auto consideredOf = [&](const std::vector<Jump>& jumps) {
        for (const Jump& jump : jumps) {
            const std::size_t before = jumping_.size();
            consider(jump.shape, jumping_);
            if (jumping_.size() == before) continue;
            const double factor = jumpFactor(jump);
            const bool large = factor >= kLeastJump || factor <= 1.0 / kLeastJump;
            if (!large) jumping_.pop_back();
        }
    };
    consideredOf(design_.parameters() == 1 ? jumps_ : jumpsOfBest());
    if (!jumping_.empty() && !isJumpBetter()) jumping_.clear();
}

bool SeriesModeler::isJumpBetter() const
{
    const auto points = static_cast<double>(design_.points());
    const Noise plain = noiseOf(plain_);
    const double pure = pureVariance();
    const double places = static_cast<double>(design_.levels(0).size());
    double plainSquares = plain.variance * plain.freedoms;
    for (const Candidate& candidate : jumping_) {
        double left = points - static_cast<double>(candidate.shape.searched());
        double variance = std::max(candidate.squares / left, kRoundingVariance);
        if (pureFreedoms_ > 0.0) {
            // What the repetitions tell of the scatter counts as well.
            variance =
                std::max((candidate.squares + pureSquares_) / (left + pureFreedoms_), kRoundingVariance);
            if (candidate.squares / left > pure
                && fTail(candidate.squares / left / pure, left, pureFreedoms_) < kMisfit)
                continue;
            left += pureFreedoms_;
        }
        const double more =
            std::max(1.0, static_cast<double>(candidate.shape.searched()) - (points - plain.freedoms));
        const double gain = (plainSquares - candidate.squares) / more / variance;
        const double tried = places * (candidate.shape.products > 0 ? kTermsTried : 1.0);
        if (gain > 0.0 && fTail(gain, more, left) < kJumpByChance / tried) return true;
    }
    return false;
}

void SeriesModeler::judge()
{
    std::vector<Candidate>& candidates = jumping_.empty() ? plain_ : jumping_;
    noise_ = noiseOf(candidates);
    const auto points = static_cast<double>(design_.points());
    const double perCoefficient = kPerCoefficient * std::log(noise_.observations);
    double best = -std::numeric_limits<double>::max();
    for (Candidate& candidate : candidates) {
        const double misfit = candidate.leftOut / (noise_.freedoms * noise_.variance);
        candidate.score = candidate.shape.logPrior + candidate.penalty
            - 0.5 * (noise_.freedoms + points) * std::log1p(misfit) + 0.5 * candidate.logVariances
            - perCoefficient * static_cast<double>(candidate.shape.columns());
        best = std::max(best, candidate.score);
    }
    kept_.clear();
    for (const Candidate& candidate : candidates)
        if (candidate.score >= best + std::log(kNegligible)) kept_.push_back(candidate);
    std::stable_sort(kept_.begin(), kept_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    likelihoods_.clear();
    for (const Candidate& candidate : kept_) likelihoods_.push_back(std::exp(candidate.score - best));
    const double whole = std::accumulate(likelihoods_.begin(), likelihoods_.end(), 0.0);
    for (double& likelihood : likelihoods_) likelihood /= whole;
}

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
        fit(kept_[which].shape);
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
        std::vector<double> factors;
        for (std::size_t at = 0; at < weights.size(); ++at) {
            const double relative = std::abs(fit_.residuals()[at]) * weights[at] / weights_[at];
            factors.push_back(1.0 / std::sqrt(std::max(relative, kLeastDeviation)));
        }
        for (std::size_t at = 0; at < weights.size(); ++at) {
            weights_[at] = weights[at] * factors[at];
            weighted_[at] = weighted[at] * factors[at];
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

void SeriesModeler::predict(ScalingModel& model, const ScalingParams& params)
{
    std::vector<std::vector<MixtureComponent>> components(params.at.size());
    double sum = 0.0;
    for (std::size_t which = 0; which < kept_.size() && sum < kConfidence; ++which) {
        sum += likelihoods_[which];
        const ScalingShape& shape = kept_[which].shape;
        fit(shape);
        const auto row = std::span(row_).first(shape.columns());
        for (std::size_t at = 0; at < params.at.size(); ++at) {
            shape.fillRow(params.at[at], row);
            double center = 0.0;
            for (std::size_t i = 0; i < row.size(); ++i) center += row[i] * fit_.coefficient(i);
            components[at].push_back(
                {likelihoods_[which], center, std::sqrt(noise_.variance * fit_.varianceAt(row))});
        }
    }
    const double tail = 0.5 * (1.0 - params.probability);
    for (auto& mixture : components) {
        for (MixtureComponent& one : mixture) one.weight /= sum;
        ScalingPrediction told;
        told.value = model.at(params.at[model.predictions.size()]);
        const double rounding = kRounding * std::abs(told.value);
        told.low = std::min(told.value, mixtureQuantile(mixture, noise_.freedoms, tail)) - rounding;
        told.high = std::max(told.value, mixtureQuantile(mixture, noise_.freedoms, 1.0 - tail)) + rounding;
        if (neverNegative_ && told.value >= 0.0) told.low = std::max(told.low, 0.0);
        model.predictions.push_back(told);
    }
}

ScalingModel SeriesModeler::modelOf(const ScalingParams& params)
{
    ScalingModel model;
    std::vector<double> coefficients;
    for (std::size_t which = kept_.size(); which-- > 0;) {
        fit(kept_[which].shape);
        coefficients.clear();
        for (std::size_t at = 0; at < fit_.columns(); ++at) coefficients.push_back(fit_.coefficient(at));
        model.alternatives.push_back({kept_[which].shape.function(coefficients, true), likelihoods_[which]});
    }
    std::reverse(model.alternatives.begin(), model.alternatives.end());
    const ScalingShape& shape = kept_.front().shape;
    if (isSingle()) {
        coefficients = robustCoefficients(shape);
        model.alternatives.front().function = shape.function(coefficients, true);
    }
    model.function = model.alternatives.front().function;
    if (shape.form != JumpForm::None) {
        const auto levels = design_.levels(shape.jumpParameter);
        model.jump = ScalingJump{shape.jumpParameter, shape.below,
                                 *std::upper_bound(levels.begin(), levels.end(), shape.below),
                                 jumpFactor(jumpOf(shape)), shape.function(coefficients, false)};
    }
    measureErrors(model);
    predict(model, params);
    return model;
}

ScalingModel SeriesModeler::run(const std::vector<std::vector<double>>& values, const ScalingParams& params)
{
    weigh(values);
    if (largest_ == 0.0) {
        ScalingModel nothing;
        nothing.predictions.resize(params.at.size());
        nothing.alternatives.push_back({{}, 1.0});
        return nothing;
    }
    considerPlain();
    // Where some function with one term does, nothing else is looked for.
    if (isMisfit() && design_.parameters() == 1)
        for (const ScalingShape& shape : overheads_) consider(shape, plain_);
    if (isMisfit()) considerJumps();
    judge();
    if (isSingle() && kept_.front().shape.form == JumpForm::None) preferNearest();
    return modelOf(params);
}

}  // namespace skein
