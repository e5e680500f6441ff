// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/link_amounts.h"
#include "algorithms/routing/node_pairs.h"
#include "algorithms/routing/route_pairs.h"
#include "algorithms/routing/routing_model.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// What loads are counted in: bytes, or messages where the source knows no bytes.
enum class LoadUnit : std::uint8_t { Bytes, Messages };

/// How a load is spread over the links of a machine.
struct LoadSummary {
    std::uint64_t maximum = 0;
    LinkIndex maximumLink = kNoLink;  ///< the lowest of those with the maximum; kNoLink without traffic
    std::uint32_t maximumTies = 0;    ///< further links with the same load
    std::uint32_t linksUsed = 0;      ///< links on any route, empty messages included
    double mean = 0.0;                ///< over all links
    double meanUsed = 0.0;            ///< over the used links
    double congestion = 0.0;          ///< largest load / capacity
};

/// What a placement and a routing make of communication. "Load" is what a directed link carries.
struct Traffic {
    LoadUnit unit = LoadUnit::Bytes;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;        ///< of all pairs of ranks
    std::uint64_t bytesInside = 0;  ///< between ranks of one node
    std::uint64_t rankPairsInside = 0;
    std::uint64_t hopBytes = 0;       ///< sum of load unit × hops
    std::uint32_t maximumHops = 0;    ///< the largest dilation
    double meanDilation = 0.0;        ///< hop-bytes / bytes: hops of the average byte, 0 inside a node
    std::uint64_t nodePairs = 0;      ///< different pairs of different nodes
    std::uint64_t pairsMeasured = 0;  ///< those of them on recorded routes
    std::vector<NodePair> pairs;      ///< each once, but once a path where all routes were recorded
    LinkPaths paths;                  ///< one a pair; empty where the model splits messages
    LinkAmounts loads;
    LoadSummary summary;
};

/// The loads' summary; `used` tells which links any route takes (empty: those with a load; not asked where
/// only used links are listed). O(links listed).
LoadSummary summarize(const Topology& topology, const LinkAmounts& loads, std::span<const char> used);

/// Routes the communication of nodes. Recorded routes, where given, win over the model pair by pair.
/// Errors: those of routePairs and splitPairs.
Result<Traffic> traffic(const Topology& topology, const RoutingModel& model, NodeTraffic nodes,
                        const MeasuredPaths* measured, const Task& task);

/// The traffic of recorded routes alone, each path by itself; those that end early count as far as they go.
Traffic recordedTraffic(const Topology& topology, const MeasuredPaths& measured);

/// What the i-th pair counts for in the unit.
std::uint64_t amountOf(const NodePair& pair, LoadUnit unit);

/// The links with the largest loads, largest first and lower links first among equals; only such as are
/// listed. O(links listed · log count).
std::vector<LinkIndex> topLinks(const LinkAmounts& loads, std::size_t count);

}  // namespace skein
