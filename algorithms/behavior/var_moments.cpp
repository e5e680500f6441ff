// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/var_moments.h"

#include <algorithm>
#include <cmath>

namespace skein::var {
namespace {

constexpr std::size_t kRowsAChunk = 256;
/// A column of which less than this share is left beside the others is a combination of them.
constexpr double kIndependentShare = 1e-10;
constexpr double kConstantShare = 1e-12;

Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

}  // namespace

Scales scalesOf(const SeriesTable& table, std::span<const std::size_t> rows, VarTrend trend)
{
    const std::size_t width = table.columns.size();
    Scales scales{std::vector<double>(width, 0.0), std::vector<double>(width, 1.0),
                  std::vector<bool>(width, true)};
    std::vector<double> mean(width, 0.0), squares(width, 0.0);
    double count = 0.0;
    for (const std::size_t row : rows) {
        ++count;
        const auto values = table.row(row);
        for (std::size_t i = 0; i < width; ++i) {
            const double distance = values[i] - mean[i];
            mean[i] += distance / count;
            squares[i] += distance * (values[i] - mean[i]);
        }
    }
    for (std::size_t i = 0; i < width; ++i) {
        const double deviation = count > 0.0 ? std::sqrt(squares[i] / count) : 0.0;
        scales.constant[i] = !(deviation > kConstantShare * std::abs(mean[i]));
        if (trend == VarTrend::Constant) scales.center[i] = mean[i];
        if (!scales.constant[i])
            scales.scale[i] = trend == VarTrend::Constant ? deviation : std::hypot(deviation, mean[i]);
    }
    return scales;
}

Result<Moments> momentsOf(const SeriesTable& table, std::span<const std::size_t> chosen,
                          std::span<const std::size_t> rows, std::size_t lags, const Scales& scales,
                          VarTrend trend, const Task& task)
{
    Moments moments;
    moments.head = trend == VarTrend::Constant ? 1 : 0;
    moments.variables = chosen.size();
    moments.lags = lags;
    moments.rows = rows.size();
    const std::size_t width = moments.regressors() + chosen.size();
    moments.products = Matrix::Zero(at(width), at(width));
    Eigen::MatrixXd chunk(at(kRowsAChunk), at(width));
    for (std::size_t first = 0; first < rows.size(); first += kRowsAChunk) {
        if (task.stopRequested()) return cancelled();
        const std::size_t count = std::min(kRowsAChunk, rows.size() - first);
        if (moments.head > 0) chunk.col(0).setOnes();
        for (std::size_t lag = 0; lag <= lags; ++lag) {
            // y_t itself stands at the end.
            const std::size_t base = lag == 0 ? moments.regressors() : moments.regressors(lag - 1);
            for (std::size_t i = 0; i < chosen.size(); ++i) {
                const double center = scales.center[chosen[i]], factor = 1.0 / scales.scale[chosen[i]];
                for (std::size_t row = 0; row < count; ++row)
                    chunk(at(row), at(base + i)) =
                        (table.at(rows[first + row] - lag, chosen[i]) - center) * factor;
            }
        }
        moments.products.selfadjointView<Eigen::Lower>().rankUpdate(chunk.topRows(at(count)).transpose());
    }
    moments.products.triangularView<Eigen::StrictlyUpper>() = moments.products.transpose();
    return moments;
}

bool GrowingFactor::take(std::size_t column)
{
    const std::size_t size = taken_.size();
    auto row = lower_.row(at(size));
    for (std::size_t i = 0; i < size; ++i) {
        const double along = row.head(at(i)).dot(lower_.row(at(i)).head(at(i)));
        row(at(i)) = (gram_(at(column), at(taken_[i])) - along) / lower_(at(i), at(i));
    }
    const double whole = gram_(at(column), at(column));
    const double left = whole - row.head(at(size)).squaredNorm();
    if (!(left > kIndependentShare * whole)) {
        refused_ = row.head(at(size)).transpose();
        row.setZero();
        return false;
    }
    row(at(size)) = std::sqrt(left);
    taken_.push_back(column);
    return true;
}

Eigen::VectorXd GrowingFactor::combination() const
{
    return lower().transpose().triangularView<Eigen::Upper>().solve(refused_);
}

}  // namespace skein::var
