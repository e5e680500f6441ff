// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/folding/folding_grid.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace skein {
namespace {

/// Sizes of the machine's dimensions and of its nodes, slowest first.
std::vector<std::uint32_t> machineSizes(const MappingProblem& problem)
{
    std::vector<std::uint32_t> sizes;
    if (const GridDistances* grid = problem.distances.grid()) {
        for (const GridDimension& dimension : grid->dimensions()) sizes.push_back(dimension.size);
    } else {
        sizes.push_back(problem.distances.nodes());
    }
    sizes.push_back(problem.ranksPerNode);
    return sizes;
}

/// What of the machine's sizes divides the number of places; what is left over comes first.
std::vector<std::uint32_t> sizesOf(std::uint32_t places, const std::vector<std::uint32_t>& machine)
{
    std::vector<std::uint32_t> sizes;
    for (auto size = machine.rbegin(); size != machine.rend(); ++size) {
        sizes.push_back(std::gcd(places, *size));
        places /= sizes.back();
    }
    if (places > 1) sizes.push_back(places);
    std::reverse(sizes.begin(), sizes.end());
    return sizes;
}

/// How many slots the blocks have whose number divides the places: a node, a row of nodes, and so on.
std::vector<std::uint32_t> blockSizes(std::uint32_t places, const std::vector<std::uint32_t>& machine)
{
    std::vector<std::uint32_t> blocks;
    std::uint32_t block = 1;
    for (auto size = machine.rbegin(); size != machine.rend() && places % *size == 0; ++size) {
        places /= *size;
        if (*size > 1) blocks.push_back(block *= *size);
    }
    return blocks;
}

/// For each slot how many of the blocks around it, from the smallest on, are open altogether.
std::vector<std::uint8_t> openBlocks(const std::vector<std::uint32_t>& open, std::uint32_t slots,
                                     const std::vector<std::uint32_t>& blocks)
{
    std::vector<std::uint8_t> level(slots, 0);
    std::vector<std::uint32_t> count;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        count.assign(slots / blocks[i] + 1, 0);
        for (const std::uint32_t slot : open) ++count[slot / blocks[i]];
        for (const std::uint32_t slot : open)
            level[slot] =
                static_cast<std::uint8_t>(level[slot] + (count[slot / blocks[i]] == blocks[i] ? 1 : 0));
    }
    return level;
}

/// The sizes of a block of a grid and of its nodes, slowest first, where the open slots are just that.
std::vector<std::uint32_t> blockOf(const MappingProblem& problem, const std::vector<std::uint32_t>& open)
{
    const GridDistances* grid = problem.distances.grid();
    if (!grid) return {};
    std::vector<std::uint32_t> sizes;
    std::size_t slots = problem.ranksPerNode;
    for (std::size_t d = 0; d < grid->dimensions().size(); ++d) {
        std::uint32_t first = grid->dimensions()[d].size, last = 0;
        for (const std::uint32_t slot : open) {
            const std::uint32_t position = grid->coordinate(slot / problem.ranksPerNode, d);
            first = std::min(first, position);
            last = std::max(last, position);
        }
        sizes.push_back(last - first + 1);
        slots *= sizes.back();
    }
    sizes.push_back(problem.ranksPerNode);
    return slots == open.size() ? sizes : std::vector<std::uint32_t>{};
}

}  // namespace

FoldingGrid foldingGrid(const MappingProblem& problem, const SwapRules& rules)
{
    FoldingGrid grid;
    for (std::uint32_t slot = 0; slot < problem.slots(); ++slot) {
        if (!rules.fixed(slot)) grid.slotAt.push_back(slot);
    }
    const auto open = static_cast<std::uint32_t>(grid.slotAt.size());
    const std::uint32_t ranks = std::max(1u, problem.flow.ranks);
    const bool whole = open == problem.slots();
    if (open < ranks || (whole && open % ranks != 0)) return {};
    std::vector<std::uint32_t> machine = machineSizes(problem);
    const std::uint32_t places = open / ranks * ranks;
    if (!whole) {
        const std::vector<std::uint8_t> level =
            openBlocks(grid.slotAt, problem.slots(), blockSizes(places, machine));
        const std::uint8_t nodeLevel = problem.ranksPerNode > 1 ? 1 : 0;
        const auto regular = std::count_if(grid.slotAt.begin(), grid.slotAt.end(),
                                           [&](std::uint32_t slot) { return level[slot] > nodeLevel; });
        if (2 * regular >= static_cast<std::ptrdiff_t>(open)) {
            std::stable_sort(grid.slotAt.begin(), grid.slotAt.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return level[a] > level[b]; });
        } else {
            machine = blockOf(problem, grid.slotAt);
            if (machine.empty() || open % ranks != 0) return {};
        }
    }
    grid.slotAt.resize(places);
    grid.sizes = sizesOf(places, machine);
    return grid;
}

}  // namespace skein
