// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skein {

/// Principal components of rows that come in batches (Ross, Lim, Lin and Yang, "Incremental Learning for
/// Robust Visual Tracking", IJCV 77, 2008). Exact when all components are kept. Signs are not determined. A
/// component whose singular value is 0 is any unit vector across the others. No missing values: put the
/// columns' means in their place. Not thread-safe; the same batches give the same bits.
class IncrementalPca {
public:
    /// `forgetting` in (0, 1]: what the rows before a batch count of what they counted; 1: all the same.
    IncrementalPca(std::size_t columns, std::size_t components, double forgetting = 1.0);

    /// Takes m rows of `columns` finite values each, one after the other; m ≥ 1.
    /// O(columns · (components + m)² + (components + m)³), or with columns for rows where they are fewer.
    void update(std::span<const double> rows);

    /// Scores of rows, [row × componentCount() + component]: (row − mean) · component. O(values ·
    /// components).
    std::vector<double> project(std::span<const double> rows) const;

    /// A real number where the past is forgotten.
    double rowsSeen() const { return seen_; }
    /// At most what was asked for: as many as rows and columns allow.
    std::size_t componentCount() const { return singularValues_.size(); }
    const std::vector<double>& mean() const { return mean_; }
    /// [component × columns + column], rows of length 1 at right angles.
    const std::vector<double>& components() const { return components_; }
    const std::vector<double>& singularValues() const { return singularValues_; }
    /// Variance along each component, divisor n − 1; 0 for one row.
    std::vector<double> explainedVariance() const;
    /// Its share of the variance of all columns; 0 where there is none.
    std::vector<double> explainedVarianceRatio() const;

private:
    std::size_t columns_;
    std::size_t wanted_;
    double forgetting_;
    double seen_ = 0.0;
    double squares_ = 0.0;  ///< Σ (value − column's mean)²
    std::vector<double> mean_;
    std::vector<double> components_;
    std::vector<double> singularValues_;
};

}  // namespace skein
