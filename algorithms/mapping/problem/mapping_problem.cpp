// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/problem/mapping_problem.h"

#include <algorithm>

namespace skein {
namespace {

/// Is no slot taken twice, no node closed and nothing overfull? O(ranks log), whatever the machine.
bool roomHolds(const MappingProblem& problem, std::span<const std::uint32_t> slotOfRank)
{
    const MappingConstraints& constraints = problem.constraints;
    std::vector<std::uint32_t> slots(slotOfRank.begin(), slotOfRank.end());
    std::sort(slots.begin(), slots.end());
    if (std::adjacent_find(slots.begin(), slots.end()) != slots.end()) return false;
    if (!slots.empty() && slots.back() >= problem.slots()) return false;
    for (const std::uint32_t node : constraints.freeNodes) {
        const auto first = std::lower_bound(slots.begin(), slots.end(), node * problem.ranksPerNode);
        if (first != slots.end() && *first / problem.ranksPerNode == node) return false;
    }
    std::uint32_t onNode = 0, onSocket = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::uint32_t node = slots[i] / problem.ranksPerNode, socket = problem.socketOf(slots[i]);
        onNode = i > 0 && slots[i - 1] / problem.ranksPerNode == node ? onNode + 1 : 1;
        onSocket = i > 0 && problem.socketOf(slots[i - 1]) == socket ? onSocket + 1 : 1;
        if (!problem.openNodes.empty() && !problem.openNodes[node]) return false;
        if (!constraints.nodeCapacity.empty() && onNode > constraints.nodeCapacity[node]) return false;
        if (!constraints.socketCapacity.empty() && onSocket > constraints.socketCapacity[socket])
            return false;
    }
    return true;
}

bool groupsHold(const MappingProblem& problem, std::span<const std::uint32_t> slotOfRank)
{
    const auto nodeOf = [&](std::uint32_t rank) { return slotOfRank[rank] / problem.ranksPerNode; };
    for (const auto& group : problem.constraints.together) {
        for (const std::uint32_t rank : group) {
            if (nodeOf(rank) != nodeOf(group.front())) return false;
        }
    }
    for (std::vector<std::uint32_t> group : problem.constraints.apart) {
        std::sort(group.begin(), group.end());
        group.erase(std::unique(group.begin(), group.end()), group.end());
        std::vector<std::uint32_t> nodes;
        for (const std::uint32_t rank : group) nodes.push_back(nodeOf(rank));
        std::sort(nodes.begin(), nodes.end());
        if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) return false;
    }
    return true;
}

}  // namespace

std::vector<std::uint32_t> ranksOfSlots(std::span<const std::uint32_t> slotOfRank, std::uint32_t slots)
{
    std::vector<std::uint32_t> ranks(slots, kNoRank);
    for (std::uint32_t rank = 0; rank < slotOfRank.size(); ++rank) ranks[slotOfRank[rank]] = rank;
    return ranks;
}

std::uint32_t countMoved(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after)
{
    std::uint32_t moved = 0;
    for (std::size_t rank = 0; rank < before.size(); ++rank) moved += before[rank] != after[rank] ? 1 : 0;
    return moved;
}

std::vector<std::uint32_t> keepCores(const MappingProblem& problem, std::vector<std::uint32_t> slotOfRank)
{
    const bool socketsHold = !problem.constraints.socketCapacity.empty();
    std::vector<std::uint32_t> rankAt = ranksOfSlots(slotOfRank, problem.slots());
    for (std::uint32_t rank = 0; rank < slotOfRank.size(); ++rank) {
        const std::uint32_t slot = slotOfRank[rank];
        const std::uint32_t home = problem.current[rank];
        if (slot == home || slot / problem.ranksPerNode != home / problem.ranksPerNode) continue;
        const std::uint32_t other = rankAt[home];
        if (other == kNoRank && socketsHold && problem.socketOf(slot) != problem.socketOf(home)) continue;
        std::swap(rankAt[slot], rankAt[home]);
        slotOfRank[rank] = home;
        if (other != kNoRank) slotOfRank[other] = slot;
    }
    return slotOfRank;
}

bool satisfies(const MappingProblem& problem, std::span<const std::uint32_t> slotOfRank)
{
    if (slotOfRank.size() != problem.flow.ranks) return false;
    if (!roomHolds(problem, slotOfRank)) return false;
    for (const std::uint32_t rank : problem.constraints.pinned) {
        if (slotOfRank[rank] != problem.current[rank]) return false;
    }
    return groupsHold(problem, slotOfRank)
        && countMoved(problem.current, slotOfRank) <= problem.constraints.maxMoved;
}

}  // namespace skein
