// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/small_fit.h"

#include <cmath>

namespace skein {
namespace {

/// What is left of a column beside the others, relative to it, below which it is one of them.
constexpr double kDependent = 1e-9;

double productOf(const double* a, const double* b, std::size_t count)
{
    double sum = 0.0;
    for (std::size_t at = 0; at < count; ++at) sum += a[at] * b[at];
    return sum;
}

}  // namespace

bool SmallFit::makeBasis(std::span<const double* const> columns)
{
    for (std::size_t column = 0; column < count_; ++column) {
        double* const own = basis(column);
        for (std::size_t at = 0; at < points_; ++at) own[at] = columns[column][at];
        const double before = std::sqrt(productOf(own, own, points_));
        for (std::size_t other = 0; other < column; ++other) {
            const double* const before1 = basis(other);
            const double part = productOf(before1, own, points_);
            triangle_[other][column] = part;
            for (std::size_t at = 0; at < points_; ++at) own[at] -= part * before1[at];
        }
        const double length = std::sqrt(productOf(own, own, points_));
        if (!(length > kDependent * before) || !std::isfinite(length)) return false;
        triangle_[column][column] = length;
        for (std::size_t at = 0; at < points_; ++at) own[at] /= length;
    }
    return true;
}

bool SmallFit::run(std::span<const double* const> columns, std::span<const double> values)
{
    points_ = values.size();
    count_ = columns.size();
    basis_.resize(points_ * kMostColumns);
    if (!makeBasis(columns)) return false;
    residuals_.assign(values.begin(), values.end());
    leverages_.assign(points_, 0.0);
    for (std::size_t column = 0; column < count_; ++column) {
        const double* const own = basis(column);
        const double part = productOf(own, residuals_.data(), points_);
        coefficients_[column] = part;
        for (std::size_t at = 0; at < points_; ++at) {
            residuals_[at] -= part * own[at];
            leverages_[at] += own[at] * own[at];
        }
    }
    for (std::size_t column = count_; column-- > 0;) {
        for (std::size_t other = column + 1; other < count_; ++other)
            coefficients_[column] -= triangle_[column][other] * coefficients_[other];
        coefficients_[column] /= triangle_[column][column];
    }
    squares_ = productOf(residuals_.data(), residuals_.data(), points_);
    return true;
}

double SmallFit::varianceAt(std::span<const double> row) const
{
    std::array<double, kMostColumns> solved{};
    double variance = 0.0;
    for (std::size_t column = 0; column < count_; ++column) {
        double left = row[column];
        for (std::size_t other = 0; other < column; ++other) left -= triangle_[other][column] * solved[other];
        solved[column] = left / triangle_[column][column];
        variance += solved[column] * solved[column];
    }
    return variance;
}

}  // namespace skein
