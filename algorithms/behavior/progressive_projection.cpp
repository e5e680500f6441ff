// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/progressive_projection.h"

#include "algorithms/behavior/incremental_pca.h"
#include "algorithms/behavior/procrustes.h"
#include "algorithms/behavior/sampling_order.h"
#include "algorithms/behavior/symmetric_eigen.h"
#include "core/base/parallel_for.h"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

namespace skein {
namespace {

constexpr std::size_t kPlaneAxes = 2;
constexpr std::size_t kPlacesABlock = 256;

/// The order to learn in: that which was given, or one by the previous clusters.
Result<std::vector<std::uint32_t>> learningOrder(PointRows points, const ProjectionParams& params)
{
    if (params.order.empty()) return samplingOrder(points.count(), params.labels, params.batch, params.seed);
    std::vector<bool> met(points.count(), false);
    for (const std::uint32_t entity : params.order) {
        if (entity >= met.size() || met[entity])
            return fail(ErrorCode::InvalidArgument, "The order of entities names one twice or one too many.");
        met[entity] = true;
    }
    return params.order;
}

/// All entities on both axes; an axis that there is none for is 0.
bool placeAll(PointRows points, const IncrementalPca& pca, std::vector<double>& places, const Task& task)
{
    places.assign(points.count() * kPlaneAxes, 0.0);
    const std::size_t axes = pca.componentCount();
    return parallelFor((points.count() + kPlacesABlock - 1) / kPlacesABlock, task, [&](std::size_t block) {
        const std::size_t first = block * kPlacesABlock;
        const std::size_t count = std::min(kPlacesABlock, points.count() - first);
        const auto scores =
            pca.project(points.values.subspan(first * points.dimensions, count * points.dimensions));
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t axis = 0; axis < axes; ++axis)
                places[(first + i) * kPlaneAxes + axis] = scores[i * axes + axis];
    });
}

Unexpected nothingToProject()
{
    return fail(ErrorCode::InvalidArgument, "There is nothing to project: no entity has a series.");
}

/// Moves, turns and scales the scores onto the places before, where there are any.
void stayNear(const std::vector<double>& previous, Projection& result)
{
    result.places = result.scores;
    if (!previous.empty())
        result.places = applyFit(fitProcrustes(result.scores, previous, kPlaneAxes), result.scores);
}

}  // namespace

Result<Projection> projectProgressively(PointRows points, const ProjectionParams& params,
                                        LatencyBudget& budget, const Task& task)
{
    if (points.count() == 0) return nothingToProject();
    const auto order = learningOrder(points, params);
    if (!order) return Unexpected(order.error());
    IncrementalPca pca(points.dimensions, kPlaneAxes);
    Projection result;
    std::vector<double> batch;
    const std::size_t size = std::max<std::size_t>(1, params.batch);
    for (std::size_t at = 0; at < order->size() && (at == 0 || !budget.spent()); at += size) {
        if (task.stopRequested()) return cancelled();
        batch.clear();
        for (std::size_t i = at; i < std::min(at + size, order->size()); ++i) {
            const auto point = points.point((*order)[i]);
            batch.insert(batch.end(), point.begin(), point.end());
        }
        pca.update(batch);
        result.processed = std::min(at + size, order->size());
    }
    const auto explained = pca.explainedVarianceRatio();
    std::copy(explained.begin(), explained.end(), result.explained);
    if (!placeAll(points, pca, result.scores, task)) return cancelled();
    stayNear(params.previous, result);
    return result;
}

namespace {

using PointMatrix = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// Axes that the iteration carries along: the more, the sooner the first two stand still.
constexpr Eigen::Index kIteratedAxes = 12;
constexpr int kMostRounds = 1000;

/// A subspace that turns towards the leading components of centred points.
class LeadingPlane {
public:
    explicit LeadingPlane(PointRows points)
        : points_(points.values.data(), static_cast<Eigen::Index>(points.count()),
                  static_cast<Eigen::Index>(points.dimensions)),
          mean_(points_.colwise().mean())
    {
        const Eigen::Index axes = std::min({kIteratedAxes, points_.rows(), points_.cols()});
        std::mt19937_64 random(1);
        std::normal_distribution<double> normal;
        axes_ = Eigen::MatrixXd::NullaryExpr(points_.cols(), axes, [&] { return normal(random); });
        orthonormalise();
    }

    /// One round; gives the variance, times the number of points, of the plane.
    double turn()
    {
        axes_ = points_.transpose() * centred() - mean_.transpose() * columnSums_;
        orthonormalise();
        return rotateToComponents();
    }

    /// Scores on both components, x and y of each point.
    std::vector<double> scores() const
    {
        std::vector<double> out(static_cast<std::size_t>(points_.rows()) * kPlaneAxes, 0.0);
        const Eigen::MatrixXd all = projected();
        for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(kPlaneAxes, axes_.cols()); ++axis) {
            Eigen::Index largest = 0;
            axes_.col(axis).cwiseAbs().maxCoeff(&largest);
            const double sign = axes_(largest, axis) < 0.0 ? -1.0 : 1.0;
            for (Eigen::Index point = 0; point < points_.rows(); ++point)
                out[static_cast<std::size_t>(point) * kPlaneAxes + static_cast<std::size_t>(axis)] =
                    sign * all(point, axis);
        }
        return out;
    }

    double share(Eigen::Index axis) const
    {
        const double total = (points_.rowwise() - mean_).squaredNorm();
        return axis < squares_.size() && total > 0.0 ? squares_[axis] / total : 0.0;
    }

private:
    Eigen::MatrixXd projected() const { return (points_ * axes_).rowwise() - (mean_ * axes_); }

    const Eigen::MatrixXd& centred()
    {
        places_ = projected();
        columnSums_ = places_.colwise().sum();
        return places_;
    }

    void orthonormalise()
    {
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr(axes_);
        axes_ = qr.householderQ() * Eigen::MatrixXd::Identity(axes_.rows(), axes_.cols());
    }

    /// Turns the axes within their span so that the first has the largest variance.
    double rotateToComponents()
    {
        const Eigen::MatrixXd places = projected();
        const SymmetricEigen components = symmetricEigen(places.transpose() * places);
        axes_ = axes_ * components.vectors.rowwise().reverse();
        squares_ = components.values.reverse().cwiseMax(0.0);
        return squares_.head(std::min<Eigen::Index>(kPlaneAxes, squares_.size())).sum();
    }

    PointMatrix points_;
    Eigen::RowVectorXd mean_;
    Eigen::MatrixXd axes_;    ///< [dimension × axis]
    Eigen::MatrixXd places_;  ///< [point × axis]
    Eigen::RowVectorXd columnSums_;
    Eigen::VectorXd squares_;
};

}  // namespace

Result<Projection> projectExactly(PointRows points, const ProjectionParams& params, const Task& task)
{
    if (points.count() == 0) return nothingToProject();
    LeadingPlane plane(points);
    double variance = plane.turn();
    // Variances stand still long before directions do: as many rounds again.
    for (int round = 1, last = kMostRounds; round < last; ++round) {
        if (task.stopRequested()) return cancelled();
        const double next = plane.turn();
        if (!std::isfinite(next))
            return fail(ErrorCode::InvalidArgument, "The values are too large to be projected.");
        if (last == kMostRounds && std::abs(next - variance) <= 1e-12 * next) last = 2 * round + 1;
        variance = next;
    }
    Projection result;
    result.scores = plane.scores();
    for (Eigen::Index axis = 0; axis < static_cast<Eigen::Index>(kPlaneAxes); ++axis)
        result.explained[axis] = plane.share(axis);
    result.processed = points.count();
    stayNear(params.previous, result);
    return result;
}

}  // namespace skein
