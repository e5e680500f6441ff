// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/small_fit.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

double productOf(const double* a, const double* b, std::size_t count)
{
    double sum = 0.0;
    for (std::size_t at = 0; at < count; ++at) sum += a[at] * b[at];
    return sum;
}

}  // namespace

bool SmallFit::makeBasis(std::span<const double* const> columns, std::size_t known)
{
    for (std::size_t column = known; column < count_; ++column) {
        double* const own = basis(column);
        std::copy_n(columns[column], points_, own);
        const double before = productOf(own, own, points_);
        for (std::size_t other = 0; other < column; ++other) {
            const double* const done = basis(other);
            const double part = productOf(done, own, points_);
            triangle_[other][column] = part;
            for (std::size_t at = 0; at < points_; ++at) own[at] -= part * done[at];
        }
        const double left = column == 0 ? before : productOf(own, own, points_);
        if (!(left > kDependent * kDependent * before) || !std::isfinite(left)) return false;
        scales_[column] = 1.0 / std::sqrt(left);
        for (std::size_t at = 0; at < points_; ++at) own[at] *= scales_[column];
    }
    return true;
}

void SmallFit::takeAway(std::size_t column)
{
    const double* const own = basis(column);
    const double* const residuals = residuals_.data() + column * points_;
    const double* const leverages = leverages_.data() + column * points_;
    double* const residualsLeft = residuals_.data() + (column + 1) * points_;
    double* const leveragesNow = leverages_.data() + (column + 1) * points_;
    const double part = productOf(own, residuals, points_);
    for (std::size_t at = 0; at < points_; ++at) {
        residualsLeft[at] = residuals[at] - part * own[at];
        leveragesNow[at] = leverages[at] + own[at] * own[at];
    }
    parts_[column] = part;
}

bool SmallFit::run(std::span<const double* const> columns, std::span<const double> values, std::size_t known)
{
    points_ = values.size();
    count_ = columns.size();
    basis_.resize(points_ * kMostColumns);
    residuals_.resize(points_ * (kMostColumns + 1));
    leverages_.resize(residuals_.size());
    if (!makeBasis(columns, known)) return false;
    if (known == 0) {
        std::copy(values.begin(), values.end(), residuals_.begin());
        std::fill_n(leverages_.begin(), points_, 0.0);
    }
    for (std::size_t column = known; column < count_; ++column) takeAway(column);
    coefficients_ = parts_;
    solve(std::span(coefficients_).first(count_));
    squares_ = productOf(residuals().data(), residuals().data(), points_);
    return true;
}

void SmallFit::solve(std::span<double> parts) const
{
    for (std::size_t column = parts.size(); column-- > 0;) {
        for (std::size_t other = column + 1; other < parts.size(); ++other)
            parts[column] -= triangle_[column][other] * parts[other];
        parts[column] *= scales_[column];
    }
}

double SmallFit::varianceAt(std::span<const double> row) const
{
    std::array<double, kMostColumns> solved{};
    double variance = 0.0;
    for (std::size_t column = 0; column < count_; ++column) {
        double left = row[column];
        for (std::size_t other = 0; other < column; ++other) left -= triangle_[other][column] * solved[other];
        solved[column] = left * scales_[column];
        variance += solved[column] * solved[column];
    }
    return variance;
}

}  // namespace skein
