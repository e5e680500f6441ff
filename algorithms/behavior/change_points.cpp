// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_points.h"

#include "algorithms/behavior/leading_component.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

/// Values gone through between two questions whether to stop.
constexpr std::size_t kValuesBetweenQuestions = std::size_t{1} << 20;

void noteBlindRow(std::vector<BlindZone>& zones, std::size_t row)
{
    if (!zones.empty() && zones.back().last == row) ++zones.back().last;
    else zones.push_back({row, row + 1});
}

/// Mean and variance (divisor n − 1) of a column's finite values in rows [first, last).
struct ColumnLevel {
    double count = 0.0;
    double mean = 0.0;
    double squares = 0.0;

    double variance() const { return count > 1.0 ? squares / (count - 1.0) : 0.0; }
};

ColumnLevel columnLevel(const SeriesTable& table, std::size_t column, std::size_t first, std::size_t last)
{
    ColumnLevel level;
    for (std::size_t row = first; row < last; ++row) {
        const double value = table.at(row, column);
        if (!std::isfinite(value)) continue;
        const double distance = value - level.mean;
        level.mean += distance / ++level.count;
        level.squares += distance * (value - level.mean);
    }
    return level;
}

}  // namespace

Result<std::vector<double>> representativeSeries(const SeriesTable& table, const Task& task)
{
    if (table.columns.size() == 1) return table.values;
    LeadingComponent component(table.columns.size());
    std::vector<double> scores;
    scores.reserve(table.rows());
    std::size_t values = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        scores.push_back(component.add(table.row(row)));
        values += table.columns.size();
        if (values < kValuesBetweenQuestions) continue;
        values = 0;
        if (task.stopRequested()) return cancelled();
        task.report(static_cast<double>(row) / static_cast<double>(table.rows()), "finding changes");
    }
    return scores;
}

Result<ChangePoints> findChangesOf(std::vector<double> series, const ChangeParams& params)
{
    if (const auto good = checkChangeParams(params); !good) return Unexpected(good.error());
    ChangePoints found;
    ChangeDetector detector(params);
    for (std::size_t row = 0; row < series.size(); ++row) {
        const ChangeStep step = detector.add(series[row]);
        found.pValues.push_back(step.pValue);
        if (step.change) found.changes.push_back(row);
        if (step.blind) noteBlindRow(found.blind, row);
    }
    found.representative = std::move(series);
    return found;
}

Result<ChangePoints> findChanges(const SeriesTable& table, const ChangeParams& params, const Task& task)
{
    if (const auto good = checkChangeParams(params); !good) return Unexpected(good.error());
    auto series = representativeSeries(table, task);
    if (!series) return Unexpected(series.error());
    return findChangesOf(std::move(*series), params);
}

std::vector<EntityShift> explainChange(const SeriesTable& table, const ChangePoints& found,
                                       std::size_t change, std::size_t most, std::size_t reach)
{
    const std::size_t at = found.changes[change];
    std::size_t first = change == 0 ? 0 : found.changes[change - 1];
    std::size_t last = change + 1 < found.changes.size() ? found.changes[change + 1] : table.rows();
    first = std::max(first, at > reach ? at - reach : 0);
    last = std::min(last, at + reach);
    std::vector<EntityShift> shifts;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const ColumnLevel before = columnLevel(table, column, first, at);
        const ColumnLevel after = columnLevel(table, column, at, last);
        if (before.count == 0.0 || after.count == 0.0) continue;
        const double deviation = std::sqrt(before.variance());
        const double moved = after.mean - before.mean;
        shifts.push_back({column, before.mean, after.mean, deviation > 0.0 ? moved / deviation : 0.0});
    }
    const auto size = [](const EntityShift& shift) { return std::abs(shift.after - shift.before); };
    std::stable_sort(shifts.begin(), shifts.end(),
                     [&](const EntityShift& a, const EntityShift& b) { return size(a) > size(b); });
    shifts.resize(std::min(most, shifts.size()));
    return shifts;
}

namespace {

/// Mean square of standardised shifts that counts: about a third of a standard deviation each.
constexpr double kLeastEffect = 0.125;
constexpr std::size_t kMostEntitiesCompared = 4096;

/// Count, mean and squared deviations of each entity in a span of rows.
struct SpanLevels {
    std::vector<double> count, mean, squares;

    explicit SpanLevels(std::size_t entities) : count(entities), mean(entities), squares(entities) {}

    void add(std::size_t entity, double value)
    {
        const double distance = value - mean[entity];
        mean[entity] += distance / ++count[entity];
        squares[entity] += distance * (value - mean[entity]);
    }

    /// The span after this one joins it (Chan, Golub and LeVeque 1983).
    void append(const SpanLevels& next)
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
};

/// How far the levels of two neighbouring spans are apart.
struct SpanContrast {
    double effect = 0.0;  ///< mean over the entities of (difference / deviation)²
    double meanF = 0.0;   ///< the same times what makes it 1 where there is no difference
    double entities = 0.0;
};

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

/// Whether a contrast is more than chance: the mean of F values is about normal, of variance 2 / entities.
bool isPlain(const SpanContrast& contrast, double alpha)
{
    if (contrast.entities == 0.0 || contrast.effect < kLeastEffect) return false;
    const double distance = (contrast.meanF - 1.0) / std::sqrt(2.0 / contrast.entities);
    return 0.5 * std::erfc(distance / std::sqrt(2.0)) < alpha / 2.0;
}

/// The levels between each two changes.
std::vector<SpanLevels> levelsBetween(const SeriesTable& table, const std::vector<std::size_t>& changes)
{
    const std::size_t stride = (table.columns.size() + kMostEntitiesCompared - 1) / kMostEntitiesCompared;
    const std::size_t entities = (table.columns.size() + stride - 1) / stride;
    std::vector<SpanLevels> levels(changes.size() + 1, SpanLevels(entities));
    std::size_t span = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        while (span < changes.size() && row >= changes[span]) ++span;
        for (std::size_t i = 0; i < entities; ++i)
            if (const double value = table.at(row, i * stride); std::isfinite(value))
                levels[span].add(i, value);
    }
    return levels;
}

/// Takes the weakest change away, its two spans becoming one, while it is not plain.
void keepPlain(const SeriesTable& table, std::vector<std::size_t>& places, std::vector<std::size_t>& rows,
               const ChangeParams& params)
{
    if (places.empty()) return;
    std::vector<SpanLevels> levels = levelsBetween(table, rows);
    std::vector<SpanContrast> contrasts;
    for (std::size_t i = 0; i < places.size(); ++i) contrasts.push_back(contrastOf(levels[i], levels[i + 1]));
    while (!places.empty()) {
        std::size_t weakest = 0;
        for (std::size_t i = 1; i < places.size(); ++i) {
            const bool plain = isPlain(contrasts[i], params.alpha);
            const bool weakestPlain = isPlain(contrasts[weakest], params.alpha);
            if (plain != weakestPlain ? weakestPlain : contrasts[i].effect < contrasts[weakest].effect)
                weakest = i;
        }
        if (isPlain(contrasts[weakest], params.alpha)) break;
        const auto at = static_cast<std::ptrdiff_t>(weakest);
        levels[weakest].append(levels[weakest + 1]);
        levels.erase(levels.begin() + at + 1);
        places.erase(places.begin() + at);
        rows.erase(rows.begin() + at);
        contrasts.erase(contrasts.begin() + at);
        if (weakest > 0) contrasts[weakest - 1] = contrastOf(levels[weakest - 1], levels[weakest]);
        if (weakest < contrasts.size()) contrasts[weakest] = contrastOf(levels[weakest], levels[weakest + 1]);
    }
}

/// Two changes with less than a burn-in between them are one that took its time, where levels on both sides
/// of it differ plainly, and none where things are as before; what was between them belongs to neither side.
void joinTransitions(const SeriesTable& table, std::vector<std::size_t>& places,
                     std::vector<std::size_t>& rows, const ChangeParams& params)
{
    std::vector<SpanLevels> levels = levelsBetween(table, rows);
    for (std::size_t i = 0; i + 1 < rows.size();) {
        if (rows[i + 1] - rows[i] >= params.burnIn) {
            ++i;
            continue;
        }
        const auto at = static_cast<std::ptrdiff_t>(i);
        levels.erase(levels.begin() + at + 1);
        const bool plain = isPlain(contrastOf(levels[i], levels[i + 1]), params.alpha);
        if (!plain) {
            levels[i].append(levels[i + 1]);
            levels.erase(levels.begin() + at + 1);
        }
        const auto from = at + (plain ? 1 : 0);
        places.erase(places.begin() + from, places.begin() + at + 2);
        rows.erase(rows.begin() + from, rows.begin() + at + 2);
    }
}

/// Sums over the entities of weighted squared deviations from their means in rows that are added one by one.
class GrowingSpan {
public:
    GrowingSpan(const SeriesTable& table, std::size_t stride, const std::vector<double>& weights)
        : table_(table), stride_(stride), weights_(weights), levels_(weights.size())
    {
    }

    double add(std::size_t row)
    {
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            const double value = table_.at(row, i * stride_);
            if (!std::isfinite(value)) continue;
            const double before = levels_.squares[i];
            levels_.add(i, value);
            sum_ += weights_[i] * (levels_.squares[i] - before);
        }
        return sum_;
    }

private:
    const SeriesTable& table_;
    std::size_t stride_;
    const std::vector<double>& weights_;
    SpanLevels levels_;
    double sum_ = 0.0;
};

/// What entities count for: 1 / variance on both sides of a row.
std::vector<double> splitWeights(const SeriesTable& table, std::size_t stride, std::size_t first,
                                 std::size_t at, std::size_t last)
{
    const std::size_t entities = (table.columns.size() + stride - 1) / stride;
    SpanLevels left(entities), right(entities);
    for (std::size_t row = first; row < last; ++row)
        for (std::size_t i = 0; i < entities; ++i)
            if (const double value = table.at(row, i * stride); std::isfinite(value))
                (row < at ? left : right).add(i, value);
    std::vector<double> weights(entities, 0.0);
    for (std::size_t i = 0; i < entities; ++i) {
        const double count = left.count[i] + right.count[i];
        const double within = (left.squares[i] + right.squares[i]) / std::max(1.0, count - 2.0);
        const double distance = left.mean[i] - right.mean[i];
        // What never moved but here decides alone.
        const double least = 1e-6 * distance * distance;
        if (within > 0.0 || least > 0.0) weights[i] = 1.0 / std::max(within, least);
    }
    return weights;
}

/// The row in a span at which its two parts differ least from their own means, each of 2 rows at least.
std::size_t bestSplit(const SeriesTable& table, std::size_t first, std::size_t at, std::size_t last)
{
    constexpr std::size_t kShortest = 2;
    if (last - first < 2 * kShortest) return at;
    const std::size_t stride = (table.columns.size() + kMostEntitiesCompared - 1) / kMostEntitiesCompared;
    const std::vector<double> weights = splitWeights(table, stride, first, at, last);
    std::vector<double> cost(last - first + 1, 0.0);  // of a split before row first + i
    GrowingSpan left(table, stride, weights), right(table, stride, weights);
    for (std::size_t row = first; row < last; ++row) cost[row + 1 - first] += left.add(row);
    for (std::size_t row = last; row-- > first;) cost[row - first] += right.add(row);
    const auto from = cost.begin() + kShortest, to = cost.end() - kShortest;
    return first + static_cast<std::size_t>(std::min_element(from, to) - cost.begin());
}

}  // namespace

std::vector<std::size_t> lastingChanges(const SeriesTable& table, const ChangePoints& found,
                                        const ChangeParams& params)
{
    std::vector<std::size_t> places, rows;
    for (std::size_t i = 0; i < found.changes.size(); ++i) {
        if (found.changes[i] + params.burnIn > table.rows() || found.changes[i] == 0) continue;
        places.push_back(i);
        rows.push_back(found.changes[i]);
    }
    keepPlain(table, places, rows, params);
    return places;
}

std::vector<SettledChange> settledChanges(const SeriesTable& table, const ChangePoints& found,
                                          const ChangeParams& params)
{
    constexpr int kMostRounds = 8;
    std::vector<std::size_t> places = lastingChanges(table, found, params), rows;
    for (const std::size_t place : places) rows.push_back(found.changes[place]);
    for (int round = 0; round < kMostRounds && !rows.empty(); ++round) {
        const std::vector<std::size_t> before = rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t first = i == 0 ? 0 : rows[i - 1];
            const std::size_t last = i + 1 < rows.size() ? rows[i + 1] : table.rows();
            rows[i] = bestSplit(table, first, rows[i], last);
        }
        keepPlain(table, places, rows, params);
        if (rows == before) break;
    }
    joinTransitions(table, places, rows, params);
    std::vector<SettledChange> settled;
    for (std::size_t i = 0; i < rows.size(); ++i) settled.push_back({places[i], rows[i]});
    return settled;
}

}  // namespace skein
