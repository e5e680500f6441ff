// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/progressive_projection.h"

#include "algorithms/behavior/incremental_pca.h"
#include "algorithms/behavior/procrustes.h"
#include "algorithms/behavior/sampling_order.h"
#include "core/base/parallel_for.h"

#include <algorithm>

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

}  // namespace

Result<Projection> projectProgressively(PointRows points, const ProjectionParams& params,
                                        LatencyBudget& budget, const Task& task)
{
    if (points.count() == 0)
        return fail(ErrorCode::InvalidArgument, "There is nothing to project: no entity has a series.");
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
    result.places = result.scores;
    if (!params.previous.empty())
        result.places = applyFit(fitProcrustes(result.scores, params.previous, kPlaneAxes), result.scores);
    return result;
}

}  // namespace skein
