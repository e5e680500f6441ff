// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/problem/job_block.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::uint64_t kSlotsOfRank = 16;
constexpr std::uint64_t kLeastSlots = std::uint64_t{1} << 16;

/// Positions of one dimension.
struct Side {
    std::uint32_t begin = 0;
    std::uint32_t size = 1;
    std::uint32_t whole = 1;
};

std::vector<Side> sidesOfJob(const Topology& topology, const Placement& placement)
{
    std::vector<Side> sides;
    for (const GridDimension& dimension : topology.numbering()) sides.push_back({0, 0, dimension.size});
    for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank) {
        const std::vector<std::uint32_t> position = topology.coordinates(placement.nodeOf(rank));
        for (std::size_t d = 0; d < sides.size(); ++d) {
            Side& side = sides[d];
            const std::uint32_t first = side.size == 0 ? position[d] : std::min(side.begin, position[d]);
            const std::uint32_t last =
                side.size == 0 ? position[d] : std::max(side.begin + side.size - 1, position[d]);
            side = {first, last - first + 1, side.whole};
        }
    }
    return sides;
}

/// Doubles the shortest side that can grow, of equal ones that of the nearest nodes, until there is room.
void widen(std::vector<Side>& sides, std::uint64_t wantedNodes)
{
    for (;;) {
        std::uint64_t nodes = 1;
        Side* shortest = nullptr;
        for (Side& side : sides) {
            nodes *= side.size;
            if (side.size < side.whole && (!shortest || side.size <= shortest->size)) shortest = &side;
        }
        if (nodes >= wantedNodes || !shortest) return;
        shortest->size = std::min(shortest->whole, 2 * shortest->size);
        shortest->begin = std::min(shortest->begin, shortest->whole - shortest->size);
    }
}

}  // namespace

std::vector<std::uint8_t> blockAroundJob(const Topology& topology, const Placement& placement)
{
    const std::uint64_t slots = std::uint64_t{topology.nodes()} * placement.ranksPerNode();
    const std::uint64_t wanted = std::max(kLeastSlots, kSlotsOfRank * placement.ranks());
    if (slots <= kSlotsOfHugeMachine || slots <= wanted || placement.ranks() == 0) return {};
    std::vector<Side> sides = sidesOfJob(topology, placement);
    widen(sides, (wanted + placement.ranksPerNode() - 1) / placement.ranksPerNode());
    std::vector<std::uint8_t> inside(topology.nodes(), 1);
    std::uint32_t stride = 1;
    for (std::size_t d = sides.size(); d-- > 0; stride *= sides[d].whole) {
        const Side& side = sides[d];
        if (side.size == side.whole) continue;
        const std::uint32_t row = stride * side.whole;
        for (std::uint32_t begin = 0; begin < topology.nodes(); begin += row) {
            const auto at = [&](std::uint32_t position) {
                return inside.begin() + begin + std::ptrdiff_t{position} * stride;
            };
            std::fill(at(0), at(side.begin), std::uint8_t{0});
            std::fill(at(side.begin + side.size), at(side.whole), std::uint8_t{0});
        }
    }
    return inside;
}

}  // namespace skein
