// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/route_pairs.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

/// Follows one route; false where a position or a hop does not exist on the machine.
bool follow(const Topology& topology, const RouteSet& routes, const RouteSet::Route& route, NodePair& pair,
            std::vector<LinkIndex>& links)
{
    links.clear();
    VertexIndex at = topology.nodeAt(routes.position(route, 0));
    pair = {at, at, route.messages, route.bytes};
    for (std::uint32_t stop = 1; stop < route.stops && at != kNoVertex; ++stop) {
        const VertexIndex next = topology.nodeAt(routes.position(route, stop));
        const LinkIndex link = next == kNoVertex ? kNoLink : topology.findLink(at, next);
        if (link == kNoLink) return false;
        links.push_back(link);
        pair.to = at = next;
    }
    return at != kNoVertex;
}

}  // namespace

std::int64_t MeasuredPaths::find(VertexIndex from, VertexIndex to) const
{
    const auto key = [&](std::uint32_t path) { return std::pair(pairs[path].from, pairs[path].to); };
    const auto found =
        std::lower_bound(byPair_.begin(), byPair_.end(), std::pair(from, to),
                         [&](std::uint32_t path, const auto& wanted) { return key(path) < wanted; });
    return found == byPair_.end() || key(*found) != std::pair(from, to) ? -1 : std::int64_t{*found};
}

void MeasuredPaths::index()
{
    byPair_.clear();
    for (std::uint32_t path = 0; path < pairs.size(); ++path)
        if (complete[path]) byPair_.push_back(path);
    std::stable_sort(byPair_.begin(), byPair_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(pairs[a].from, pairs[a].to) < std::pair(pairs[b].from, pairs[b].to);
    });
}

Result<MeasuredPaths> followRoutes(const Topology& topology, const RouteSet& routes)
{
    if (routes.dimensions() != topology.numbering().size())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The recorded routes have {} coordinates, the machine has {} dimensions.",
                                routes.dimensions(), topology.numbering().size()),
                    topology.spec());
    MeasuredPaths measured;
    std::vector<LinkIndex> links;
    for (std::size_t i = 0; i < routes.size(); ++i) {
        NodePair pair;
        if (follow(topology, routes, routes[i], pair, links)) {
            measured.pairs.push_back(pair);
            measured.paths.add(links);
            measured.complete.push_back(routes[i].complete ? 1 : 0);
        } else if (measured.unusable++ == 0) {
            measured.firstUnusable = i;
        }
    }
    if (routes.size() > 0 && measured.pairs.empty())
        return fail(ErrorCode::InvalidArgument,
                    "No recorded route fits the machine: its sizes or links are others.", topology.spec());
    measured.index();
    return measured;
}

}  // namespace skein
