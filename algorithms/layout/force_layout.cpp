// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/force_layout.h"

#include "algorithms/layout/force_level.h"
#include "algorithms/layout/plane.h"
#include "algorithms/layout/pull_graph.h"
#include "algorithms/mapping/base/random.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>

namespace skein {
namespace {

constexpr std::uint32_t kFewLayoutNodes = 32;
constexpr double kLeastShrink = 0.9;  ///< coarser levels have at most so much of the nodes
constexpr double kManyLeaves = 0.3;
constexpr int kFirstTries = 6;
constexpr double kTurn = 6.283185307179586;
constexpr double kReachOfNewcomers = 0.5;

/// A direction that only depends on the numbers.
PlanePoint directionOf(std::uint64_t seed, std::uint32_t node)
{
    const double angle = kTurn * static_cast<double>(Random::mix(seed ^ Random::mix(node)) >> 11) * 0x1.0p-53;
    return {std::cos(angle), std::sin(angle)};
}

/// Where many nodes have one neighbour, pushes from afar would press them to the rim.
PushRange rangeFor(const PullGraph& graph)
{
    std::uint32_t leaves = 0, joined = 0;
    for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
        leaves += graph.of(node).size() == 1;
        joined += !graph.of(node).empty();
    }
    return leaves > kManyLeaves * joined ? PushRange::Near : PushRange::Far;
}

/// Hands pictures on when it is time.
class PictureTeller {
public:
    explicit PictureTeller(const LayoutParams& params) : params_(params) {}

    bool due() const
    {
        return params_.picture
            && (!last_ || Clock::now() - *last_ >= std::chrono::milliseconds(params_.pictureMs));
    }
    void tell(std::span<const PlanePoint> points)
    {
        params_.picture(points);
        last_ = Clock::now();
    }

private:
    using Clock = std::chrono::steady_clock;
    const LayoutParams& params_;
    std::optional<Clock::time_point> last_;
};

class MultilevelLayout {
public:
    MultilevelLayout(PullGraph finest, const LayoutParams& params, const Task& task)
        : params_(params), task_(task), teller_(params)
    {
        levels_.push_back({std::move(finest), {}});
        part_.push_back(connectedParts(levels_[0].graph));
        range_ = rangeFor(levels_[0].graph);
    }

    Result<std::vector<PlanePoint>> run()
    {
        if (!coarsen() || !beginCoarsest()) return cancelled();
        for (std::size_t level = levels_.size(); level-- > 0;) {
            if (level + 1 < levels_.size()) refine(level);
            const double spacing = spacingOf(level);
            const bool finest = level == 0;
            const ForceSteps steps{0.5 * spacing, (finest ? 0.004 : 0.02) * spacing, finest ? 250 : 200, 0.9};
            if (!settle(level, steps)) return cancelled();
        }
        normalize(points_, levels_[0].graph);
        return std::move(points_);
    }

private:
    bool coarsen()
    {
        while (levels_.back().graph.nodes() > kFewLayoutNodes) {
            if (task_.stopRequested()) return false;
            const PullGraph& fine = levels_.back().graph;
            Coarsening next = coarsened(fine, Random::mix(params_.seed + levels_.size()));
            if (next.graph.nodes() > kLeastShrink * fine.nodes()) break;
            std::vector<std::uint32_t> part(next.graph.nodes());
            for (std::uint32_t node = 0; node < fine.nodes(); ++node)
                part[next.parent[node]] = part_.back()[node];
            levels_.back().parent = std::move(next.parent);
            levels_.push_back({std::move(next.graph), {}});
            part_.push_back(std::move(part));
        }
        return true;
    }

    /// Few nodes are tried from several starts: what is folded there stays folded.
    bool beginCoarsest()
    {
        const PullGraph& graph = levels_.back().graph;
        const double reach = std::sqrt(static_cast<double>(levels_[0].graph.nodes()));
        const int tries = graph.nodes() <= 4 * kFewLayoutNodes ? kFirstTries : 1;
        double least = std::numeric_limits<double>::infinity();
        std::vector<PlanePoint> best;
        for (int attempt = 0; attempt < tries; ++attempt) {
            Random random(Random::mix(params_.seed * 1000 + static_cast<std::uint64_t>(attempt)));
            points_.resize(graph.nodes());
            for (PlanePoint& point : points_) {
                const double angle = kTurn * random.unit(), away = reach * std::sqrt(random.unit());
                point = {away * std::cos(angle), away * std::sin(angle)};
            }
            const double spacing = spacingOf(levels_.size() - 1);
            if (!settle(levels_.size() - 1, {0.2 * reach, 0.02 * spacing, 200, 0.8})) return false;
            const double energy =
                tries == 1 ? 0 : ForceLevel(graph, part_.back(), {}, range_).energyOf(points_);
            if (energy >= least) continue;
            least = energy;
            best = points_;
        }
        points_ = std::move(best);
        return true;
    }

    /// How far neighbours of a level are apart, by how many nodes they stand for.
    double spacingOf(std::size_t level) const
    {
        return std::sqrt(static_cast<double>(levels_[0].graph.nodes())
                         / std::max(1u, levels_[level].graph.nodes()));
    }

    void refine(std::size_t level) { points_ = pointsOn(level, level + 1); }

    /// The places of a level's nodes by those of a coarser level, siblings a little apart.
    std::vector<PlanePoint> pointsOn(std::size_t level, std::size_t placed) const
    {
        std::vector<PlanePoint> points = points_;
        for (std::size_t at = placed; at-- > level;) {
            const std::vector<std::uint32_t>& parent = levels_[at].parent;
            std::vector<PlanePoint> finer(parent.size());
            for (std::uint32_t node = 0; node < parent.size(); ++node) {
                const PlanePoint away = directionOf(params_.seed + at, node);
                const double reach = 0.3 * std::sqrt(static_cast<double>(levels_[at].graph.mass[node]));
                finer[node] = {points[parent[node]].x + reach * away.x,
                               points[parent[node]].y + reach * away.y};
            }
            points = std::move(finer);
        }
        return points;
    }

    bool settle(std::size_t level, const ForceSteps& steps)
    {
        const ForceLevel forces(levels_[level].graph, part_[level], {}, range_);
        return forces.settle(points_, steps, task_, [&] {
            if (!teller_.due()) return;
            std::vector<PlanePoint> all = pointsOn(0, level);
            normalize(all, levels_[0].graph);
            teller_.tell(all);
        });
    }

    struct Level {
        PullGraph graph;
        std::vector<std::uint32_t> parent;  ///< on the next level
    };

    const LayoutParams& params_;
    const Task& task_;
    PictureTeller teller_;
    std::vector<Level> levels_;
    std::vector<std::vector<std::uint32_t>> part_;
    PushRange range_ = PushRange::Far;
    std::vector<PlanePoint> points_;  ///< of the level at work
};

bool isPlaced(const PlanePoint& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

/// From earlier places on: newcomers come beside those whom they know.
class ContinuedLayout {
public:
    ContinuedLayout(PullGraph graph, const LayoutParams& params, const Task& task)
        : graph_(std::move(graph)),
          params_(params),
          task_(task),
          teller_(params),
          part_(connectedParts(graph_)),
          points_(params.start.begin(), params.start.end())
    {
    }

    Result<std::vector<PlanePoint>> run()
    {
        placeNewcomers();
        const ForceLevel level(graph_, part_, params_.fixed, rangeFor(graph_));
        const double scale = level.balancingScale(points_, task_);
        if (scale == 0) return cancelled();
        resize(points_, scale);
        const bool done = level.settle(points_, {0.25, 0.004, 120, 0.9}, task_, [&] {
            if (!teller_.due()) return;
            std::vector<PlanePoint> shown = points_;
            resize(shown, 1 / scale);
            teller_.tell(shown);
        });
        if (!done) return cancelled();
        resize(points_, 1 / scale);
        keepFixed();
        return std::move(points_);
    }

private:
    static void resize(std::vector<PlanePoint>& points, double factor)
    {
        for (PlanePoint& point : points) point = {point.x * factor, point.y * factor};
    }

    void placeNewcomers()
    {
        PlanePoint middle;
        std::size_t placed = 0;
        for (const PlanePoint& point : points_) {
            if (!isPlaced(point)) continue;
            middle.x += point.x;
            middle.y += point.y;
            ++placed;
        }
        middle = {middle.x / static_cast<double>(placed), middle.y / static_cast<double>(placed)};
        for (bool found = true; found;) {
            found = false;
            const std::vector<PlanePoint> before = points_;
            for (std::uint32_t node = 0; node < graph_.nodes(); ++node)
                if (!isPlaced(before[node])) found = placeByNeighbours(node, before) || found;
        }
        for (std::uint32_t node = 0; node < graph_.nodes(); ++node)
            if (!isPlaced(points_[node])) putBeside(node, middle);
    }

    bool placeByNeighbours(std::uint32_t node, const std::vector<PlanePoint>& before)
    {
        PlanePoint sum;
        double weight = 0;
        for (const PullGraph::Neighbour& neighbour : graph_.of(node)) {
            if (!isPlaced(before[neighbour.node])) continue;
            const auto pull = static_cast<double>(neighbour.weight);
            sum.x += pull * before[neighbour.node].x;
            sum.y += pull * before[neighbour.node].y;
            weight += pull;
        }
        if (weight <= 0) return false;
        putBeside(node, {sum.x / weight, sum.y / weight});
        return true;
    }

    void putBeside(std::uint32_t node, PlanePoint place)
    {
        const PlanePoint away = directionOf(params_.seed, node);
        points_[node] = {place.x + kReachOfNewcomers * away.x, place.y + kReachOfNewcomers * away.y};
    }

    /// Without what growing and shrinking has rounded.
    void keepFixed()
    {
        for (std::size_t node = 0; node < params_.fixed.size(); ++node)
            if (params_.fixed[node]) points_[node] = params_.start[node];
    }

    PullGraph graph_;
    const LayoutParams& params_;
    const Task& task_;
    PictureTeller teller_;
    std::vector<std::uint32_t> part_;
    std::vector<PlanePoint> points_;
};

Result<void> checkLists(const LayoutGraph& graph, const LayoutParams& params)
{
    const auto fits = [&](std::size_t length) { return length == 0 || length == graph.nodes; };
    if (!fits(graph.radii.size()) || !fits(params.start.size()) || !fits(params.fixed.size()))
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("Radii, starts and fixed nodes of a layout are lists of all {} nodes.", graph.nodes));
    for (std::size_t node = 0; node < params.fixed.size(); ++node)
        if (params.fixed[node] && (params.start.empty() || !isPlaced(params.start[node])))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("Node {} is to stay and has no place.", node));
    return {};
}

}  // namespace

Result<std::vector<PlanePoint>> forceLayout(const LayoutGraph& graph, const LayoutParams& params,
                                            const Task& task)
{
    if (const auto fit = checkLists(graph, params); !fit) return Unexpected(fit.error());
    auto weighted = pullGraph(graph);
    if (!weighted) return Unexpected(weighted.error());
    if (graph.nodes == 0) return std::vector<PlanePoint>();
    const auto placed = std::count_if(params.start.begin(), params.start.end(), isPlaced);
    const bool anyFixed = std::count(params.fixed.begin(), params.fixed.end(), 0)
        != static_cast<std::ptrdiff_t>(params.fixed.size());
    auto points = anyFixed || (placed > 0 && 2 * static_cast<std::uint64_t>(placed) >= graph.nodes)
        ? ContinuedLayout(std::move(*weighted), params, task).run()
        : MultilevelLayout(std::move(*weighted), params, task).run();
    if (points && !graph.radii.empty() && !moveApart(*points, graph.radii, params.fixed, task))
        return cancelled();
    return points;
}

}  // namespace skein
