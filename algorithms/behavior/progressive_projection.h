// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/mini_batch_kmeans.h"

#include <cstdint>
#include <vector>

namespace skein {

struct ProjectionParams {
    std::size_t batch = 10;             ///< entities a batch, ≥ 1
    std::uint64_t seed = 1;             ///< of the order, where none is given
    std::vector<std::uint32_t> order;   ///< of all entities; empty: by previous clusters, see samplingOrder()
    std::vector<std::uint32_t> labels;  ///< previous clusters, for the order; may be empty
    std::vector<double> previous;       ///< places before, x and y of each entity, to stay near; may be empty
};

struct Projection {
    std::vector<double> places;        ///< x and y of each entity
    std::vector<double> scores;        ///< the same before they were turned towards the previous places
    double explained[2] = {0.0, 0.0};  ///< share of the variance of the entities that were learnt from
    std::size_t processed = 0;         ///< entities that the components were learnt from
};

/// Entities as points of a plane, similar series near each other: two principal components that learn batches
/// of entities until the budget is used, at least one; then all entities are projected and, where there are
/// places from before, moved, turned and scaled onto these (Kesavan et al. 2020, section 4.2.3). The same
/// bits on any number of threads. Errors: InvalidArgument (no points, an order that is none), Cancelled.
Result<Projection> projectProgressively(PointRows points, const ProjectionParams& params,
                                        LatencyBudget& budget, const Task& task);

/// The same plane from all entities at once: the two principal components of their series by subspace
/// iteration, which goes on for twice the rounds after which the plane's variance changes by less than one
/// part in 10¹². Neither order nor seed matters; of `params` the previous places alone count. The largest
/// entry of a component is positive. O(values · rounds). Errors: InvalidArgument (no points, values too
/// large to be squared), Cancelled.
Result<Projection> projectExactly(PointRows points, const ProjectionParams& params, const Task& task);

}  // namespace skein
