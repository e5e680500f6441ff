// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/series_modeler.h"

#include "algorithms/behavior/tail_probabilities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
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
/// Functions that are less likely than this beside the best are excluded.
constexpr double kNegligible = 1e-4;
/// A jump must be this unlikely to be chance, and change values by so much.
constexpr double kJumpByChance = 0.02;
constexpr double kTermsTried = 2.0;
constexpr double kLeastJump = 1.1;
/// Without repetitions: a relative variance that is scatter, and no reason to look for more.
constexpr double kUsualScatter = 0.02 * 0.02;
/// Of how many shapes of several parameters jumps are tried.
constexpr std::size_t kJumpShapes = 5;
/// More than any shape searches for.
constexpr std::size_t kMostSearched = SmallFit::kMostColumns + ScalingShape::kMostProducts + 2;

/// At most one term, and that no odd one.
bool isPlainShape(const ScalingShape& shape)
{
    constexpr double kLeastPlainness = 0.45;
    if (shape.products > 1) return false;
    const std::uint8_t term = shape.product[0][0];
    return term == 0 || performanceTerms()[term - 1u].plainness() >= kLeastPlainness;
}

/// At most log(1 + x) of x ≥ 0, by less than 0.06.
double leastLogarithm(double x)
{
    int exponent = 0;
    const double part = 2.0 * std::frexp(1.0 + x, &exponent);
    return std::numbers::ln2 * (static_cast<double>(exponent - 1) + (part - 1.0));
}

double meanOfRepetitions(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

SeriesModeler::SeriesModeler(const ScalingDesign& design)
    : design_(design), columns_(design.points() * SmallFit::kMostColumns)
{
    if (design.parameters() != 1) return;
    std::vector<ScalingShape> shapes = shapesOfOneParameter();
    constant_ = shapes.front();
    families_ = familiesOf(shapes, design);
    overheads_ = familiesOf(shapesWithOverhead(), design);
    std::vector<Jump> jumps;
    for (const ScalingShape& shape : shapes)
        if (isPlainShape(shape)) addJumps(shape, jumps);
    shapes.clear();
    for (const Jump& jump : jumps) {
        shapes.push_back(jump.shape);
        if (jump.shape.products == 0) constantJumps_.push_back(jump);
    }
    for (ShapeFamily& family : familiesOf(shapes, design)) {
        JumpFamily jumping{std::move(family), {}};
        for (const ScalingShape& shape : jumping.family.shapes()) jumping.jumps.push_back(jumpOf(shape));
        jumpFamilies_.push_back(std::move(jumping));
    }
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

double SeriesModeler::signPenalty(const ShapeSigns& signs, std::span<const double> coefficients) const
{
    static const double kPenalty = std::log(kNegativePrior);
    double atOne = 0.0;
    bool negative = false;
    for (std::size_t at = 0; at < coefficients.size(); ++at) {
        if (signs.atOne >> at & 1u) atOne += coefficients[at];
        negative = negative || ((signs.summands >> at & 1u) && coefficients[at] * sign_ < 0.0);
    }
    return (atOne * sign_ < -kRounding * largest_ ? kPenalty : 0.0) + (negative ? kPenalty : 0.0);
}

void SeriesModeler::add(const ScalingShape& shape, const ShapeSigns& signs, const ShapeFit& fit,
                        std::vector<Candidate>& into) const
{
    Candidate& candidate = into.emplace_back();
    const std::size_t columns = shape.columns();
    candidate.shape = &shape;
    candidate.columns = static_cast<std::uint8_t>(columns);
    candidate.searched = static_cast<std::uint8_t>(shape.searched());
    candidate.squares = fit.squares;
    candidate.leftOut = fit.leftOut;
    candidate.logVariances = fit.logVariances;
    candidate.penalty = signPenalty(signs, std::span(fit.coefficients).first(columns));
}

std::optional<ShapeFit> SeriesModeler::fitOne(const ScalingShape& shape)
{
    if (!fit(shape)) return std::nullopt;
    ShapeFit found;
    found.squares = fit_.squares();
    double variances = 1.0;
    for (std::size_t at = 0; at < design_.points(); ++at) {
        const double left = std::max(1.0 - fit_.leverages()[at], LaneFits::kLeastLeft);
        const double residual = fit_.residuals()[at];
        found.leftOut += residual * residual / left;
        variances *= left;
        if (variances < 1e-200) {
            found.logVariances += std::log(variances);
            variances = 1.0;
        }
    }
    found.logVariances += std::log(variances);
    for (std::size_t at = 0; at < fit_.columns(); ++at) found.coefficients[at] = fit_.coefficient(at);
    return found;
}

void SeriesModeler::consider(const ScalingShape& shape, std::vector<Candidate>& into)
{
    if (const auto found = fitOne(shape)) add(shape, signsOf(shape), *found, into);
}

void SeriesModeler::consider(const ShapeFamily& family, std::vector<Candidate>& into)
{
    if (family.columns() >= design_.points()) return;
    const auto fits = lanes_.run(family, weights_, weighted_);
    for (std::size_t at = 0; at < fits.size(); ++at)
        if (fits[at].independent) add(family.shapes()[at], family.signs(at), fits[at], into);
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
        consider(constant_, plain_);
        for (const ShapeFamily& family : families_) consider(family, plain_);
        return;
    }
    tried_ = shapesOfParameters(shortlist());
    for (const ScalingShape& shape : tried_) consider(shape, plain_);
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
        const double left = points - candidate.searched;
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

double SeriesModeler::jumpFactor(const Jump& jump, std::span<const double> coefficients)
{
    double before = 0.0, behind = 0.0;
    for (std::size_t at = 0; at < jump.shape.columns(); ++at) {
        before += jump.before[at] * coefficients[at];
        behind += jump.behind[at] * coefficients[at];
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
    for (std::size_t at = 0; at < most; ++at) addJumps(*best[at]->shape, jumps);
    return jumps;
}

void SeriesModeler::addLargeJump(const Jump& jump, const ShapeFit& fit)
{
    const double factor = jumpFactor(jump, fit.coefficients);
    if (factor >= kLeastJump || factor <= 1.0 / kLeastJump) add(jump.shape, {}, fit, jumping_);
}

void SeriesModeler::considerJumps()
{
    if (design_.parameters() > 1) jumpsTried_ = jumpsOfBest();
    for (const Jump& jump : design_.parameters() == 1 ? constantJumps_ : jumpsTried_)
        if (const auto found = fitOne(jump.shape)) addLargeJump(jump, *found);
    for (const JumpFamily& jumps : jumpFamilies_) {
        const auto fits = lanes_.run(jumps.family, weights_, weighted_);
        for (std::size_t at = 0; at < fits.size(); ++at)
            if (fits[at].independent) addLargeJump(jumps.jumps[at], fits[at]);
    }
    if (!jumping_.empty() && !isJumpBetter()) jumping_.clear();
}

bool SeriesModeler::isJumpBetter() const
{
    // Of those with as many unknowns the nearest is the least likely to be chance.
    std::array<std::array<const Candidate*, kMostSearched>, 2> nearest{};
    for (const Candidate& candidate : jumping_) {
        const Candidate*& best = nearest[candidate.shape->products > 0 ? 1 : 0][candidate.searched];
        if (best == nullptr || candidate.squares < best->squares) best = &candidate;
    }
    const Noise plain = noiseOf(plain_);
    for (const auto& ofKind : nearest)
        for (const Candidate* candidate : ofKind)
            if (candidate != nullptr && isNoChance(*candidate, plain)) return true;
    return false;
}

bool SeriesModeler::isNoChance(const Candidate& jumping, const Noise& plain) const
{
    const auto points = static_cast<double>(design_.points());
    const double pure = pureVariance();
    const double places = static_cast<double>(design_.levels(0).size());
    double left = points - jumping.searched;
    double variance = std::max(jumping.squares / left, kRoundingVariance);
    if (pureFreedoms_ > 0.0) {
        // What the repetitions tell of the scatter counts as well.
        variance = std::max((jumping.squares + pureSquares_) / (left + pureFreedoms_), kRoundingVariance);
        if (jumping.squares / left > pure
            && fTail(jumping.squares / left / pure, left, pureFreedoms_) < kMisfit)
            return false;
        left += pureFreedoms_;
    }
    const double more = std::max(1.0, jumping.searched - (points - plain.freedoms));
    const double gain = (plain.variance * plain.freedoms - jumping.squares) / more / variance;
    const double tried = places * (jumping.shape->products > 0 ? kTermsTried : 1.0);
    return gain > 0.0 && fTail(gain, more, left) < kJumpByChance / tried;
}

void SeriesModeler::judge()
{
    std::vector<Candidate>& candidates = jumping_.empty() ? plain_ : jumping_;
    noise_ = noiseOf(candidates);
    const auto points = static_cast<double>(design_.points());
    const double perCoefficient = kPerCoefficient * std::log(noise_.observations);
    const double power = 0.5 * (noise_.freedoms + points), negligible = std::log(kNegligible);
    double best = -std::numeric_limits<double>::max();
    kept_.clear();
    for (Candidate& candidate : candidates) {
        const double misfit = candidate.leftOut / (noise_.freedoms * noise_.variance);
        const double rest = candidate.shape->logPrior + candidate.penalty + 0.5 * candidate.logVariances
            - perCoefficient * candidate.columns;
        // Logarithms of what is far from likely are not needed.
        if (rest - power * leastLogarithm(misfit) < best + negligible) continue;
        candidate.score = rest - power * std::log1p(misfit);
        best = std::max(best, candidate.score);
        kept_.push_back(candidate);
    }
    std::erase_if(kept_, [&](const Candidate& candidate) { return !(candidate.score >= best + negligible); });
    std::stable_sort(kept_.begin(), kept_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    // The best one must have coefficients; what passes four at a time may be all but dependent.
    while (kept_.size() > 1 && !fit(*kept_.front().shape)) kept_.erase(kept_.begin());
    likelihoods_.clear();
    for (const Candidate& candidate : kept_) likelihoods_.push_back(std::exp(candidate.score - best));
    const double whole = std::accumulate(likelihoods_.begin(), likelihoods_.end(), 0.0);
    for (double& likelihood : likelihoods_) likelihood /= whole;
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
        for (const ShapeFamily& family : overheads_) consider(family, plain_);
    if (isMisfit()) considerJumps();
    judge();
    if (isSingle() && kept_.front().shape->form == JumpForm::None) preferNearest();
    return modelOf(params);
}

}  // namespace skein
