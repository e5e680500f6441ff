// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/node_pairs.h"
#include "algorithms/routing/routing_model.h"
#include "core/base/task.h"
#include "core/machine/routes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// The links of many routes, one after the other.
struct LinkPaths {
    std::vector<std::uint64_t> first{0};  ///< route i: links [first[i], first[i + 1])
    std::vector<LinkIndex> links;

    std::size_t size() const { return first.size() - 1; }
    std::span<const LinkIndex> operator[](std::size_t route) const
    {
        return {links.data() + first[route], static_cast<std::size_t>(first[route + 1] - first[route])};
    }
    void add(std::span<const LinkIndex> route);
};

/// Recorded ways between nodes. They win over any model.
struct MeasuredPaths {
    std::vector<NodePair> pairs;  ///< one a path, with its messages and bytes; may repeat
    LinkPaths paths;
    std::vector<char> complete;       ///< 0: the recording ends before the destination; one a path
    std::uint64_t unusable = 0;       ///< routes of the recording with a hop that the machine does not have
    std::uint64_t firstUnusable = 0;  ///< the first of them

    /// The complete path between two nodes that comes first, or -1. O(log size) after index().
    std::int64_t find(VertexIndex from, VertexIndex to) const;
    void index();

private:
    std::vector<std::uint32_t> byPair_;
};

/// Follows recorded routes on the machine by their coordinates. Errors: InvalidArgument where the coordinates
/// are of another number of dimensions, or no route fits the machine at all.
Result<MeasuredPaths> followRoutes(const Topology& topology, const RouteSet& routes);

/// The route of every pair, by the model, or as measured where `measured` is given and knows the pair.
/// Errors: InvalidArgument for a model that splits messages or nodes that cannot reach each other;
/// OutOfMemory above 2^30 hops; Cancelled. O(hops) for rules; one search of the machine a destination for
/// shortest paths.
Result<LinkPaths> routePairs(const Topology& topology, const RoutingModel& model,
                             std::span<const NodePair> pairs, const MeasuredPaths* measured,
                             const Task& task);

/// Where the bytes of flows go when messages are split.
struct SplitLoads {
    std::vector<std::uint64_t> loads;  ///< by link
    std::uint64_t hopAmount = 0;       ///< sum of amount × hops
    std::uint32_t maximumHops = 0;
};

/// Sends `amounts[i]` from pairs[i].from to pairs[i].to by a model that splits. Amounts stay whole: what does
/// not divide goes to the first ways, so that nothing is lost. Errors as for routePairs.
Result<SplitLoads> splitPairs(const Topology& topology, const RoutingModel& model,
                              std::span<const NodePair> pairs, std::span<const std::uint64_t> amounts,
                              const Task& task);

}  // namespace skein
