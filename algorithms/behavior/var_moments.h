// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/var_model.h"

#include <Eigen/Core>

/// Inside of the vector autoregression: sums of products, from which all of it follows.
namespace skein::var {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// How variables are brought to one size.
struct Scales {
    std::vector<double> center;  ///< 0 without a constant
    std::vector<double> scale;   ///< standard deviation; 1 where there is none
    std::vector<bool> constant;
};

Scales scalesOf(const SeriesTable& table, std::span<const std::size_t> rows, VarTrend trend);

/// Sums over rows t of the products of [1, lag 1 of all variables, lag 2 …, y_t], in scaled units. Without a
/// constant there is no leading 1.
struct Moments {
    std::size_t head = 0;       ///< 1 with a constant
    std::size_t variables = 0;  ///< that were chosen
    std::size_t lags = 0;
    std::size_t rows = 0;
    Matrix products;

    std::size_t regressors(std::size_t lagCount) const { return head + variables * lagCount; }
    std::size_t regressors() const { return regressors(lags); }
};

/// `chosen`: columns of the table. Errors: Cancelled. O(rows · (variables · lags)²).
Result<Moments> momentsOf(const SeriesTable& table, std::span<const std::size_t> chosen,
                          std::span<const std::size_t> rows, std::size_t lags, const Scales& scales,
                          VarTrend trend, const Task& task);

/// The Cholesky factor of the leading columns of a Gram matrix, one after the other, until a column is a
/// combination of those before it.
class GrowingFactor {
public:
    explicit GrowingFactor(const Matrix& gram) : gram_(gram), lower_(Matrix::Zero(gram.rows(), gram.rows()))
    {
    }

    /// Takes a column of the Gram matrix; false where it is a combination of those taken.
    bool take(std::size_t column);
    /// The combination that the column that was refused last is of those taken, in their order.
    Eigen::VectorXd combination() const;
    const std::vector<std::size_t>& taken() const { return taken_; }
    /// Lower triangle of as many rows as columns were taken.
    auto lower() const
    {
        const auto size = static_cast<Eigen::Index>(taken_.size());
        return lower_.topLeftCorner(size, size);
    }

private:
    const Matrix& gram_;
    Matrix lower_;
    std::vector<std::size_t> taken_;
    Eigen::VectorXd refused_;
};

}  // namespace skein::var
