// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/lower_bound.h"

#include "algorithms/mapping/qap/dense_problem.h"

#include <algorithm>
#include <functional>

namespace skein {
namespace {

/// Nodes up to which every node's own profile is computed.
constexpr std::uint32_t kProfiledNodes = 2048;
constexpr std::uint32_t kBoundsBetweenLooks = 4096;

/// slotsWithin[h]: the most slots that any node has within h hops, its own slots included.
using SlotsWithin = std::vector<std::uint64_t>;

std::uint32_t centreOf(const GridDimension& dimension)
{
    return dimension.shape == DimensionShape::Line ? dimension.size / 2 : 0;
}

/// A grid whose nodes are all open: the node in the middle of every line has the most slots within any
/// distance.
SlotsWithin profileOfGrid(const GridDistances& grid, std::uint32_t ranksPerNode)
{
    std::vector<std::uint64_t> atHops{1};
    for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
        const GridDimension& dimension = grid.dimensions()[d];
        std::vector<std::uint64_t> next(atHops.size() + dimension.size, 0);
        for (std::uint32_t x = 0; x < dimension.size; ++x) {
            const std::uint32_t hops = grid.along(d, centreOf(dimension), x);
            for (std::size_t h = 0; h < atHops.size(); ++h) next[h + hops] += atHops[h];
        }
        while (next.size() > 1 && next.back() == 0) next.pop_back();
        atHops = std::move(next);
    }
    SlotsWithin within(atHops.size());
    std::uint64_t sum = 0;
    for (std::size_t h = 0; h < atHops.size(); ++h) within[h] = (sum += atHops[h] * ranksPerNode);
    return within;
}

std::vector<std::uint32_t> openSlotsOfNodes(const MappingProblem& problem)
{
    std::vector<std::uint32_t> slots(problem.distances.nodes(), problem.ranksPerNode);
    for (std::uint32_t node = 0; node < slots.size(); ++node) {
        if (!problem.openNodes.empty() && !problem.openNodes[node]) slots[node] = 0;
        if (!problem.constraints.nodeCapacity.empty())
            slots[node] = std::min(slots[node], problem.constraints.nodeCapacity[node]);
    }
    for (const std::uint32_t node : problem.constraints.freeNodes) slots[node] = 0;
    return slots;
}

/// The elementwise best of the profiles of all nodes with open slots; either direction counts as near.
SlotsWithin profileByCounting(const MappingProblem& problem, const std::vector<std::uint32_t>& slots)
{
    SlotsWithin best;
    std::vector<std::uint64_t> atHops;
    std::vector<std::uint32_t> open;
    for (std::uint32_t node = 0; node < slots.size(); ++node) {
        if (slots[node] > 0) open.push_back(node);
    }
    problem.distances.visit([&](const auto& distances) {
        for (const std::uint32_t node : open) {
            std::fill(atHops.begin(), atHops.end(), 0);
            for (const std::uint32_t other : open) {
                const std::size_t hops =
                    std::min(distances.between(node, other), distances.between(other, node));
                if (hops >= atHops.size()) atHops.resize(hops + 1, 0);
                atHops[hops] += slots[other];
            }
            best.resize(std::max(best.size(), atHops.size()), best.empty() ? 0 : best.back());
            std::uint64_t sum = 0;
            for (std::size_t h = 0; h < best.size(); ++h)
                best[h] = std::max(best[h], sum += h < atHops.size() ? atHops[h] : 0);
        }
    });
    return best;
}

SlotsWithin slotsWithinOf(const MappingProblem& problem)
{
    const std::vector<std::uint32_t> slots = openSlotsOfNodes(problem);
    const auto open = static_cast<std::size_t>(
        std::count_if(slots.begin(), slots.end(), [](std::uint32_t count) { return count > 0; }));
    const bool full = std::all_of(slots.begin(), slots.end(),
                                  [&](std::uint32_t count) { return count == problem.ranksPerNode; });
    if (full && problem.distances.grid())
        return profileOfGrid(*problem.distances.grid(), problem.ranksPerNode);
    if (open <= kProfiledNodes) return profileByCounting(problem, slots);
    if (problem.distances.grid()) return profileOfGrid(*problem.distances.grid(), problem.ranksPerNode);
    return {problem.ranksPerNode, problem.slots()};
}

/// Σ flow × hops when the flows, heaviest first, take the slots of the profile from the nearest on.
std::int64_t nearestCost(const std::vector<std::int64_t>& flows, const SlotsWithin& within)
{
    std::int64_t sum = 0;
    std::size_t hops = 0;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        // The rank itself takes one slot.
        while (hops + 1 < within.size() && i + 1 >= within[hops]) ++hops;
        sum += flows[i] * static_cast<std::int64_t>(hops);
    }
    return sum;
}

}  // namespace

std::int64_t hopBytesLowerBound(const MappingProblem& problem, const Task& task)
{
    const SlotsWithin within = slotsWithinOf(problem);
    std::vector<std::int64_t> flows;
    std::int64_t sum = 0;
    for (std::uint32_t rank = 0; rank < problem.flow.ranks; ++rank) {
        if (rank % kBoundsBetweenLooks == 0 && task.stopRequested()) return 0;
        flows.clear();
        for (std::uint32_t entry = problem.flow.first[rank]; entry < problem.flow.first[rank + 1]; ++entry)
            flows.push_back(problem.flow.both(entry));
        std::sort(flows.begin(), flows.end(), std::greater<>());
        sum += nearestCost(flows, within);
    }
    std::int64_t bound = (sum + 1) / 2;
    if (problem.slots() <= kExactBoundSlots)
        bound = std::max(bound, gilmoreLawlerBound(denseProblem(problem)));
    return bound;
}

}  // namespace skein
