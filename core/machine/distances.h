// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/result.h"

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace skein {

/// How the positions of one dimension of a regular machine are wired.
enum class DimensionShape : std::uint8_t {
    Ring,      ///< a torus dimension: neighbours differ by one, the ends are joined
    Line,      ///< a mesh dimension: neighbours differ by one
    Complete,  ///< all-to-all: every two positions are one hop apart (Hamming graph)
};

/// One dimension of a regular machine.
struct GridDimension {
    std::uint32_t size = 1;  ///< positions, 1 … 65 535
    DimensionShape shape = DimensionShape::Ring;
    bool operator==(const GridDimension&) const = default;
};

/// Hops between the nodes of a machine that is a product of rings, lines and complete graphs. Nodes are
/// numbered with the last dimension fastest. Costs 2 bytes per node and dimension. Symmetric. Immutable;
/// copies share storage.
class GridDistances {
public:
    /// At most 24 dimensions and 2^26 nodes, else InvalidArgument.
    static Result<GridDistances> create(std::vector<GridDimension> dimensions);

    std::uint32_t nodes() const { return nodes_; }
    std::span<const GridDimension> dimensions() const { return dimensions_; }
    /// Position of a node in one dimension.
    std::uint32_t coordinate(std::uint32_t node, std::size_t dimension) const
    {
        return coordinates_[node * dimensions_.size() + dimension];
    }
    /// Hops between two positions of one dimension.
    std::uint32_t along(std::size_t dimension, std::uint32_t from, std::uint32_t to) const
    {
        return centres_[dimension][static_cast<std::ptrdiff_t>(from) - static_cast<std::ptrdiff_t>(to)];
    }
    /// Shortest path in hops. O(dimensions); no check of the range.
    std::uint32_t between(std::uint32_t a, std::uint32_t b) const
    {
        const std::size_t count = dimensions_.size();
        const std::uint16_t* from = coordinates_.data() + a * count;
        const std::uint16_t* to = coordinates_.data() + b * count;
        std::uint32_t hops = 0;
        for (std::size_t d = 0; d < count; ++d)
            hops += centres_[d][static_cast<int>(from[d]) - static_cast<int>(to[d])];
        return hops;
    }

private:
    std::vector<GridDimension> dimensions_;
    std::uint32_t nodes_ = 0;
    Column<std::uint16_t> coordinates_;          ///< node × dimension
    Column<std::uint16_t> hops_;                 ///< per dimension: hops by difference -(size-1) … size-1
    std::vector<const std::uint16_t*> centres_;  ///< difference 0 of each dimension in hops_
};

/// Hops between nodes that hang on routers: a table over routers and a constant from node to router, so that
/// many nodes of one router cost nothing. May be asymmetric. Immutable; copies share storage.
template <typename Hops>
class TableDistances {
public:
    TableDistances(Column<std::uint32_t> routerOfNode, std::uint32_t routers, Column<Hops> table,
                   std::uint32_t attachHops)
        : routerOfNode_(std::move(routerOfNode)),
          table_(std::move(table)),
          routers_(routers),
          attachHops_(attachHops)
    {
    }

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(routerOfNode_.size()); }
    std::uint32_t routers() const { return routers_; }
    std::uint32_t routerOf(std::uint32_t node) const { return routerOfNode_[node]; }
    std::uint32_t betweenRouters(std::uint32_t a, std::uint32_t b) const
    {
        return table_[std::size_t{a} * routers_ + b];
    }
    /// Hops of a message from node a to node b; 0 for a node to itself. O(1); no check of the range.
    std::uint32_t between(std::uint32_t a, std::uint32_t b) const
    {
        if (a == b) return 0;
        return betweenRouters(routerOfNode_[a], routerOfNode_[b]) + attachHops_;
    }

private:
    Column<std::uint32_t> routerOfNode_;
    Column<Hops> table_;  ///< router × router
    std::uint32_t routers_ = 0;
    std::uint32_t attachHops_ = 0;  ///< node to router and router to node together
};

/// Hops between the leaves of a tree of blocks in blocks, as fat trees are: twice the levels up to the
/// smallest block that holds both. Nodes of a block are numbered one after the other. Symmetric. Costs
/// nothing a node. Immutable.
class TreeDistances {
public:
    /// `children` of a block of each level, from the nodes upwards. Errors: InvalidArgument for no level, or
    /// more than 16, a level without children, or more than 2^26 nodes.
    static Result<TreeDistances> create(std::vector<std::uint32_t> children);

    std::uint32_t nodes() const { return nodes_; }
    std::uint32_t levels() const { return static_cast<std::uint32_t>(children_.size()); }
    /// O(levels), O(1) where all numbers of children are powers of two; no check of the range.
    std::uint32_t between(std::uint32_t a, std::uint32_t b) const
    {
        if (binary_) return hopsOfBits_[static_cast<std::size_t>(std::bit_width(a ^ b))];
        std::uint32_t hops = 0;
        for (std::size_t level = 0; a != b; ++level, hops += 2) {
            a /= children_[level];
            b /= children_[level];
        }
        return hops;
    }

private:
    std::vector<std::uint32_t> children_;
    std::uint32_t nodes_ = 1;
    bool binary_ = false;
    std::array<std::uint8_t, 33> hopsOfBits_{};  ///< by the bits that the numbers of two nodes differ in
};

/// Hops between the nodes of any machine, in the representation that fits it. A value; copies share storage;
/// reading from several threads is safe. Hot loops take the representation out once with visit().
class Distances {
public:
    Distances() = default;
    explicit Distances(GridDistances grid);
    explicit Distances(TreeDistances tree);
    /// From router-to-router hops (row-major, routers × routers). `attachHops` is added between different
    /// nodes: 0 where nodes and routers are one, 2 where a cable leads from a node to its router. Takes 1
    /// byte an entry where all are below 256. Errors: InvalidArgument for sizes that do not fit together or
    /// unknown routers.
    static Result<Distances> fromRouters(std::vector<std::uint32_t> routerOfNode, std::uint32_t routers,
                                         std::span<const std::uint16_t> hops, std::uint32_t attachHops);
    /// The same with the 1-byte table made by the caller, who saves the wider copy (65 536 nodes on 16 384
    /// routers).
    static Result<Distances> fromRouters(std::vector<std::uint32_t> routerOfNode, std::uint32_t routers,
                                         std::vector<std::uint8_t> hops, std::uint32_t attachHops);

    std::uint32_t nodes() const;
    /// True when a→b and b→a are equal for all pairs.
    bool symmetric() const { return symmetric_; }
    /// The grid behind it, or nullptr when distances come from a table.
    const GridDistances* grid() const { return std::get_if<GridDistances>(&rep_); }
    /// Hops from node a to node b. For single questions; in loops use visit().
    std::uint32_t between(std::uint32_t a, std::uint32_t b) const;
    /// Calls f with the representation: `visit([&](const auto& distances) { … distances.between(a, b) … })`.
    template <typename F>
    decltype(auto) visit(F&& f) const
    {
        return std::visit(std::forward<F>(f), rep_);
    }

private:
    using Rep = std::variant<GridDistances, TableDistances<std::uint8_t>, TableDistances<std::uint16_t>,
                             TreeDistances>;
    Distances(Rep rep, bool symmetric) : rep_(std::move(rep)), symmetric_(symmetric) {}

    Rep rep_;
    bool symmetric_ = true;
};

}  // namespace skein
