// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/procrustes.h"

#include <Eigen/Core>
#include <Eigen/SVD>
#include <algorithm>

namespace skein {
namespace {

using ProcrustesRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ProcrustesRows commonPoints(std::span<const double> points, std::size_t count, std::size_t dimensions)
{
    return Eigen::Map<const ProcrustesRows>(points.data(), static_cast<Eigen::Index>(count),
                                            static_cast<Eigen::Index>(dimensions));
}

/// Takes the mean off the rows, and gives it.
std::vector<double> centreRows(ProcrustesRows& rows)
{
    std::vector<double> mean(static_cast<std::size_t>(rows.cols()), 0.0);
    if (rows.rows() == 0) return mean;
    const Eigen::RowVectorXd average = rows.colwise().mean();
    rows.rowwise() -= average;
    std::copy(average.begin(), average.end(), mean.begin());
    return mean;
}

}  // namespace

ProcrustesFit fitProcrustes(std::span<const double> moving, std::span<const double> target,
                            std::size_t dimensions)
{
    ProcrustesFit fit;
    fit.dimensions = dimensions;
    const std::size_t common = std::min(moving.size(), target.size()) / dimensions;
    ProcrustesRows a = commonPoints(moving, common, dimensions);
    ProcrustesRows b = commonPoints(target, common, dimensions);
    fit.from = centreRows(a);
    fit.to = centreRows(b);
    const auto width = static_cast<Eigen::Index>(dimensions);
    ProcrustesRows rotation = ProcrustesRows::Identity(width, width);
    const double size = a.squaredNorm();
    if (common >= 2 && size > 0.0) {
        const Eigen::MatrixXd cross = a.transpose() * b;
        // of a square matrix, which needs no QR before
        const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(
            cross, Eigen::ComputeFullU | Eigen::ComputeFullV);
        rotation = svd.matrixU() * svd.matrixV().transpose();
        fit.scale = b.squaredNorm() > 0.0 ? svd.singularValues().sum() / size : 1.0;
    }
    fit.rotation.assign(rotation.data(), rotation.data() + rotation.size());
    return fit;
}

std::vector<double> applyFit(const ProcrustesFit& fit, std::span<const double> points)
{
    const std::size_t width = fit.dimensions;
    std::vector<double> moved(points.size());
    for (std::size_t base = 0; base + width <= points.size(); base += width) {
        for (std::size_t column = 0; column < width; ++column) {
            double sum = 0.0;
            for (std::size_t i = 0; i < width; ++i)
                sum += (points[base + i] - fit.from[i]) * fit.rotation[i * width + column];
            moved[base + column] = sum * fit.scale + fit.to[column];
        }
    }
    return moved;
}

}  // namespace skein
