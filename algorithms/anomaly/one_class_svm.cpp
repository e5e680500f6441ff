// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/one_class_svm.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr std::size_t kMostTrainingPoints = std::size_t{1} << 13;

double gaussianKernel(std::span<const double> a, std::span<const double> b, double gamma)
{
    return std::exp(-gamma * squaredDistance(a, b));
}

/// min ½ aᵀ K a with 0 ≤ a ≤ 1 and a fixed sum, by moving weight between two points at a time.
class DualProblem {
public:
    DualProblem(const Points& points, const OneClassParams& params) : n_(points.size()), kernel_(n_ * n_)
    {
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                kernel_[i * n_ + j] = kernel_[j * n_ + i] =
                    gaussianKernel(points[i], points[j], params.gamma);
        weights_.assign(n_, 0.0);
        double left = params.nu * static_cast<double>(n_);
        for (std::size_t i = 0; i < n_ && left > 0.0; ++i, left -= 1.0) weights_[i] = std::min(1.0, left);
        gradient_.assign(n_, 0.0);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) gradient_[i] += kernel_[i * n_ + j] * weights_[j];
    }

    /// One step; false at the optimum.
    bool step(double tolerance)
    {
        const std::size_t up = mostViolating();
        const std::size_t down = partnerOf(up);
        if (down == n_ || gradient_[worst_] - gradient_[up] < tolerance) return false;
        const double curve = std::max(curvature(up, down), 1e-12);
        const double room = std::min(1.0 - weights_[up], weights_[down]);
        const double moved = std::min(room, (gradient_[down] - gradient_[up]) / curve);
        weights_[up] = moved == 1.0 - weights_[up] ? 1.0 : weights_[up] + moved;
        weights_[down] = moved == weights_[down] ? 0.0 : weights_[down] - moved;
        for (std::size_t i = 0; i < n_; ++i)
            gradient_[i] += moved * (kernel_[up * n_ + i] - kernel_[down * n_ + i]);
        return true;
    }

    /// The gradient at points that lie on the border; between its bounds where there are none.
    double rho() const
    {
        double sum = 0.0, free = 0.0;
        double above = std::numeric_limits<double>::infinity(), below = -above;
        for (std::size_t i = 0; i < n_; ++i) {
            if (weights_[i] >= 1.0) below = std::max(below, gradient_[i]);
            else if (weights_[i] <= 0.0) above = std::min(above, gradient_[i]);
            else sum += gradient_[i], free += 1.0;
        }
        if (free > 0.0) return sum / free;
        return std::isinf(above) ? below : std::isinf(below) ? above : 0.5 * (above + below);
    }

    const std::vector<double>& weights() const { return weights_; }

private:
    double curvature(std::size_t a, std::size_t b) const
    {
        return kernel_[a * n_ + a] + kernel_[b * n_ + b] - 2.0 * kernel_[a * n_ + b];
    }

    /// The point that most wants more weight.
    std::size_t mostViolating() const
    {
        std::size_t best = n_;
        for (std::size_t i = 0; i < n_; ++i)
            if (weights_[i] < 1.0 && (best == n_ || gradient_[i] < gradient_[best])) best = i;
        return best;
    }

    /// Of the points that may give weight the one that gains most by second order; notes which violates most.
    std::size_t partnerOf(std::size_t up)
    {
        std::size_t best = n_;
        worst_ = n_;
        double most = 0.0;
        for (std::size_t i = 0; up < n_ && i < n_; ++i) {
            if (weights_[i] <= 0.0) continue;
            if (worst_ == n_ || gradient_[i] > gradient_[worst_]) worst_ = i;
            const double difference = gradient_[i] - gradient_[up];
            if (difference <= 0.0) continue;
            const double gain = difference * difference / std::max(curvature(up, i), 1e-12);
            if (gain > most) most = gain, best = i;
        }
        return best;
    }

    std::size_t n_;
    std::size_t worst_ = 0;
    std::vector<double> kernel_;
    std::vector<double> weights_;
    std::vector<double> gradient_;
};

}  // namespace

Result<OneClassSvm> OneClassSvm::train(const Points& points, const OneClassParams& params, const Task& task)
{
    if (points.size() == 0 || points.size() > kMostTrainingPoints)
        return fail(ErrorCode::InvalidArgument, "A one-class SVM is trained with 1 to 8192 points.");
    if (!(params.nu > 0.0 && params.nu <= 1.0) || !(params.gamma > 0.0) || !std::isfinite(params.gamma))
        return fail(ErrorCode::InvalidArgument, "A one-class SVM needs 0 < nu <= 1 and gamma > 0.");
    if (!std::all_of(points.values.begin(), points.values.end(), [](double v) { return std::isfinite(v); }))
        return fail(ErrorCode::InvalidArgument, "A one-class SVM is trained with finite values only.");
    DualProblem dual(points, params);
    const std::size_t mostSteps = std::max<std::size_t>(10'000'000, 100 * points.size());
    const double tolerance = std::max(params.tolerance, 1e-12);
    for (std::size_t step = 0; step < mostSteps && dual.step(tolerance); ++step)
        if (step % 256 == 0 && task.stopRequested()) return cancelled();
    OneClassSvm svm;
    svm.dimensions_ = points.dimensions;
    svm.gamma_ = params.gamma;
    svm.rho_ = dual.rho();
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (dual.weights()[i] <= 0.0) continue;
        svm.support_.push_back(i);
        svm.weights_.push_back(dual.weights()[i]);
        svm.points_.insert(svm.points_.end(), points[i].begin(), points[i].end());
    }
    return svm;
}

double OneClassSvm::decision(std::span<const double> point) const
{
    const Points support{points_, dimensions_};
    double sum = 0.0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
        sum += weights_[i] * gaussianKernel(support[i], point, gamma_);
    return sum - rho_;
}

}  // namespace skein
