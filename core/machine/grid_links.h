// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/distances.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace skein {

/// The links of a grid of rings and lines by rule: numbers and order are those of a list by source and then
/// target, at no memory for each. Immutable; reading from several threads is safe.
class GridLinks {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    GridLinks() = default;
    /// Dimensions of rings and lines whose links number below 2^32.
    explicit GridLinks(std::span<const GridDimension> dimensions);

    std::uint32_t nodes() const { return nodes_; }
    std::uint32_t links() const { return first(nodes_); }
    /// The first link that leaves a node, or the number of links for nodes(). O(dimensions).
    std::uint32_t first(std::uint32_t node) const;
    /// O(dimensions), and as often as nodes can be halved where not all nodes have as many links.
    std::uint32_t source(std::uint32_t link) const;
    std::uint32_t target(std::uint32_t link) const;
    /// The link between neighbours, or kNone. O(dimensions).
    std::uint32_t find(std::uint32_t from, std::uint32_t to) const;

private:
    struct Axis {
        std::uint32_t size = 1;
        std::uint32_t stride = 1;
        bool wraps = false;
        std::uint32_t linksOf(std::uint32_t position) const
        {
            if (size == 1) return 0;
            return wraps ? 2 : (position > 0 ? 1u : 0u) + (position + 1 < size ? 1u : 0u);
        }
        /// Of all positions before this one.
        std::uint32_t linksBefore(std::uint32_t position) const
        {
            if (size == 1 || position == 0) return 0;
            return wraps ? 2 * position : 2 * position - 1 - (position == size ? 1u : 0u);
        }
    };
    /// Calls f(neighbour) for all neighbours of a node, in no order.
    template <typename F>
    void forNeighbours(std::uint32_t node, const F& f) const;

    std::vector<Axis> axes_;
    std::uint32_t nodes_ = 1;
    std::uint32_t degree_ = 0;  ///< of all nodes; 0 where they differ
};

}  // namespace skein
