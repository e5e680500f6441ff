// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/force_layout.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// How pushes fall with the distance: by its inverse, or by the inverse of its square, which spreads the rim
/// of trees less (Hu 2005, section 3.4).
enum class PushRange : std::uint8_t { Far, Near };

/// The quadtree of Barnes and Hut (1986) over points with masses: what lies far away pushes as one. Immutable
/// once built; reading from several threads is safe.
class PushTree {
public:
    /// O(points log points).
    PushTree(std::span<const PlanePoint> points, std::span<const float> masses);

    /// The points in an order in which neighbours are near each other.
    std::span<const std::uint32_t> order() const { return order_; }

    /// The sum of mass · (own − other) / distance² (Near: distance³) over all other points. Points at the
    /// same place push nowhere. `seen`: a cell whose side is less than that part of its distance counts as
    /// one.
    PlanePoint pushOn(std::uint32_t point, double seen, PushRange range) const
    {
        return range == PushRange::Far ? pushOf<PushRange::Far>(point, seen)
                                       : pushOf<PushRange::Near>(point, seen);
    }

private:
    struct Cell {
        double x = 0, y = 0;  ///< centre of mass
        double mass = 0;
        double side2 = 0;        ///< side squared
        std::uint32_t skip = 0;  ///< the cell behind this one and all below it
        std::uint32_t begin = 0, end = 0;
        bool leaf = true;
    };

    template <PushRange kRange>
    PlanePoint pushOf(std::uint32_t point, double seen) const;
    void build(std::uint32_t begin, std::uint32_t end, int level);
    void sum(Cell& cell) const;

    std::span<const PlanePoint> points_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint64_t> keys_;  ///< of order_
    std::vector<PlanePoint> sorted_;
    std::vector<double> mass_;
    std::vector<Cell> cells_;
    double side_ = 1;
};

}  // namespace skein
