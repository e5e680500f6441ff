// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/leading_component.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace skein {
namespace {

/// Sums are made in as many parts, so that the compiler may use vectors and the order is always the same.
constexpr std::size_t kComponentLanes = 8;
using ComponentLanes = std::array<double, kComponentLanes>;

double sumOfLanes(const ComponentLanes& lanes)
{
    double sum = 0.0;
    for (const double lane : lanes) sum += lane;
    return sum;
}

/// 0 where a value or its mean is not known.
inline double knownStep(double value, double mean)
{
    const double step = value - mean;
    return std::abs(step) <= std::numeric_limits<double>::max() ? step : 0.0;
}

/// Calls body(column, lane) for every column, lanes side by side.
template <typename Body>
inline void forColumnsInLanes(std::size_t columns, const Body& body)
{
    const std::size_t whole = columns / kComponentLanes * kComponentLanes;
    for (std::size_t base = 0; base < whole; base += kComponentLanes)
        for (std::size_t lane = 0; lane < kComponentLanes; ++lane) body(base + lane, lane);
    for (std::size_t column = whole; column < columns; ++column) body(column, column - whole);
}

}  // namespace

LeadingComponent::Sums LeadingComponent::look(std::span<const double> row) const
{
    ComponentLanes along{}, squares{}, known{};
    const double* const value = row.data();
    const double* const mean = mean_.data();
    const double* const direction = direction_.data();
    forColumnsInLanes(mean_.size(), [&](std::size_t column, std::size_t lane) {
        const double step = knownStep(value[column], mean[column]);
        along[lane] += direction[column] * step;
        squares[lane] += step * step;
        known[lane] += std::abs(value[column]) <= std::numeric_limits<double>::max() ? 1.0 : 0.0;
    });
    return {sumOfLanes(along) * scale_, sumOfLanes(squares), static_cast<std::size_t>(sumOfLanes(known))};
}

/// direction = keep · direction + take · step, and the mean takes the row; gives the score before the scale.
double LeadingComponent::turn(std::span<const double> row, double keep, double take)
{
    ComponentLanes squares{}, score{};
    const double* const value = row.data();
    double* const mean = mean_.data();
    double* const direction = direction_.data();
    const double share = 1.0 / static_cast<double>(rows_ + 1);
    forColumnsInLanes(mean_.size(), [&](std::size_t column, std::size_t lane) {
        const double step = knownStep(value[column], mean[column]);
        const double turned = keep * direction[column] + take * step;
        direction[column] = turned;
        squares[lane] += turned * turned;
        score[lane] += turned * step;
        mean[column] += step * share;
    });
    const double length = std::sqrt(sumOfLanes(squares));
    scale_ = length > 0.0 ? 1.0 / length : 1.0;
    // Past the mean that has moved the row is n / (n + 1) of the step.
    return sumOfLanes(score) * scale_ * static_cast<double>(rows_) * share;
}

/// The first direction is that of the row's step, whose score is positive unless the sign is turned.
double LeadingComponent::beginDirection(std::span<const double> row, double shrink)
{
    const double score = turn(row, 0.0, shrink);
    const auto largest = std::max_element(direction_.begin(), direction_.end(),
                                          [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (*largest >= 0.0) return score;
    for (double& entry : direction_) entry = -entry;
    return -score;
}

/// Rows of the stack are singular value · component and shrink · step; their Gram matrix is 2 × 2.
double LeadingComponent::advance(std::span<const double> row, const Sums& sums, double shrink)
{
    const double old = singularValue_;
    const double corner = shrink * shrink * sums.squares;
    const double side = old * shrink * sums.along;
    const double half = (old * old - corner) / 2.0;
    const double root = std::hypot(half, side);
    singularValue_ = std::sqrt((old * old + corner) / 2.0 + root);
    if (singularValue_ == 0.0) return 0.0;
    if (old == 0.0) return beginDirection(row, shrink);
    // The eigenvector, by the one of its two forms that does not cancel.
    double first = half >= 0.0 ? half + root : std::abs(side);
    double second = half >= 0.0 ? side : std::copysign(root - half, side);
    if (root == 0.0) {
        first = 1.0;
        second = 0.0;
    }
    const double cosine = first * old + second * shrink * sums.along;
    const double unit = (cosine < 0.0 ? -1.0 : 1.0) / (std::hypot(first, second) * singularValue_);
    return turn(row, first * old * scale_ * unit, second * shrink * unit);
}

/// Columns that had no value so far begin where they are.
void LeadingComponent::welcome(std::span<const double> row)
{
    unknown_ = 0;
    for (std::size_t column = 0; column < mean_.size(); ++column) {
        if (!std::isnan(mean_[column])) continue;
        if (std::isfinite(row[column])) mean_[column] = row[column];
        else ++unknown_;
    }
}

void LeadingComponent::widen(std::size_t columns)
{
    if (columns <= mean_.size()) return;
    if (rows_ > 0) unknown_ += columns - mean_.size();
    mean_.resize(columns, rows_ > 0 ? std::numeric_limits<double>::quiet_NaN() : 0.0);
    direction_.resize(columns, 0.0);
}

double LeadingComponent::add(std::span<const double> row)
{
    const Sums sums = look(row);
    if (sums.known == 0) return std::numeric_limits<double>::quiet_NaN();
    if (rows_ == 0) {
        std::fill(mean_.begin(), mean_.end(), std::numeric_limits<double>::quiet_NaN());
        welcome(row);
        rows_ = 1;
        lastRow_.assign(row.begin(), row.end());
        return 0.0;
    }
    const double n = static_cast<double>(rows_);
    const double score = advance(row, sums, std::sqrt(n / (n + 1.0)));
    if (unknown_ > 0) welcome(row);
    ++rows_;
    if (std::ranges::equal(row, lastRow_)) {
        ++rowsStill_;
        return score;
    }
    lastRow_.assign(row.begin(), row.end());
    rowsStill_ = 0;
    return score;
}

std::vector<double> LeadingComponent::component() const
{
    std::vector<double> unit(direction_);
    for (double& entry : unit) entry *= scale_;
    return unit;
}

}  // namespace skein
