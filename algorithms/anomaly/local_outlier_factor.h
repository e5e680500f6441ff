// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/points.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstddef>
#include <span>
#include <vector>

namespace skein {

/// How much thinner points lie around each point than around its neighbours: about 1 for normal ones
/// (Breunig, Kriegel, Ng, Sander, "LOF: identifying density-based local outliers", SIGMOD 2000). Of
/// `neighbours` other points, at most all of them; of equally far ones those of the lowest numbers. Fewer
/// than two points: 1. Errors: InvalidArgument for no neighbours or values that are not finite; Cancelled.
/// O(n² · dimensions) time, O(n · neighbours) memory.
Result<std::vector<double>> localOutlierFactors(const Points& points, std::size_t neighbours,
                                                const Task& task);

/// The same for points that were not there when it was built (scikit-learn's `novelty`). Immutable.
class LocalOutlierModel {
public:
    /// As localOutlierFactors(), but for at least two points.
    static Result<LocalOutlierModel> build(const Points& points, std::size_t neighbours, const Task& task);

    /// Of the points that it was built of.
    const std::vector<double>& factors() const { return factors_; }
    /// Of any other point; its coordinates must be finite. O(points · dimensions).
    double factorOf(std::span<const double> point) const;

private:
    std::size_t dimensions_ = 1;
    std::size_t neighbours_ = 1;
    std::vector<double> values_;
    std::vector<double> reach_;  ///< of each point the distance to its farthest neighbour
    std::vector<double> density_;
    std::vector<double> factors_;
};

}  // namespace skein
