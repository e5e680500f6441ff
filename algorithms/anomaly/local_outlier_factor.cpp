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
    if (neighbours > 0 && points.size() < 2
        && std::all_of(points.values.begin(), points.values.end(), [](double v) { return std::isfinite(v); }))
        return std::vector<double>(points.size(), 1.0);
    const auto model = LocalOutlierModel::build(points, neighbours, task);
    if (!model) return tl::make_unexpected(model.error());
    return model->factors();
}

Result<LocalOutlierModel> LocalOutlierModel::build(const Points& points, std::size_t neighbours,
                                                   const Task& task)
{
    if (neighbours == 0) return fail(ErrorCode::InvalidArgument, "A local outlier factor needs a neighbour.");
    if (!std::all_of(points.values.begin(), points.values.end(), [](double v) { return std::isfinite(v); }))
        return fail(ErrorCode::InvalidArgument, "Local outlier factors are of finite values only.");
    const std::size_t n = points.size();
    if (n < 2) return fail(ErrorCode::InvalidArgument, "A local outlier factor needs two points.");
    LocalOutlierModel model;
    model.dimensions_ = points.dimensions;
    model.neighbours_ = std::min(neighbours, n - 1);
    model.values_.assign(points.values.begin(), points.values.end());
    const auto k = static_cast<double>(model.neighbours_);
    std::vector<std::vector<Neighbour>> nearest(n);
    if (!parallelFor(n, task, [&](std::size_t i) { nearest[i] = nearestOf(points, i, model.neighbours_); }))
        return cancelled();
    for (const auto& list : nearest) model.reach_.push_back(list.back().first);
    for (std::size_t i = 0; i < n; ++i) {
        double reach = 0.0;
        for (const auto& [distance, other] : nearest[i]) reach += std::max(model.reach_[other], distance);
        model.density_.push_back(1.0 / (reach / k + kLeastReach));
    }
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (const auto& [distance, other] : nearest[i]) sum += model.density_[other];
        model.factors_.push_back(sum / k / model.density_[i]);
    }
    return model;
}

double LocalOutlierModel::factorOf(std::span<const double> point) const
{
    const Points points{values_, dimensions_};
    std::vector<Neighbour> all;
    all.reserve(points.size());
    for (std::uint32_t other = 0; other < points.size(); ++other)
        all.emplace_back(squaredDistance(point, points[other]), other);
    const auto behind = all.begin() + static_cast<std::ptrdiff_t>(neighbours_);
    if (neighbours_ < all.size()) std::nth_element(all.begin(), behind, all.end());
    std::sort(all.begin(), behind);  // sums do not depend on the order that nth_element left
    double reach = 0.0, densities = 0.0;
    for (auto each = all.begin(); each != behind; ++each) {
        reach += std::max(reach_[each->second], std::sqrt(each->first));
        densities += density_[each->second];
    }
    const auto k = static_cast<double>(neighbours_);
    return densities / k * (reach / k + kLeastReach);
}

}  // namespace skein
