// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skein {

/// The first principal component of rows that come one after the other: incremental PCA (Ross, Lim, Lin and
/// Yang, IJCV 77, 2008) for batches of one row and one component, where the singular value decomposition is
/// a 2 × 2 eigenproblem. Its sign follows that of the component before; at first its largest entry is
/// positive. Missing values (NaN) count as their column's mean so far. O(columns) a row, in two passes over
/// the columns. Not thread-safe.
class LeadingComponent {
public:
    explicit LeadingComponent(std::size_t columns) : mean_(columns, 0.0), direction_(columns, 0.0) {}

    /// Takes a row of as many values as there are columns, and gives its score on the component that it
    /// leads to: Σ (value − mean) · component; 0 for the first row. NaN, and nothing is learnt, where the row
    /// has no value.
    double add(std::span<const double> row);

    /// There are so many columns from now on, at least as many as before; new ones had no value so far.
    void widen(std::size_t columns);

    std::size_t rows() const { return rows_; }
    /// How many rows right before the last one were equal to it. Its score moves nevertheless, as the mean
    /// does.
    std::size_t rowsStill() const { return rowsStill_; }
    const std::vector<double>& mean() const { return mean_; }
    double singularValue() const { return singularValue_; }
    /// Of length 1; all 0 while no two rows differed.
    std::vector<double> component() const;

private:
    /// What a pass over the columns tells of a row before anything is changed.
    struct Sums {
        double along = 0.0;    ///< Σ direction · step
        double squares = 0.0;  ///< Σ step²
        std::size_t known = 0;
    };
    Sums look(std::span<const double> row) const;
    double turn(std::span<const double> row, double keep, double take);
    double beginDirection(std::span<const double> row, double shrink);
    double advance(std::span<const double> row, const Sums& sums, double shrink);
    void welcome(std::span<const double> row);

    std::vector<double> mean_;       ///< NaN: no value yet
    std::vector<double> direction_;  ///< the component times 1 / scale_
    double scale_ = 1.0;             ///< makes direction_ one of length 1: rounding errors do not add up
    double singularValue_ = 0.0;
    std::vector<double> lastRow_;
    std::size_t rowsStill_ = 0;
    std::size_t rows_ = 0;
    std::size_t unknown_ = 0;  ///< columns without a value so far
};

}  // namespace skein
