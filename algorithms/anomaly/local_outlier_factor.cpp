// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/local_outlier_factor.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace skein {
namespace {

/// Keeps densities finite where points are equal, as scikit-learn does.
constexpr double kLeastReach = 1e-10;

using Neighbour = std::pair<double, std::uint32_t>;  // distance, point

/// Distances that differ by rounding only are equal.
constexpr double kSameDistance = 1e-12;

double dotProduct(std::span<const double> a, std::span<const double> b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// |a − b|² as scikit-learn works it out: among distances that are equal but for rounding it decides, so that
/// the same neighbours are taken.
double expandedDistance(std::span<const double> a, std::span<const double> b)
{
    return (-2.0 * dotProduct(a, b) + dotProduct(a, a)) + dotProduct(b, b);
}

/// The nearest `count` other points and their distances, the farthest last.
std::vector<Neighbour> nearestOf(const Points& points, std::size_t point, std::size_t count)
{
    std::vector<Neighbour> all, nearest;
    all.reserve(points.size() - 1);
    for (std::size_t other = 0; other < points.size(); ++other)
        if (other != point)
            all.emplace_back(std::sqrt(squaredDistance(points[point], points[other])),
                             static_cast<std::uint32_t>(other));
    std::vector<Neighbour> sorted = all;
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(sorted.begin(), last, sorted.end());
    const double border = last->first;
    for (const Neighbour& one : all)
        if (one.first < border * (1.0 - kSameDistance)) nearest.push_back(one);
    std::vector<Neighbour> tied;
    for (const Neighbour& one : all)
        if (std::abs(one.first - border) <= border * kSameDistance)
            tied.emplace_back(expandedDistance(points[point], points[one.second]), one.second);
    std::sort(tied.begin(), tied.end());
    for (auto one = tied.begin(); one != tied.end() && nearest.size() < count; ++one)
        nearest.emplace_back(border, one->second);
    return nearest;
}

}  // namespace

Result<std::vector<double>> localOutlierFactors(const Points& points, std::size_t neighbours,
                                                const Task& task)
{
    if (neighbours == 0) return fail(ErrorCode::InvalidArgument, "A local outlier factor needs a neighbour.");
    if (!std::all_of(points.values.begin(), points.values.end(), [](double v) { return std::isfinite(v); }))
        return fail(ErrorCode::InvalidArgument, "Local outlier factors are of finite values only.");
    const std::size_t n = points.size();
    if (n < 2) return std::vector<double>(n, 1.0);
    const std::size_t k = std::min(neighbours, n - 1);
    std::vector<std::vector<Neighbour>> nearest(n);
    if (!parallelFor(n, task, [&](std::size_t i) { nearest[i] = nearestOf(points, i, k); }))
        return cancelled();
    std::vector<double> density(n);
    for (std::size_t i = 0; i < n; ++i) {
        double reach = 0.0;
        for (const auto& [distance, other] : nearest[i])
            reach += std::max(nearest[other].back().first, distance);
        density[i] = 1.0 / (reach / static_cast<double>(k) + kLeastReach);
    }
    std::vector<double> factors(n);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (const auto& [distance, other] : nearest[i]) sum += density[other];
        factors[i] = sum / static_cast<double>(k) / density[i];
    }
    return factors;
}

}  // namespace skein
