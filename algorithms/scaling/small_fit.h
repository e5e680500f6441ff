// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace skein {

/// Least squares with a handful of columns, by modified Gram-Schmidt. Keeps its memory between fits.
class SmallFit {
public:
    static constexpr std::size_t kMostColumns = 8;
    /// What is left of a column beside the others, relative to it, below which it is one of them.
    static constexpr double kDependent = 1e-9;

    /// Fits `values` by `columns`, both multiplied by the square root of the weights already. False where the
    /// columns are not independent: nothing else may be asked then. The first `known` columns are those of
    /// the fit before, which is not worked out again. O(points · columns²).
    bool run(std::span<const double* const> columns, std::span<const double> values, std::size_t known = 0);

    std::size_t columns() const { return count_; }
    double coefficient(std::size_t column) const { return coefficients_[column]; }
    std::span<const double> residuals() const { return {residuals_.data() + count_ * points_, points_}; }
    /// How much each value pulls its own fitted value: the diagonal of the hat matrix.
    std::span<const double> leverages() const { return {leverages_.data() + count_ * points_, points_}; }
    double squares() const { return squares_; }
    /// The orthonormal columns, one behind the other, and how much of the values is along one.
    const double* basis() const { return basis_.data(); }
    double part(std::size_t column) const { return parts_[column]; }
    /// Coefficients of columns() whose parts along the basis these are, in their place.
    void solve(std::span<double> parts) const;
    /// Of a fitted value where the columns have these values, with errors of variance 1.
    double varianceAt(std::span<const double> row) const;

private:
    bool makeBasis(std::span<const double* const> columns, std::size_t known);
    /// What this column tells of the values.
    void takeAway(std::size_t column);
    double* basis(std::size_t column) { return basis_.data() + column * points_; }

    std::size_t points_ = 0, count_ = 0;
    std::vector<double> basis_;                  ///< [column][point]
    std::vector<double> residuals_, leverages_;  ///< [columns fitted so far][point]
    std::array<std::array<double, kMostColumns>, kMostColumns> triangle_{};
    /// The triangle's diagonal, inverted.
    std::array<double, kMostColumns> scales_{};
    std::array<double, kMostColumns> parts_{}, coefficients_{};
    double squares_ = 0.0;
};

}  // namespace skein
