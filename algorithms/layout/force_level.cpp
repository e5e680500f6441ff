// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/force_level.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kPush = 0.2;      ///< C of the paper; its K is 1
constexpr double kPartPull = 0.3;  ///< on parts that are not connected; holds about one node in its square
constexpr std::size_t kNodesATurn = 128;
constexpr double kShorter = 0.9;  ///< steps after one that did not help, and the inverse after five that did

double sumOfSquares(double x, double y) { return x * x + y * y; }

}  // namespace

ForceLevel::ForceLevel(const PullGraph& graph, std::span<const std::uint32_t> part,
                       std::span<const char> fixed, PushRange range)
    : graph_(graph), part_(part), fixed_(fixed), range_(range)
{
    for (const std::uint32_t number : part_) parts_ = std::max(parts_, number + 1);
    massOfPart_.assign(parts_, 0);
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node)
        massOfPart_[part_[node]] += static_cast<double>(graph_.mass[node]);
}

/// Each part is pulled as a whole, so that its shape stays as its edges want it.
ForceLevel::Centres ForceLevel::pullsOfParts(const std::vector<PlanePoint>& points) const
{
    Centres centres(parts_);
    PlanePoint all;
    double mass = 0;
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
        const double own = static_cast<double>(graph_.mass[node]);
        centres[part_[node]].x += own * points[node].x;
        centres[part_[node]].y += own * points[node].y;
    }
    for (std::uint32_t part = 0; part < parts_; ++part) {
        all.x += centres[part].x;
        all.y += centres[part].y;
        mass += massOfPart_[part];
    }
    for (std::uint32_t part = 0; part < parts_; ++part)
        centres[part] = {kPartPull * (all.x / mass - centres[part].x / massOfPart_[part]),
                         kPartPull * (all.y / mass - centres[part].y / massOfPart_[part])};
    return centres;
}

ForceLevel::Force ForceLevel::pullOn(std::uint32_t node, const std::vector<PlanePoint>& points) const
{
    Force force;
    const PlanePoint own = points[node];
    for (const PullGraph::Neighbour& neighbour : graph_.of(node)) {
        const double x = points[neighbour.node].x - own.x, y = points[neighbour.node].y - own.y;
        const double pull = static_cast<double>(neighbour.weight) * std::sqrt(std::sqrt(sumOfSquares(x, y)));
        force.x += pull * x;
        force.y += pull * y;
        force.stiffness += 2 * pull;
    }
    return force;
}

bool ForceLevel::forces(const std::vector<PlanePoint>& points, double seen, const Task& task,
                        std::vector<Force>& into) const
{
    const PushTree tree(points, graph_.mass);
    const Centres centres = parts_ > 1 ? pullsOfParts(points) : Centres(1);
    const std::size_t turns = (points.size() + kNodesATurn - 1) / kNodesATurn;
    return parallelFor(turns, task, [&](std::size_t turn) {
        const std::size_t end = std::min(points.size(), (turn + 1) * kNodesATurn);
        for (std::size_t i = turn * kNodesATurn; i < end; ++i) {
            const std::uint32_t node = tree.order()[i];
            if (!fixed_.empty() && fixed_[node]) continue;
            const double mass = static_cast<double>(graph_.mass[node]);
            const PlanePoint push = tree.pushOn(node, seen, range_);
            Force force = pullOn(node, points);
            const PlanePoint& part = centres[part_[node]];
            force.x += mass * (kPush * push.x + part.x);
            force.y += mass * (kPush * push.y + part.y);
            force.stiffness += mass * kPartPull;
            into[node] = force;
        }
    });
}

bool ForceLevel::settle(std::vector<PlanePoint>& points, const ForceSteps& steps, const Task& task,
                        const std::function<void()>& moved) const
{
    std::vector<Force> force(points.size());
    double step = steps.first, before = 0;
    int helped = 0;
    for (int round = 0; round < steps.most && step > steps.last; ++round) {
        if (task.stopRequested() || !forces(points, steps.seen, task, force)) return false;
        double energy = 0, longest = 0;
        for (std::size_t node = 0; node < points.size(); ++node) {
            const double size2 = sumOfSquares(force[node].x, force[node].y);
            energy += size2;
            if (size2 == 0) continue;
            const double size = std::sqrt(size2);
            const double way = std::min(step, size / force[node].stiffness);
            points[node].x += force[node].x / size * way;
            points[node].y += force[node].y / size * way;
            longest = std::max(longest, way);
        }
        if (round > 0 && energy >= before) {
            step *= kShorter;
            helped = 0;
        } else if (++helped >= 5) {
            helped = 0;
            step /= kShorter;
        }
        before = energy;
        moved();
        if (longest < steps.last) break;
    }
    return true;
}

double ForceLevel::balancingScale(const std::vector<PlanePoint>& points, const Task& task) const
{
    const PushTree tree(points, graph_.mass);
    std::vector<PlanePoint> inward(points.size());  ///< work of pushes and of pulls when all grows
    if (!parallelFor(points.size(), task, [&](std::size_t i) {
            const auto node = static_cast<std::uint32_t>(i);
            const PlanePoint push = tree.pushOn(node, 0.9, range_);
            const Force pull = pullOn(node, points);
            inward[i] = {kPush * static_cast<double>(graph_.mass[node])
                             * (push.x * points[i].x + push.y * points[i].y),
                         -(pull.x * points[i].x + pull.y * points[i].y)};
        }))
        return 0;
    double pushes = 0, pulls = 0;
    for (const PlanePoint& work : inward) {
        pushes += work.x;
        pulls += work.y;
    }
    if (pushes <= 0 || pulls <= 0) return 1;
    return std::pow(pushes / pulls, range_ == PushRange::Far ? 1 / 2.5 : 1 / 3.5);
}

double ForceLevel::energyOf(const std::vector<PlanePoint>& points) const
{
    double energy = 0;
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
        for (const PullGraph::Neighbour& neighbour : graph_.of(node)) {
            const double length = std::hypot(points[neighbour.node].x - points[node].x,
                                             points[neighbour.node].y - points[node].y);
            energy += static_cast<double>(neighbour.weight) * length * length * std::sqrt(length) / 5;
        }
        for (std::uint32_t other = 0; other < node; ++other) {
            const double away =
                std::hypot(points[other].x - points[node].x, points[other].y - points[node].y);
            const double kept = std::max(away, 1e-12);
            energy += kPush * static_cast<double>(graph_.mass[node]) * static_cast<double>(graph_.mass[other])
                * (range_ == PushRange::Far ? -std::log(kept) : 1 / kept);
        }
    }
    return energy;
}

}  // namespace skein
