// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/plane.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

constexpr int kRoundsApart = 60;

double meanEdge(const std::vector<PlanePoint>& points, const PullGraph& graph)
{
    double sum = 0;
    for (std::uint32_t node = 0; node < graph.nodes(); ++node)
        for (const PullGraph::Neighbour& neighbour : graph.of(node))
            sum += std::hypot(points[neighbour.node].x - points[node].x,
                              points[neighbour.node].y - points[node].y);
    return graph.neighbours.empty() ? 1 : sum / static_cast<double>(graph.neighbours.size());
}

/// The angle of the longer axis.
double longerAxis(const std::vector<PlanePoint>& points)
{
    double xx = 0, xy = 0, yy = 0;
    for (const PlanePoint& point : points) {
        xx += point.x * point.x;
        xy += point.x * point.y;
        yy += point.y * point.y;
    }
    return 0.5 * std::atan2(2 * xy, xx - yy);
}

/// Two circles by two, the left one first, from left to right.
class Separation {
public:
    Separation(std::vector<PlanePoint>& points, std::span<const double> radii, std::span<const char> fixed)
        : points_(points), radii_(radii), fixed_(fixed), order_(points.size())
    {
        std::iota(order_.begin(), order_.end(), 0u);
        for (const double radius : radii_) largest_ = std::max(largest_, radius);
    }

    /// False where no circles overlapped.
    bool round()
    {
        std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
            return points_[a].x != points_[b].x ? points_[a].x < points_[b].x : a < b;
        });
        bool any = false;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const std::uint32_t a = order_[i];
            for (std::size_t j = i + 1; j < order_.size(); ++j) {
                const std::uint32_t b = order_[j];
                if (points_[b].x - points_[a].x > radii_[a] + largest_) break;
                any = part(a, b) || any;
            }
        }
        return any;
    }

private:
    bool part(std::uint32_t a, std::uint32_t b)
    {
        const double wanted = radii_[a] + radii_[b];
        double x = points_[b].x - points_[a].x, y = points_[b].y - points_[a].y;
        double away = std::hypot(x, y);
        if (away >= wanted * (1 - 1e-6)) return false;
        const bool holdA = !fixed_.empty() && fixed_[a], holdB = !fixed_.empty() && fixed_[b];
        if (holdA && holdB) return false;
        const double shift = (wanted - away) / (holdA || holdB ? 1 : 2);
        if (away == 0) x = away = 1;
        x *= shift / away;
        y *= shift / away;
        if (!holdA) points_[a] = {points_[a].x - x, points_[a].y - y};
        if (!holdB) points_[b] = {points_[b].x + x, points_[b].y + y};
        return true;
    }

    std::vector<PlanePoint>& points_;
    std::span<const double> radii_;
    std::span<const char> fixed_;
    std::vector<std::uint32_t> order_;
    double largest_ = 0;
};

}  // namespace

void normalize(std::vector<PlanePoint>& points, const PullGraph& graph)
{
    if (points.empty()) return;
    PlanePoint middle;
    for (const PlanePoint& point : points) {
        middle.x += point.x / static_cast<double>(points.size());
        middle.y += point.y / static_cast<double>(points.size());
    }
    for (PlanePoint& point : points) point = {point.x - middle.x, point.y - middle.y};
    const double angle = longerAxis(points), length = meanEdge(points, graph);
    const double factor = length > 0 ? 1 / length : 1;
    const double along = factor * std::cos(angle), across = factor * std::sin(angle);
    double skewX = 0, skewY = 0;
    for (PlanePoint& point : points) {
        point = {along * point.x + across * point.y, along * point.y - across * point.x};
        skewX += point.x * point.x * point.x;
        skewY += point.y * point.y * point.y;
    }
    for (PlanePoint& point : points) point = {skewX < 0 ? -point.x : point.x, skewY < 0 ? -point.y : point.y};
}

bool moveApart(std::vector<PlanePoint>& points, std::span<const double> radii, std::span<const char> fixed,
               const Task& task)
{
    Separation separation(points, radii, fixed);
    for (int round = 0; round < kRoundsApart; ++round) {
        if (task.stopRequested()) return false;
        if (!separation.round()) break;
    }
    return true;
}

}  // namespace skein
