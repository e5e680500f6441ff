// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/points.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstddef>
#include <vector>

namespace skein {

/// How much thinner points lie around each point than around its neighbours: about 1 for normal ones
/// (Breunig, Kriegel, Ng, Sander, "LOF: identifying density-based local outliers", SIGMOD 2000). Of
/// `neighbours` other points, at most all of them; of equally far ones those of the lowest numbers. Fewer
/// than two points: 1. Errors: InvalidArgument for no neighbours or values that are not finite; Cancelled.
/// O(n² · dimensions) time, O(n · neighbours) memory.
Result<std::vector<double>> localOutlierFactors(const Points& points, std::size_t neighbours,
                                                const Task& task);

}  // namespace skein
