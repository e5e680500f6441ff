// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/machine/distances.h"
#include "core/machine/grid_links.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace skein {

/// A node (0 … nodes()-1) or a router (nodes() … vertices()-1) of a Topology.
using VertexIndex = std::uint32_t;
/// A directed link of a Topology: an index into its links, which are ordered by source, target and then copy.
using LinkIndex = std::uint32_t;

inline constexpr std::uint32_t kNoVertex = 0xFFFFFFFFu;
inline constexpr std::uint32_t kNoLink = 0xFFFFFFFFu;

/// A dragonfly (Kim, Dally, Scott, Abts 2008): groups of routers, wired all-to-all or, as in Cray Aries, as a
/// rows × columns array whose rows and columns are each all-to-all.
struct DragonflyShape {
    std::uint32_t groups = 1;
    std::uint32_t rows = 1;     ///< 1: all-to-all inside the group
    std::uint32_t columns = 1;  ///< routers a row
    std::uint32_t nodesPerRouter = 1;
    std::uint32_t routersPerGroup() const { return rows * columns; }
    bool operator==(const DragonflyShape&) const = default;
};

/// An extended generalized fat tree XGFT(h; m1…mh; w1…wh) (Öhring, Ibel, Das, Kumar 1995). Level 0 are the
/// nodes; a vertex of level i has m_i children and each vertex below it w_i parents, over p_i parallel
/// cables. The k-ary n-tree is XGFT(n; k…k; 1,k…k).
struct FatTreeShape {
    std::vector<std::uint32_t> children;  ///< m, from the nodes upwards
    std::vector<std::uint32_t> parents;   ///< w
    std::vector<std::uint32_t> cables;    ///< p
    std::size_t levels() const { return children.size(); }
    bool operator==(const FatTreeShape&) const = default;
};

/// A torus, mesh, Hamming graph, hypercube, or any product of them: every vertex is a node.
struct GridShape {
    bool operator==(const GridShape&) const = default;
};

/// Known by its links alone: an imported fabric.
struct GraphShape {
    bool operator==(const GraphShape&) const = default;
};

using TopologyShape = std::variant<GraphShape, GridShape, DragonflyShape, FatTreeShape>;

/// A directed link as it goes into a topology.
struct LinkDefinition {
    VertexIndex source = 0;
    VertexIndex target = 0;
    float capacity = 1.0f;  ///< relative to a common unit; loads are divided by it for congestion
};

/// What users call a dimension: A … S, then U … ; T is the core of a node.
constexpr char dimensionLetter(std::size_t dimension)
{
    return static_cast<char>('A' + dimension + (dimension >= 19 ? 1 : 0));
}

/// Nodes, routers and directed links with capacities. Every cable is two links; parallel cables are links of
/// their own. Nodes are numbered along numbering(), the last dimension fastest. Immutable; reading from
/// several threads is safe. Costs 12 bytes a link and 4 bytes a vertex beside names, which only imported
/// machines have; nothing for grids of rings and lines with more than kMostListedLinks links, whose links
/// follow from a rule.
class Topology {
public:
    static constexpr std::uint32_t kMaximumVertices = 1u << 24;
    static constexpr std::uint32_t kMaximumLinks = 1u << 26;
    static constexpr std::uint32_t kMostListedLinks = 1u << 22;

    /// What a topology is made of. `numbering` must multiply to the number of nodes.
    struct Parts {
        std::string spec;  ///< how the user wrote it
        TopologyShape shape;
        std::uint32_t nodes = 0;
        std::uint32_t routers = 0;
        std::vector<GridDimension> numbering;  ///< empty: one dimension of all nodes
        std::vector<LinkDefinition> links;     ///< in any order
        std::vector<std::string> names;        ///< of all vertices, or empty
    };

    Topology() = default;
    /// Sorts the links. Errors: InvalidArgument for links that name no vertex, or parts that do not fit
    /// together; Cancelled. O(links + vertices).
    static Result<Topology> create(Parts parts, const Task& task = Task());
    /// A grid of rings and lines within the limits, without a list of its links. O(dimensions).
    static Topology createByRule(std::vector<GridDimension> dimensions, std::string spec);

    const std::string& spec() const { return spec_; }
    const TopologyShape& shape() const { return shape_; }
    bool isGrid() const { return std::holds_alternative<GridShape>(shape_); }
    std::uint32_t nodes() const { return nodes_; }
    std::uint32_t vertices() const { return vertices_; }
    std::uint32_t links() const { return links_; }
    /// Links follow from a rule: there are many, and what is kept for each should not be.
    bool linksByRule() const { return byRule_; }

    /// Whether messages of others may pass: all vertices where every vertex is a node, else routers only.
    bool forwards(VertexIndex vertex) const { return vertex >= nodes_ || nodes_ == vertices(); }

    VertexIndex source(LinkIndex link) const { return byRule_ ? rule_.source(link) : sources_[link]; }
    VertexIndex target(LinkIndex link) const { return byRule_ ? rule_.target(link) : targets_[link]; }
    float capacity(LinkIndex link) const { return byRule_ ? 1.0f : capacities_[link]; }
    /// The links that leave a vertex are [firstLink(v), firstLink(v + 1)), by target.
    LinkIndex firstLink(VertexIndex vertex) const
    {
        return byRule_ ? rule_.first(vertex) : firstLink_[vertex];
    }
    /// The first of the links from one vertex to another, or kNoLink. O(log degree).
    LinkIndex findLink(VertexIndex from, VertexIndex to) const;
    /// All parallel links from one vertex to another as [first, last). O(log degree).
    std::pair<LinkIndex, LinkIndex> parallelLinks(VertexIndex from, VertexIndex to) const;

    /// The dimensions that number the nodes: of a grid its own; groups, rows, columns, nodes of a dragonfly;
    /// the levels of a fat tree from the top.
    std::span<const GridDimension> numbering() const { return numbering_; }
    std::vector<std::uint32_t> coordinates(VertexIndex node) const;
    /// The node at a position, or kNoVertex where it lies outside the machine.
    VertexIndex nodeAt(std::span<const std::uint32_t> position) const;

    /// "1 0 2 1 0" for a node with coordinates, an imported name, or "router 17".
    std::string vertexName(VertexIndex vertex) const;
    /// "1 0 2 1 0 -> 1 0 2 0 0".
    std::string linkName(LinkIndex link) const;
    /// The node with this name, or kNoVertex. O(nodes) where names exist.
    VertexIndex findNode(std::string_view name) const;
    bool hasNames() const { return !names_.empty(); }

private:
    std::string spec_;
    TopologyShape shape_;
    std::uint32_t nodes_ = 0;
    std::uint32_t vertices_ = 0;
    std::uint32_t links_ = 0;
    std::vector<GridDimension> numbering_;
    bool byRule_ = false;
    GridLinks rule_;
    std::vector<LinkIndex> firstLink_{0};
    std::vector<VertexIndex> sources_;
    std::vector<VertexIndex> targets_;
    std::vector<float> capacities_;
    std::vector<std::string> names_;
};

/// Hops between all pairs of nodes along shortest paths: from coordinates for a grid, else by breadth-first
/// search into a table over the vertices that nodes hang on. Errors: InvalidArgument where nodes cannot reach
/// each other, OutOfMemory where the table would pass 2 GiB, Cancelled. O(1) for a grid, else O(routers ×
/// links).
Result<Distances> distances(const Topology& topology, const Task& task);

/// "grid", "dragonfly", "fat tree" or "graph".
std::string_view familyName(const Topology& topology);

}  // namespace skein
