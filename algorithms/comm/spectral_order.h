// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/force_layout.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Every node once, those with heavy edges near each other: along the eigenvector of the second smallest
/// eigenvalue of the weighted Laplacian, which minimizes the sum of weight × distance² (Hall 1970; Fiedler
/// 1973). Parts without an edge between them follow each other by their lowest node. The vector is found
/// level by level on contracted graphs (Barnard, Simon 1994), each time by conjugate gradients on the
/// Rayleigh quotient, a fixed number of steps: on large graphs it is near the eigenvector. Weights are above
/// 0. The same input gives the same order. Errors: as forceLayout(), Cancelled. O(edges log nodes).
Result<std::vector<std::uint32_t>> spectralOrder(const LayoutGraph& graph, const Task& task);

}  // namespace skein
