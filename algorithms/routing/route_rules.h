// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/routing_model.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <vector>

/// The rules that give one route between two nodes, one class a model; routePairs() chooses among them. All
/// are deterministic, and const calls may run on several threads.
namespace skein {

/// Dimension order on a grid. In each dimension a ring is gone the shorter way round, ties by the model's
/// rule with the source's position; a line has one way; a complete graph takes one step.
class DimensionOrderRule {
public:
    DimensionOrderRule(const Topology& topology, const RoutingModel& model);
    void append(VertexIndex from, VertexIndex to, std::vector<LinkIndex>& links) const;

private:
    const Topology& topology_;
    RoutingModel model_;
    std::vector<std::uint32_t> strides_;
};

/// At most one global cable: to the router that has it, over it, and on. Inside a group a message goes along
/// its row first and then its column. Where two groups have several cables, those with the fewest hops are
/// taken in turn by the destination's number.
class DragonflyRule {
public:
    explicit DragonflyRule(const Topology& topology);
    void append(VertexIndex from, VertexIndex to, std::vector<LinkIndex>& links) const;
    /// Over the group `via`: minimal into it and minimal on; the minimal route itself where `via` is the
    /// group of an end.
    void appendVia(VertexIndex from, VertexIndex to, std::uint32_t via, std::vector<LinkIndex>& links) const;
    std::uint32_t groups() const { return shape_.groups; }
    std::uint32_t groupOf(VertexIndex node) const
    {
        return (routerOf(node) - topology_.nodes()) / shape_.routersPerGroup();
    }

private:
    VertexIndex routerOf(VertexIndex node) const { return topology_.nodes() + node / shape_.nodesPerRouter; }
    std::uint32_t localHops(VertexIndex a, VertexIndex b) const;
    void appendLocal(VertexIndex a, VertexIndex b, std::vector<LinkIndex>& links) const;
    /// The cable from the group of router `from` to `group`; `to` breaks ties, as the router that is gone to.
    LinkIndex cable(VertexIndex from, std::uint32_t group, VertexIndex to, std::uint32_t number) const;
    VertexIndex appendToGroup(VertexIndex from, std::uint32_t group, VertexIndex to, std::uint32_t number,
                              std::vector<LinkIndex>& links) const;

    const Topology& topology_;
    DragonflyShape shape_;
    std::vector<std::uint32_t> firstCable_;  ///< [from group × groups + to group]
    std::vector<LinkIndex> cables_;
};

/// D-mod-k: on the way up from level l the destination d takes port ⌊d / (w1…wl)⌋ mod (w·p), whose parent is
/// the port mod w and whose cable is the port / w; on the way down the cable is chosen alike.
class FatTreeRule {
public:
    explicit FatTreeRule(const Topology& topology);
    void append(VertexIndex from, VertexIndex to, std::vector<LinkIndex>& links) const;

private:
    std::uint32_t port(std::size_t level, VertexIndex destination) const;

    const Topology& topology_;
    FatTreeShape shape_;
    std::vector<VertexIndex> firstOfLevel_;
    std::vector<std::uint32_t> parentsBelow_;   ///< w1…wl
    std::vector<std::uint32_t> childrenBelow_;  ///< m1…ml
};

/// Hops to one destination along shortest paths, by breadth-first search against the links' direction.
class HopsTo {
public:
    static constexpr std::uint32_t kUnreached = 0xFFFFFFFFu;
    explicit HopsTo(const Topology& topology);
    /// Searches from `destination` backwards. O(vertices + links).
    void search(VertexIndex destination);
    std::uint32_t operator[](VertexIndex vertex) const { return hops_[vertex]; }
    /// Vertices in the order of their hops, the destination first.
    const std::vector<VertexIndex>& order() const { return order_; }
    /// Appends the route that takes the lowest link at each vertex. False where there is none.
    bool append(VertexIndex from, std::vector<LinkIndex>& links) const;

private:
    const Topology& topology_;
    std::vector<LinkIndex> firstIn_;  ///< links by target
    std::vector<VertexIndex> inSources_;
    std::vector<std::uint32_t> hops_;
    std::vector<VertexIndex> order_;
};

}  // namespace skein
