// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/series/series_table.h"

#include <cstddef>
#include <vector>

/// Levels of entities in spans of rows, and how far those of neighbouring spans are apart.
namespace skein {

/// A table of which at most 4096 entities are looked at, evenly taken.
class ComparedEntities {
public:
    explicit ComparedEntities(const SeriesTable& table);

    std::size_t size() const { return size_; }
    std::size_t rows() const { return table_.rows(); }
    double at(std::size_t row, std::size_t entity) const
    {
        const double value = table_.at(row, entity * stride_);
        return low_.empty() || !(value < low_[entity] || value > high_[entity])
            ? value
            : (value < low_[entity] ? low_[entity] : high_[entity]);
    }
    /// The same with what is far out in rows [first, last) moved to the fences (Tukey 1977: 1.5 times the
    /// range of the middle half beyond it), so that a burst decides nothing. O(values).
    ComparedEntities fenced(std::size_t first, std::size_t last) const;

private:
    const SeriesTable& table_;
    std::size_t stride_ = 1, size_ = 0;
    std::vector<double> low_, high_;  ///< of each entity; empty: none
};

/// Count, mean and squared deviations of each entity in a span of rows.
struct SpanLevels {
    std::vector<double> count, mean, squares;

    explicit SpanLevels(std::size_t entities) : count(entities), mean(entities), squares(entities) {}

    void add(std::size_t entity, double value);
    /// The span after this one joins it (Chan, Golub and LeVeque 1983).
    void append(const SpanLevels& next);
};

/// Of rows [first, last). O(values).
SpanLevels levelsOf(const ComparedEntities& entities, std::size_t first, std::size_t last);
/// Of the spans between each two of these rows, in order, and those at both ends. O(values).
std::vector<SpanLevels> levelsBetween(const ComparedEntities& entities, const std::vector<std::size_t>& rows);

/// How far the levels of two neighbouring spans are apart.
struct SpanContrast {
    double effect = 0.0;  ///< mean over the entities of (difference / deviation)²
    double meanF = 0.0;   ///< the same times what makes it 1 where there is no difference
    double entities = 0.0;
};

SpanContrast contrastOf(const SpanLevels& a, const SpanLevels& b);

/// Of the entities the share that tells something of its own, 0…1: many that are alike are few. Of what
/// remains when the levels between these rows are taken away 1 / (1 + (entities − 1) · mean r²), r the
/// correlation of two of 32 evenly taken entities, less what chance does to it: a sum of F values has so many
/// degrees of freedom (Satterthwaite 1946). O(values + 500 · rows).
double independentShare(const ComparedEntities& entities, const std::vector<std::size_t>& rows);

/// What levels must show to count as others.
struct PlainRule {
    double alpha = 0.01;
    double independent = 1.0;  ///< independentShare()
};

/// Whether levels differ by a third of a standard deviation (root mean square), and by more than chance does
/// where somebody else proposed the row: the mean of F values is about normal, of variance 2 / entities.
bool isPlain(const SpanContrast& contrast, const PlainRule& rule);
/// The same where the row is the best of `tried` ones (χ², Bonferroni).
bool isPlainAmong(const SpanContrast& contrast, const PlainRule& rule, std::size_t tried);
/// Whether they differ by a whole standard deviation as well, where nobody proposed anything.
bool isPlainUnasked(const SpanContrast& contrast, const PlainRule& rule, std::size_t tried);

/// The row in [first, last) at which its two parts differ least from their own means, each of 2 rows at
/// least; entities count by 1 / variance within the parts before and after row `at`. `at` where it is too
/// short. O(values of the span).
std::size_t bestSplit(const ComparedEntities& entities, std::size_t first, std::size_t at, std::size_t last);
/// The same where each of both parts has a variance of its own (maximum likelihood, normal distributions),
/// which tells where behaviour becomes unsteady rather than larger; `at` where that is not worth a further
/// variance an entity (Schwarz 1978). Takes two logarithms a value.
std::size_t likeliestSplit(const ComparedEntities& entities, std::size_t first, std::size_t at,
                           std::size_t last);

}  // namespace skein
