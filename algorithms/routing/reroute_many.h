// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/reroute.h"
#include "algorithms/routing/route_pairs.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// How many routes are rerouted together.
enum class RerouteStrategy : std::uint8_t {
    OnePass,          ///< each once, the worst by the criterion first: the paper's heuristic
    Iterated,         ///< passes over all until no single change helps
    MinimizeMaximum,  ///< the largest load of any link comes first, then Iterated
};

struct RerouteParameters {
    RerouteLimits limits;
    RerouteStrategy strategy = RerouteStrategy::Iterated;
};

/// One route before and after. Loads are the largest on its links, with all changes made.
struct RouteChange {
    std::uint32_t route = 0;  ///< index into the routes given
    std::uint32_t hopsBefore = 0;
    std::uint32_t hopsAfter = 0;
    std::uint64_t loadBefore = 0;
    std::uint64_t loadAfter = 0;
    bool changed = false;  ///< takes another way
};

/// The change of one route at its turn.
struct RerouteStep {
    std::uint32_t route = 0;
    bool changed = false;
    bool operator==(const RerouteStep&) const = default;
};

struct RerouteResult {
    LinkPaths paths;                   ///< of all routes given, with the changes
    std::vector<std::uint64_t> loads;  ///< by link, with the changes
    std::vector<RouteChange> changes;  ///< one a selected route, in the order of the selection
    std::vector<RerouteStep> steps;    ///< in the order they were made; first pass only for Iterated
    std::uint32_t passes = 0;
    std::uint64_t maximumBefore = 0;
    std::uint64_t maximumAfter = 0;
    std::uint64_t hopsBefore = 0;  ///< of all routes
    std::uint64_t hopsAfter = 0;
    std::uint64_t maximumLowerBound = 0;  ///< no ways of the selected routes give a smaller largest load
};

/// Reroutes the selected ones of many routes, all of which load the links. A change is made only where it
/// strictly improves the criterion of its route at that moment, and never lets l' pass the route's first
/// length + δ.
///
/// OnePass: routes in descending length or highest load at the start, ties by index, each by equation 1 or 2
/// against the current loads. Iterated: such passes, sorted again, until one changes nothing. It ends: by
/// Load the sorted list of all loads falls lexicographically, by Length the sum of hops. MinimizeMaximum:
/// every route is taken up and put down where the sum of load^p grows least (p = 4, 16, 64; it falls with
/// each change), then routes over the most loaded links are moved while that lowers the maximum, then
/// Iterated by Load; the best maximum seen is kept.
///
/// Errors: InvalidArgument for amounts that do not fit the routes or a selection outside them; Cancelled.
Result<RerouteResult> rerouteMany(const Topology& topology, const LinkPaths& routes,
                                  std::span<const std::uint64_t> amounts,
                                  std::span<const std::uint32_t> selected,
                                  const RerouteParameters& parameters, const Task& task);

/// The loads that routes with amounts make.
std::vector<std::uint64_t> loadsOf(const Topology& topology, const LinkPaths& routes,
                                   std::span<const std::uint64_t> amounts);

/// The routes over any of the `share` (0…1) of the links in use with the largest loads, at least one link.
std::vector<std::uint32_t> routesOverTopLinks(const LinkPaths& routes, std::span<const std::uint64_t> loads,
                                              double share);

}  // namespace skein
