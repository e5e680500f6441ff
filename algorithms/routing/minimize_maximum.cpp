// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/reroute_state.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace skein {
namespace {

constexpr double kUnreachedCost = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kMaximumRounds = 50;

double raised(double value, int squarings)
{
    for (int i = 0; i < squarings; ++i) value *= value;
    return value;
}

/// The path with the smallest sum of positive costs within a number of hops (Bellman and Ford, in rounds).
class CheapestPath {
public:
    explicit CheapestPath(const Topology& topology) : topology_(topology), best_(topology.vertices())
    {
        if (topology.isGrid()) hops_ = distances(topology, Task()).value_or(Distances());
    }

    /// Empty where there is none. `cost(link)` must be positive.
    template <typename Cost>
    std::vector<LinkIndex> find(VertexIndex from, VertexIndex to, std::uint32_t maximumHops, const Cost& cost)
    {
        std::fill(best_.begin(), best_.end(), kUnreachedCost);
        labels_.assign(1, {from, kNoLink, 0, 0.0});
        best_[from] = 0.0;
        std::size_t begin = 0;
        goal_ = kNoLabel;
        for (std::uint32_t hop = 1; hop <= maximumHops && begin < labels_.size(); ++hop) {
            const std::size_t end = labels_.size();
            for (std::size_t label = begin; label < end; ++label) extend(label, to, maximumHops - hop, cost);
            begin = end;
        }
        return goal_ == kNoLabel ? std::vector<LinkIndex>() : pathTo(goal_);
    }

private:
    struct Label {
        VertexIndex vertex = 0;
        LinkIndex link = kNoLink;
        std::size_t before = 0;
        double cost = 0.0;
    };
    static constexpr std::size_t kNoLabel = std::numeric_limits<std::size_t>::max();

    template <typename Cost>
    void extend(std::size_t index, VertexIndex to, std::uint32_t hopsLeft, const Cost& cost)
    {
        const Label label = labels_[index];
        if (label.cost > best_[label.vertex] || label.cost >= best_[to]) return;
        for (LinkIndex link = topology_.firstLink(label.vertex); link < topology_.firstLink(label.vertex + 1);
             ++link) {
            const VertexIndex target = topology_.target(link);
            // On a grid the hops that remain are known: most links lead astray.
            if (topology_.isGrid() && hops_.between(target, to) > hopsLeft) continue;
            const double sum = label.cost + cost(link);
            if (sum >= best_[target] || sum >= best_[to] || (target != to && !topology_.forwards(target)))
                continue;
            best_[target] = sum;
            if (target == to) goal_ = labels_.size();
            labels_.push_back({target, link, index, sum});
        }
    }

    std::vector<LinkIndex> pathTo(std::size_t label) const
    {
        std::vector<LinkIndex> path;
        for (; labels_[label].link != kNoLink; label = labels_[label].before)
            path.push_back(labels_[label].link);
        std::reverse(path.begin(), path.end());
        return path;
    }

    const Topology& topology_;
    Distances hops_;
    std::vector<double> best_;
    std::vector<Label> labels_;
    std::size_t goal_ = kNoLabel;
};

class MaximumMinimizer {
public:
    MaximumMinimizer(RerouteState& state, std::span<const std::uint32_t> selected,
                     std::span<const std::uint32_t> hopLimits, const Task& task)
        : state_(state),
          selected_(selected),
          hopLimits_(hopLimits),
          task_(task),
          rerouter_(state.topology()),
          cheapest_(state.topology())
    {
        keep();
    }

    void run()
    {
        descend();
        keep();
        for (const int squarings : {2, 4, 6}) {
            spread(squarings);
            descend();
            keep();
        }
        restore();
    }

private:
    /// Moves routes off the most loaded links while the maximum falls.
    void descend()
    {
        while (!task_.stopRequested() && moveOffMaximum()) {}
    }

    bool moveOffMaximum()
    {
        const std::uint64_t maximum = state_.maximumLoad();
        for (std::size_t i = 0; i < selected_.size(); ++i) {
            const std::uint32_t route = selected_[i];
            if (state_.highestLoad(route) < maximum) continue;
            auto offer = rerouter_.improvement(state_.path(route), state_.amount(route), state_.loads(),
                                               RerouteCriterion::Load, hopLimits_[i]);
            if (!offer) continue;
            state_.move(route, std::move(offer->links));
            return true;
        }
        return false;
    }

    /// Puts every route where the sum of load^(2^squarings) grows least, until nothing moves.
    void spread(int squarings)
    {
        for (std::uint32_t round = 0; round < kMaximumRounds; ++round) {
            scale_ = 1.0 / static_cast<double>(std::max<std::uint64_t>(state_.maximumLoad(), 1));
            bool moved = false;
            for (std::size_t i = 0; i < selected_.size(); ++i) {
                if (task_.stopRequested()) return;
                moved = spreadRoute(i, squarings) || moved;
            }
            if (!moved) return;
        }
    }

    bool spreadRoute(std::size_t position, int squarings)
    {
        const std::uint32_t route = selected_[position];
        const std::vector<LinkIndex> before = state_.path(route);
        if (before.empty() || state_.amount(route) == 0) return false;
        state_.move(route, {});
        const double added = static_cast<double>(state_.amount(route)) * scale_;
        const auto growth = [&](LinkIndex link) {
            const auto load = static_cast<double>(state_.loads()[link]) * scale_;
            return raised(load + added, squarings) - raised(load, squarings) + 1e-12;
        };
        const auto sum = [&](const std::vector<LinkIndex>& path) {
            double total = 0.0;
            for (const LinkIndex link : path) total += growth(link);
            return total;
        };
        auto after = cheapest_.find(state_.topology().source(before.front()),
                                    state_.topology().target(before.back()), hopLimits_[position], growth);
        const bool better = !after.empty() && sum(after) < sum(before) * (1.0 - 1e-9);
        state_.move(route, better ? std::move(after) : before);
        return better;
    }

    void keep()
    {
        const std::uint64_t maximum = state_.maximumLoad();
        if (!kept_.empty() && maximum >= keptMaximum_) return;
        keptMaximum_ = maximum;
        kept_.clear();
        for (const std::uint32_t route : selected_) kept_.push_back(state_.path(route));
    }

    void restore()
    {
        for (std::size_t i = 0; i < kept_.size(); ++i) state_.move(selected_[i], kept_[i]);
    }

    RerouteState& state_;
    std::span<const std::uint32_t> selected_;
    std::span<const std::uint32_t> hopLimits_;
    const Task& task_;
    Rerouter rerouter_;
    CheapestPath cheapest_;
    double scale_ = 1.0;
    std::uint64_t keptMaximum_ = 0;
    std::vector<std::vector<LinkIndex>> kept_;
};

}  // namespace

void minimizeMaximumLoad(RerouteState& state, std::span<const std::uint32_t> selected,
                         std::span<const std::uint32_t> hopLimits, const Task& task)
{
    if (!selected.empty()) MaximumMinimizer(state, selected, hopLimits, task).run();
}

std::uint64_t lowerBoundOfMaximum(const RerouteState& state, std::span<const std::uint32_t> selected)
{
    const Topology& topology = state.topology();
    std::vector<std::uint64_t> fixed = state.loads();
    std::vector<std::uint64_t> leaving(topology.vertices(), 0);
    std::vector<std::uint64_t> entering(topology.vertices(), 0);
    std::vector<std::uint64_t> outDegree(topology.vertices(), 0);
    std::vector<std::uint64_t> inDegree(topology.vertices(), 0);
    for (const std::uint32_t route : selected) {
        const auto& path = state.path(route);
        for (const LinkIndex link : path) fixed[link] -= state.amount(route);
        if (path.empty()) continue;
        leaving[topology.source(path.front())] += state.amount(route);
        entering[topology.target(path.back())] += state.amount(route);
    }
    for (LinkIndex link = 0; link < topology.links(); ++link) {
        leaving[topology.source(link)] += fixed[link];
        entering[topology.target(link)] += fixed[link];
        ++outDegree[topology.source(link)];
        ++inDegree[topology.target(link)];
    }
    std::uint64_t bound = fixed.empty() ? 0 : *std::max_element(fixed.begin(), fixed.end());
    for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex) {
        if (outDegree[vertex] > 0)
            bound = std::max(bound, (leaving[vertex] + outDegree[vertex] - 1) / outDegree[vertex]);
        if (inDegree[vertex] > 0)
            bound = std::max(bound, (entering[vertex] + inDegree[vertex] - 1) / inDegree[vertex]);
    }
    for (const std::uint32_t route : selected)
        if (!state.path(route).empty()) bound = std::max(bound, state.amount(route));
    return bound;
}

}  // namespace skein
