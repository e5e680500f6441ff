// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/distances.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skein {

/// A machine whose distance is a sum over factors: d(a, b) = Σ_f hops_f(a_f, b_f). Grids have a factor a
/// dimension; a small router table is one factor. For such machines the cost of a rank at every node is the
/// sum of a few entries of one short row, its field, which makes trying a swap O(factors) instead of
/// O(degree). Symmetric. Immutable after building.
struct FieldModel {
    static constexpr std::size_t kMaxFactors = 8;
    static constexpr std::uint32_t kMaxWidth = 512;
    static constexpr std::uint32_t kLane = 8;  ///< row widths are multiples of this

    std::uint32_t nodes = 0;
    std::uint32_t factors = 0;
    std::uint32_t width = 0;                         ///< entries of a field row, padded
    std::array<std::uint32_t, kMaxFactors> size{};   ///< positions of each factor
    std::array<std::uint32_t, kMaxFactors> start{};  ///< where the factor begins in a row
    std::array<std::uint32_t, kMaxFactors>
        stride{};  ///< node number step of a factor; 0 where nodes are irregular
    std::array<std::vector<float>, kMaxFactors> hops;
    std::vector<std::uint16_t> entry;  ///< node × kMaxFactors: index into a row
    double diameter = 0.0;             ///< upper bound of the distance

    std::uint32_t position(std::uint32_t node, std::size_t factor) const
    {
        return entry[node * kMaxFactors + factor] - start[factor];
    }
    float between(std::uint32_t a, std::uint32_t b) const
    {
        float sum = 0.0f;
        for (std::size_t f = 0; f < factors; ++f) sum += hops[f][position(a, f) * size[f] + position(b, f)];
        return sum;
    }
};

/// The model of a machine, or nullopt where its distances are no short sum (many routers, long dimensions) or
/// not symmetric. With `ranksPerNode` > 1, machines whose nodes hang on routers need a factor over nodes.
std::optional<FieldModel> makeFieldModel(const Distances& distances, std::uint32_t ranksPerNode);

/// A model from tables of mean distances, for coarsened machines. Sizes multiply to the nodes, last factor
/// fastest.
FieldModel makeFieldModel(std::span<const std::uint32_t> sizes, std::vector<std::vector<float>> hops);

}  // namespace skein
