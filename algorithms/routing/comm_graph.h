// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/force_layout.h"
#include "algorithms/routing/traffic.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/comm/comm_matrix.h"
#include "core/machine/placement.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Communication as a graph to draw: Fujiwara et al. (VAST 2017), sections 4.2 and 6.1.
namespace skein {

/// Vertices that exchange something, and what flows between them. A place is what a vertex is made of: a
/// rank, or a node or router of a machine. Immutable once made; reading from several threads is safe.
struct CommGraph {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    struct Vertex {
        std::uint64_t in = 0, out = 0;  ///< messages; partners where the source does not tell messages
        std::uint64_t bytesIn = 0, bytesOut = 0;
        std::uint64_t bytesInside = 0;  ///< what its own ranks send each other, and themselves
        std::uint64_t messagesInside = 0;

        std::uint64_t degree() const { return in + out; }
        bool operator==(const Vertex&) const = default;
    };

    /// What one vertex sends another on one way.
    struct Flow {
        std::uint32_t from = 0, to = 0;
        std::uint64_t bytes = 0, messages = 0;
        std::uint64_t hopBytes = 0;     ///< of the machine's links, also those inside of vertices
        std::uint64_t highestLoad = 0;  ///< of the links on the way
        std::uint32_t hops = 0;         ///< the most of what flows here; 0 where routes are not known
        std::uint32_t firstStop = 0, stops = 0;  ///< vertices on the way in `stops`, both ends among them

        bool operator==(const Flow&) const = default;
    };

    std::vector<Vertex> vertices;
    std::vector<Flow> flows;                           ///< the most bytes first, else by ends
    std::vector<std::uint32_t> stops;                  ///< of all flows
    std::vector<std::uint32_t> vertexOf;               ///< of each place; kNone: nothing passes there
    std::vector<std::uint32_t> firstPlace{0}, places;  ///< places of vertex v: [firstPlace[v], …[v + 1])
    LoadUnit unit = LoadUnit::Bytes;
    bool ofMachine = false;  ///< places are vertices of a machine, else ranks

    std::span<const std::uint32_t> wayOf(const Flow& flow) const
    {
        return {stops.data() + flow.firstStop, flow.stops};
    }
    std::span<const std::uint32_t> placesOf(std::uint32_t vertex) const
    {
        return {places.data() + firstPlace[vertex], firstPlace[vertex + 1] - firstPlace[vertex]};
    }
    /// In the unit of the graph.
    std::uint64_t amountOf(const Flow& flow) const
    {
        return unit == LoadUnit::Bytes ? flow.bytes : flow.messages;
    }
};

/// A vertex a rank. O(entries log entries).
CommGraph graphOfRanks(const CommMatrix& matrix);

/// A vertex a node or router of the machine that communicates or lies on a way. `matrix` and `placement` tell
/// what stays inside of nodes; null: nothing does. Where the model splits messages flows know their ends
/// alone. O(hops log flows).
CommGraph graphOnMachine(const Topology& topology, const Traffic& traffic, const CommMatrix* matrix,
                         const Placement* placement);

/// Joins the places of each group in one vertex, but those of `expanded` groups, which become vertices of
/// their own. Flows that take the same way add up; what stays in a group is told by its vertex. `groupOf`
/// has a number for each place. Degrees of partners are those of places. Errors: InvalidArgument for a list
/// of another length; Cancelled. O(hops log flows).
Result<CommGraph> groupedGraph(const CommGraph& places, std::span<const std::uint32_t> groupOf,
                               std::span<const std::uint32_t> expanded, const Task& task);

/// What force layouts take: vertices, pulled together by what flows between them.
LayoutGraph layoutGraph(const CommGraph& graph);

/// Where vertices of one graph begin, from the places that vertices of another have: each in the middle of
/// its places, those that come out of the same vertex in a circle around it. Not a number where nothing is
/// known. Both are of the same places. O(places).
std::vector<PlanePoint> carriedPlaces(const CommGraph& before, std::span<const PlanePoint> points,
                                      const CommGraph& after);

/// What vertices of a machine are joined by.
struct PlaceGroups {
    std::vector<std::uint32_t> groupOf;  ///< of each place
    std::vector<std::string> names;
};

/// Nodes with the same coordinates in the dimensions of `letters` ("ABC"), which a router shares with the
/// nodes that hang on it. Errors: InvalidArgument for a letter that the machine does not have, or twice the
/// same. O(places · dimensions).
Result<PlaceGroups> groupsByCoordinates(const Topology& topology, std::string_view letters);

/// Nodes with the router that they hang on; each vertex by itself where all are nodes. O(places).
PlaceGroups groupsByRouter(const Topology& topology);

/// Nodes by what most of their ranks belong to; those without ranks, and routers, each by themselves.
/// O(places + ranks).
PlaceGroups groupsByRanks(const Topology& topology, const Placement& placement,
                          std::span<const std::uint32_t> groupOfRank, std::span<const std::string> names);

}  // namespace skein
