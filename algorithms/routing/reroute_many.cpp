// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/reroute_many.h"

#include "algorithms/routing/reroute_state.h"
#include "algorithms/routing/traffic.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

class ManyRoutes {
public:
    ManyRoutes(const Topology& topology, const LinkPaths& routes, std::span<const std::uint64_t> amounts,
               std::span<const std::uint32_t> selected, const RerouteParameters& parameters, const Task& task)
        : state_(topology, routes, amounts),
          rerouter_(topology),
          selected_(selected),
          parameters_(parameters),
          task_(task)
    {
        for (const std::uint32_t route : selected) {
            const auto hops = static_cast<std::uint32_t>(routes[route].size());
            hopLimits_.push_back(hops + std::min(parameters.limits.tolerance, topology.vertices()));
            result_.changes.push_back({route, hops, hops, state_.highestLoad(route), 0, false});
        }
        original_ = state_.allPaths();
        result_.maximumBefore = state_.maximumLoad();
        result_.hopsBefore = state_.totalHops();
        result_.maximumLowerBound = lowerBoundOfMaximum(state_, selected);
    }

    Result<RerouteResult> run()
    {
        if (parameters_.strategy == RerouteStrategy::MinimizeMaximum) {
            parameters_.limits.criterion = RerouteCriterion::Load;
            minimizeMaximumLoad(state_, selected_, hopLimits_, task_);
        }
        while (pass() && parameters_.strategy != RerouteStrategy::OnePass) {}
        if (task_.stopRequested()) return cancelled();
        return finished();
    }

private:
    std::uint64_t criterionOf(std::uint32_t route) const
    {
        return parameters_.limits.criterion == RerouteCriterion::Length ? state_.path(route).size()
                                                                        : state_.highestLoad(route);
    }

    /// Positions in the selection, the worst route first.
    std::vector<std::uint32_t> order() const
    {
        std::vector<std::uint64_t> keys;
        for (const std::uint32_t route : selected_) keys.push_back(criterionOf(route));
        std::vector<std::uint32_t> order(selected_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return keys[a] != keys[b] ? keys[a] > keys[b] : selected_[a] < selected_[b];
        });
        return order;
    }

    /// Whether anything changed.
    bool pass()
    {
        bool anyChange = false;
        for (const std::uint32_t position : order()) {
            if (task_.stopRequested()) return false;
            const bool changed = improve(position);
            anyChange = anyChange || changed;
            if (result_.passes == 0) result_.steps.push_back({selected_[position], changed});
        }
        ++result_.passes;
        return anyChange;
    }

    bool improve(std::uint32_t position)
    {
        const std::uint32_t route = selected_[position];
        auto offer = rerouter_.improvement(state_.path(route), state_.amount(route), state_.loads(),
                                           parameters_.limits.criterion, hopLimits_[position]);
        if (!offer) return false;
        state_.move(route, std::move(offer->links));
        return true;
    }

    RerouteResult finished()
    {
        for (RouteChange& change : result_.changes) {
            const auto& path = state_.path(change.route);
            change.hopsAfter = static_cast<std::uint32_t>(path.size());
            change.loadAfter = state_.highestLoad(change.route);
            const auto before = original_[change.route];
            change.changed = !std::equal(path.begin(), path.end(), before.begin(), before.end());
        }
        result_.maximumAfter = state_.maximumLoad();
        result_.hopsAfter = state_.totalHops();
        result_.paths = state_.allPaths();
        result_.loads = state_.loads();
        return std::move(result_);
    }

    RerouteState state_;
    Rerouter rerouter_;
    std::span<const std::uint32_t> selected_;
    RerouteParameters parameters_;
    const Task& task_;
    std::vector<std::uint32_t> hopLimits_;
    LinkPaths original_;
    RerouteResult result_;
};

Result<void> checkInput(const LinkPaths& routes, std::span<const std::uint64_t> amounts,
                        std::span<const std::uint32_t> selected)
{
    if (amounts.size() != routes.size())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("There are {} routes and {} amounts.", routes.size(), amounts.size()));
    std::vector<char> seen(routes.size(), 0);
    for (const std::uint32_t route : selected) {
        if (route >= routes.size())
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("Route {} is selected; there are {}.", route, routes.size()));
        if (std::exchange(seen[route], 1))
            return fail(ErrorCode::InvalidArgument, fmt::format("Route {} is selected twice.", route));
    }
    return {};
}

}  // namespace

RerouteState::RerouteState(const Topology& topology, const LinkPaths& routes,
                           std::span<const std::uint64_t> amounts)
    : topology_(topology), amounts_(amounts), loads_(loadsOf(topology, routes, amounts))
{
    paths_.reserve(routes.size());
    for (std::size_t route = 0; route < routes.size(); ++route)
        paths_.emplace_back(routes[route].begin(), routes[route].end());
}

std::uint64_t RerouteState::highestLoad(std::uint32_t route) const
{
    std::uint64_t highest = 0;
    for (const LinkIndex link : paths_[route]) highest = std::max(highest, loads_[link]);
    return highest;
}

std::uint64_t RerouteState::maximumLoad() const
{
    return loads_.empty() ? 0 : *std::max_element(loads_.begin(), loads_.end());
}

std::uint64_t RerouteState::totalHops() const
{
    std::uint64_t hops = 0;
    for (const auto& path : paths_) hops += path.size();
    return hops;
}

void RerouteState::move(std::uint32_t route, std::vector<LinkIndex> path)
{
    for (const LinkIndex link : paths_[route]) loads_[link] -= amounts_[route];
    paths_[route] = std::move(path);
    for (const LinkIndex link : paths_[route]) loads_[link] += amounts_[route];
}

LinkPaths RerouteState::allPaths() const
{
    LinkPaths all;
    for (const auto& path : paths_) all.add(path);
    return all;
}

std::vector<std::uint64_t> loadsOf(const Topology& topology, const LinkPaths& routes,
                                   std::span<const std::uint64_t> amounts)
{
    std::vector<std::uint64_t> loads(topology.links(), 0);
    for (std::size_t route = 0; route < routes.size(); ++route)
        for (const LinkIndex link : routes[route]) loads[link] += amounts[route];
    return loads;
}

std::vector<std::uint32_t> routesOverTopLinks(const LinkPaths& routes, std::span<const std::uint64_t> loads,
                                              double share)
{
    const auto loaded = std::ranges::count_if(loads, [](std::uint64_t load) { return load > 0; });
    const auto wanted =
        static_cast<std::size_t>(std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(loaded)));
    std::vector<char> isTop(loads.size(), 0);
    const LinkAmounts amounts(std::vector<std::uint64_t>(loads.begin(), loads.end()));
    for (const LinkIndex link : topLinks(amounts, std::max<std::size_t>(wanted, 1)))
        isTop[link] = loads[link] > 0 ? 1 : 0;
    std::vector<std::uint32_t> found;
    for (std::uint32_t route = 0; route < routes.size(); ++route)
        if (std::ranges::any_of(routes[route], [&](LinkIndex link) { return isTop[link] != 0; }))
            found.push_back(route);
    return found;
}

Result<RerouteResult> rerouteMany(const Topology& topology, const LinkPaths& routes,
                                  std::span<const std::uint64_t> amounts,
                                  std::span<const std::uint32_t> selected,
                                  const RerouteParameters& parameters, const Task& task)
{
    if (auto checked = checkInput(routes, amounts, selected); !checked) return Unexpected(checked.error());
    return ManyRoutes(topology, routes, amounts, selected, parameters, task).run();
}

}  // namespace skein
