// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/reroute.h"
#include "algorithms/routing/route_pairs.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Routes that can be exchanged one by one, with the loads that they make together.
class RerouteState {
public:
    RerouteState(const Topology& topology, const LinkPaths& routes, std::span<const std::uint64_t> amounts);

    const Topology& topology() const { return topology_; }
    std::size_t routes() const { return paths_.size(); }
    const std::vector<LinkIndex>& path(std::uint32_t route) const { return paths_[route]; }
    std::uint64_t amount(std::uint32_t route) const { return amounts_[route]; }
    const std::vector<std::uint64_t>& loads() const { return loads_; }
    std::uint64_t highestLoad(std::uint32_t route) const;
    std::uint64_t maximumLoad() const;
    std::uint64_t totalHops() const;
    /// Puts a route on other links.
    void move(std::uint32_t route, std::vector<LinkIndex> path);
    LinkPaths allPaths() const;

private:
    const Topology& topology_;
    std::vector<std::vector<LinkIndex>> paths_;
    std::span<const std::uint64_t> amounts_;
    std::vector<std::uint64_t> loads_;
};

/// Lowers the largest load of any link by moving the selected routes, none beyond its number of hops in
/// `hopLimits`. Stops early when the task is asked to. See RerouteStrategy::MinimizeMaximum.
void minimizeMaximumLoad(RerouteState& state, std::span<const std::uint32_t> selected,
                         std::span<const std::uint32_t> hopLimits, const Task& task);

/// A load below which the maximum cannot fall whatever ways the selected routes take: what enters or leaves a
/// vertex shares its links, and routes that are not selected stay.
std::uint64_t lowerBoundOfMaximum(const RerouteState& state, std::span<const std::uint32_t> selected);

}  // namespace skein
