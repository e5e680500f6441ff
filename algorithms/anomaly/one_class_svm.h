// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/points.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstddef>
#include <vector>

namespace skein {

struct OneClassParams {
    double nu = 0.05;         ///< 0 < ν ≤ 1: at most this share of the points is outside
    double gamma = 0.5;       ///< of exp(−γ |x − y|²); > 0
    double tolerance = 1e-9;  ///< by which the optimum may violate its conditions
};

/// The region in which most points lie (Schölkopf et al., "Estimating the support of a high-dimensional
/// distribution", Neural Computation 13(7), 2001), in libsvm's scale: 0 ≤ weight ≤ 1, Σ weights = ν n.
class OneClassSvm {
public:
    /// Solves the dual by pairs that violate it most (Fan, Chen, Lin, JMLR 6, 2005). Errors: InvalidArgument
    /// for no points, more than 2^13 of them, values that are not finite or parameters out of range;
    /// Cancelled. O(n² · dimensions + steps · n) time, O(n²) memory.
    static Result<OneClassSvm> train(const Points& points, const OneClassParams& params, const Task& task);

    /// Σ weightᵢ k(xᵢ, x) − ρ: negative outside. O(support · dimensions).
    double decision(std::span<const double> point) const;

    double rho() const { return rho_; }
    const std::vector<std::size_t>& support() const { return support_; }  ///< points of weight > 0, ascending
    const std::vector<double>& weights() const { return weights_; }       ///< of the support

private:
    std::vector<double> points_;  ///< the support's
    std::size_t dimensions_ = 1;
    double gamma_ = 0.0;
    double rho_ = 0.0;
    std::vector<std::size_t> support_;
    std::vector<double> weights_;
};

}  // namespace skein
