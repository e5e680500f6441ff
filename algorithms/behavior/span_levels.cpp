// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/span_levels.h"

#include "algorithms/behavior/tail_probabilities.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace skein {
namespace {

/// Mean square of standardised shifts that counts: about a third of a standard deviation each.
constexpr double kLeastEffect = 0.125;
/// The same of what is looked for at every row: a standard deviation.
constexpr double kLeastSoughtEffect = 1.0;
constexpr std::size_t kMostEntitiesCompared = 4096;

/// Sums over the entities of weighted squared deviations from their means in rows that are added one by one.
class GrowingSpan {
public:
    GrowingSpan(const ComparedEntities& entities, const std::vector<double>& weights)
        : entities_(entities), weights_(weights), levels_(weights.size())
    {
    }

    double add(std::size_t row)
    {
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            const double value = entities_.at(row, i);
            if (!std::isfinite(value)) continue;
            const double before = levels_.squares[i];
            levels_.add(i, value);
            sum_ += weights_[i] * (levels_.squares[i] - before);
        }
        return sum_;
    }

private:
    const ComparedEntities& entities_;
    const std::vector<double>& weights_;
    SpanLevels levels_;
    double sum_ = 0.0;
};

/// How unlikely rows that are added one by one are, told as a level of each entity with a variance of its
/// own: −2 × the logarithm of the likelihood, but for a constant, summed over the entities.
class GrowingLikelihood {
public:
    GrowingLikelihood(const ComparedEntities& entities, const std::vector<double>& weights)
        : entities_(entities), weights_(weights), levels_(weights.size()), costs_(weights.size())
    {
    }

    double add(std::size_t row)
    {
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            const double value = entities_.at(row, i);
            if (!std::isfinite(value) || weights_[i] <= 0.0) continue;
            levels_.add(i, value);
            // Few rows tell little of their variance: they start from what is usual, as if it were one more.
            const double count = levels_.count[i];
            const double cost = count * std::log((weights_[i] * levels_.squares[i] + 1.0) / (count + 1.0));
            sum_ += cost - std::exchange(costs_[i], cost);
        }
        return sum_;
    }

private:
    const ComparedEntities& entities_;
    const std::vector<double>& weights_;
    SpanLevels levels_;
    std::vector<double> costs_;
    double sum_ = 0.0;
};

/// What entities count for: 1 / variance on both sides of a row.
std::vector<double> splitWeights(const SpanLevels& left, const SpanLevels& right)
{
    std::vector<double> weights(left.count.size(), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double count = left.count[i] + right.count[i];
        const double within = (left.squares[i] + right.squares[i]) / std::max(1.0, count - 2.0);
        const bool both = left.count[i] > 0.0 && right.count[i] > 0.0;
        const double distance = both ? left.mean[i] - right.mean[i] : 0.0;
        // What never moved but here decides alone.
        const double least = 1e-6 * distance * distance;
        if (within > 0.0 || least > 0.0) weights[i] = 1.0 / std::max(within, least);
    }
    return weights;
}

/// What remains of some entities, a list each, when the level of every span is taken away: of variance 1, NaN
/// where there is no value. Those that never move are left out.
std::vector<std::vector<double>> standardResiduals(const ComparedEntities& entities,
                                                   const std::vector<std::size_t>& rows)
{
    constexpr std::size_t kMost = 32;
    const std::vector<SpanLevels> levels = levelsBetween(entities, rows);
    const std::size_t stride = std::max<std::size_t>(1, (entities.size() + kMost - 1) / kMost);
    std::vector<std::vector<double>> residuals;
    for (std::size_t entity = 0; entity < entities.size(); entity += stride) {
        double squares = 0.0, count = 0.0;
        for (const SpanLevels& level : levels) {
            squares += level.squares[entity];
            count += level.count[entity];
        }
        if (!(squares > 0.0)) continue;
        const double deviation = std::sqrt(squares / count);
        std::vector<double>& own = residuals.emplace_back();
        std::size_t span = 0;
        for (std::size_t row = 0; row < entities.rows(); ++row) {
            while (span < rows.size() && rows[span] <= row) ++span;
            own.push_back((entities.at(row, entity) - levels[span].mean[entity]) / deviation);
        }
    }
    return residuals;
}

/// Over all pairs, less what it is of as many values of chance.
double meanSquaredCorrelation(const std::vector<std::vector<double>>& series)
{
    double sum = 0.0, pairs = 0.0;
    for (std::size_t a = 0; a < series.size(); ++a)
        for (std::size_t b = a + 1; b < series.size(); ++b) {
            double products = 0.0, count = 0.0;
            for (std::size_t row = 0; row < series[a].size(); ++row) {
                const double product = series[a][row] * series[b][row];
                if (!std::isfinite(product)) continue;
                products += product;
                ++count;
            }
            if (count < 2.0) continue;
            const double r = products / count;
            sum += r * r - 1.0 / count;
            ++pairs;
        }
    return pairs > 0.0 ? std::max(0.0, sum / pairs) : 0.0;
}

double freedomOf(const SpanContrast& contrast, const PlainRule& rule)
{
    return std::max(1.0, contrast.entities * rule.independent);
}

}  // namespace

ComparedEntities::ComparedEntities(const SeriesTable& table)
    : table_(table),
      stride_(std::max<std::size_t>(
          1, (table.columns.size() + kMostEntitiesCompared - 1) / kMostEntitiesCompared)),
      size_((table.columns.size() + stride_ - 1) / stride_)
{
}

ComparedEntities ComparedEntities::fenced(std::size_t first, std::size_t last) const
{
    constexpr double kFence = 1.5, kEndless = std::numeric_limits<double>::infinity();
    ComparedEntities fenced = *this;
    fenced.low_.assign(size_, -kEndless);
    fenced.high_.assign(size_, kEndless);
    std::vector<double> values;
    for (std::size_t i = 0; i < size_; ++i) {
        values.clear();
        for (std::size_t row = first; row < last; ++row)
            if (const double value = at(row, i); std::isfinite(value)) values.push_back(value);
        if (values.size() < 4) continue;
        const auto quarter = static_cast<std::ptrdiff_t>(values.size() / 4);
        const auto lower = values.begin() + quarter, upper = values.end() - 1 - quarter;
        std::nth_element(values.begin(), lower, values.end());
        std::nth_element(lower, upper, values.end());
        const double range = *upper - *lower;
        if (range <= 0.0) continue;  // what stands still for the most part has no fences
        fenced.low_[i] = *lower - kFence * range;
        fenced.high_[i] = *upper + kFence * range;
    }
    return fenced;
}

void SpanLevels::add(std::size_t entity, double value)
{
    const double distance = value - mean[entity];
    mean[entity] += distance / ++count[entity];
    squares[entity] += distance * (value - mean[entity]);
}

void SpanLevels::append(const SpanLevels& next)
{
    for (std::size_t i = 0; i < count.size(); ++i) {
        const double both = count[i] + next.count[i];
        if (next.count[i] == 0.0) continue;
        const double distance = next.mean[i] - mean[i];
        squares[i] += next.squares[i] + distance * distance * count[i] * next.count[i] / both;
        mean[i] += distance * next.count[i] / both;
        count[i] = both;
    }
}

SpanLevels levelsOf(const ComparedEntities& entities, std::size_t first, std::size_t last)
{
    SpanLevels levels(entities.size());
    for (std::size_t row = first; row < last; ++row)
        for (std::size_t i = 0; i < entities.size(); ++i)
            if (const double value = entities.at(row, i); std::isfinite(value)) levels.add(i, value);
    return levels;
}

std::vector<SpanLevels> levelsBetween(const ComparedEntities& entities, const std::vector<std::size_t>& rows)
{
    std::vector<SpanLevels> levels;
    for (std::size_t span = 0; span <= rows.size(); ++span)
        levels.push_back(levelsOf(entities, span == 0 ? 0 : rows[span - 1],
                                  span < rows.size() ? rows[span] : entities.rows()));
    return levels;
}

SpanContrast contrastOf(const SpanLevels& a, const SpanLevels& b)
{
    SpanContrast contrast;
    constexpr double kEndless = 1e12;  // of what never changed but now
    for (std::size_t i = 0; i < a.count.size(); ++i) {
        const double na = a.count[i], nb = b.count[i];
        if (na < 1.0 || nb < 1.0 || na + nb < 3.0) continue;
        const double variance = (a.squares[i] + b.squares[i]) / (na + nb - 2.0);
        const double difference = a.mean[i] - b.mean[i];
        if (difference == 0.0 && variance == 0.0) continue;
        const double ratio =
            variance > 0.0 ? std::min(kEndless, difference * difference / variance) : kEndless;
        contrast.effect += ratio;
        contrast.meanF += ratio * na * nb / (na + nb);
        ++contrast.entities;
    }
    if (contrast.entities == 0.0) return contrast;
    contrast.effect /= contrast.entities;
    contrast.meanF /= contrast.entities;
    return contrast;
}

double independentShare(const ComparedEntities& entities, const std::vector<std::size_t>& rows)
{
    const auto all = static_cast<double>(entities.size());
    return 1.0 / (1.0 + (all - 1.0) * meanSquaredCorrelation(standardResiduals(entities, rows)));
}

bool isPlain(const SpanContrast& contrast, const PlainRule& rule)
{
    if (contrast.entities == 0.0 || contrast.effect < kLeastEffect) return false;
    const double distance = (contrast.meanF - 1.0) / std::sqrt(2.0 / freedomOf(contrast, rule));
    return 0.5 * std::erfc(distance / std::sqrt(2.0)) < rule.alpha / 2.0;
}

bool isPlainAmong(const SpanContrast& contrast, const PlainRule& rule, std::size_t tried)
{
    if (contrast.entities == 0.0 || contrast.effect < kLeastEffect) return false;
    const double freedom = freedomOf(contrast, rule);
    return chiSquareTail(contrast.meanF * freedom, freedom) * static_cast<double>(tried) < rule.alpha;
}

bool isPlainUnasked(const SpanContrast& contrast, const PlainRule& rule, std::size_t tried)
{
    return contrast.effect >= kLeastSoughtEffect && isPlainAmong(contrast, rule, tried);
}

namespace {

/// Of a span of rows the costs of telling it as two levels, by the row between them.
struct SplitCosts {
    std::vector<double> costs;  ///< of a split before row first + i
    std::vector<double> weights;

    std::size_t least() const
    {
        const auto from = costs.begin() + kShortest, to = costs.end() - kShortest;
        return static_cast<std::size_t>(std::min_element(from, to) - costs.begin());
    }
    static constexpr std::size_t kShortest = 2;
};

template <typename Growing>
SplitCosts splitCosts(const ComparedEntities& entities, std::size_t first, std::size_t at, std::size_t last)
{
    SplitCosts split;
    split.weights = splitWeights(levelsOf(entities, first, at), levelsOf(entities, at, last));
    split.costs.assign(last - first + 1, 0.0);
    Growing left(entities, split.weights), right(entities, split.weights);
    for (std::size_t row = first; row < last; ++row) split.costs[row + 1 - first] += left.add(row);
    for (std::size_t row = last; row-- > first;) split.costs[row - first] += right.add(row);
    return split;
}

}  // namespace

std::size_t bestSplit(const ComparedEntities& entities, std::size_t first, std::size_t at, std::size_t last)
{
    if (last - first < 2 * SplitCosts::kShortest) return at;
    return first + splitCosts<GrowingSpan>(entities, first, at, last).least();
}

std::size_t likeliestSplit(const ComparedEntities& entities, std::size_t first, std::size_t at,
                           std::size_t last)
{
    if (last - first < 2 * SplitCosts::kShortest) return at;
    const SplitCosts split = splitCosts<GrowingLikelihood>(entities, first, at, last);
    const std::size_t least = split.least();
    // A split at `at` with one variance costs count · log((count − 2) / count), about −2, by these weights.
    const double price = 2.0 + std::log(static_cast<double>(last - first));
    const auto told = static_cast<double>(std::count_if(split.weights.begin(), split.weights.end(),
                                                        [](double weight) { return weight > 0.0; }));
    return split.costs[least] < -price * told ? first + least : at;
}

}  // namespace skein
