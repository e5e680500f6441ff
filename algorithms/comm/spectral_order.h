// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// By how much two vertices belong beside each other.
struct WeightedPair {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    double weight = 0;  ///< above 0; the unit does not matter
};

/// Every vertex once, those with heavy edges near each other: along the eigenvector of the second smallest
/// eigenvalue of the weighted Laplacian, which minimizes the sum of weight × distance² (Hall 1970; Fiedler
/// 1973). Parts without an edge between them follow each other by their lowest vertex. The vector is found
/// level by level on contracted graphs (Barnard, Simon 1994), each time by conjugate gradients on the
/// Rayleigh quotient, a fixed number of steps: on large graphs it is near the eigenvector. Each pair once,
/// low < high; both below `vertices`. The same input gives the same order. Errors: Cancelled. O(edges log
/// vertices).
Result<std::vector<std::uint32_t>> spectralOrder(std::uint32_t vertices, std::span<const WeightedPair> pairs,
                                                 const Task& task);

}  // namespace skein
