// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/mapping_problem.h"

#include "algorithms/mapping/group_moves.h"
#include "algorithms/mapping/hop_bytes.h"
#include "algorithms/mapping/repair.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

Unexpected invalid(std::string message) { return fail(ErrorCode::InvalidArgument, std::move(message)); }

Result<void> checkRanks(const MappingProblem& problem, std::span<const std::uint32_t> ranks)
{
    for (const std::uint32_t rank : ranks) {
        if (rank >= problem.flow.ranks)
            return invalid(fmt::format("There is no rank {}; there are {} ranks.", rank, problem.flow.ranks));
    }
    return {};
}

Result<void> checkRanksAndSlots(const MappingProblem& problem)
{
    if (problem.ranksPerNode == 0) return invalid("A node must hold at least one rank.");
    if (problem.current.size() != problem.flow.ranks)
        return invalid("The current placement does not name a slot for every rank.");
    std::vector<std::uint8_t> used(problem.slots(), 0);
    for (std::uint32_t rank = 0; rank < problem.flow.ranks; ++rank) {
        const std::uint32_t slot = problem.current[rank];
        if (slot >= used.size()) return invalid(fmt::format("Rank {} is placed outside the machine.", rank));
        if (used[slot]++) return invalid(fmt::format("Rank {} is placed where another rank is.", rank));
    }
    return {};
}

Result<void> checkConstraints(const MappingProblem& problem)
{
    const MappingConstraints& constraints = problem.constraints;
    if (const auto fine = checkRanks(problem, constraints.pinned); !fine) return fine;
    for (const auto& group : constraints.together) {
        if (const auto fine = checkRanks(problem, group); !fine) return fine;
    }
    for (const auto& group : joinedGroups(constraints.together, problem.flow.ranks)) {
        if (group.size() > problem.ranksPerNode) {
            return invalid(fmt::format("{} ranks shall stay together, but a node holds {}.", group.size(),
                                       problem.ranksPerNode));
        }
    }
    for (const auto& group : constraints.apart) {
        if (const auto fine = checkRanks(problem, group); !fine) return fine;
    }
    for (const std::uint32_t node : constraints.freeNodes) {
        if (node >= problem.distances.nodes()) return invalid(fmt::format("There is no node {}.", node));
    }
    const std::size_t nodes = problem.distances.nodes();
    if (!constraints.nodeCapacity.empty() && constraints.nodeCapacity.size() != nodes)
        return invalid("Capacities must be given for every node.");
    const bool limitsSockets = !constraints.socketCapacity.empty();
    if (limitsSockets && constraints.socketCapacity.size() != nodes * problem.socketsPerNode())
        return invalid("Capacities must be given for every socket.");
    if (!problem.openNodes.empty() && problem.openNodes.size() != nodes)
        return invalid("The list of usable nodes must name every node.");
    return {};
}

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

/// The part of the machine whose slots are alike for a rank that is at home there.
std::vector<std::uint32_t> placesOfSlots(const MappingProblem& problem)
{
    const bool socketsHold = !problem.constraints.socketCapacity.empty();
    std::vector<std::uint32_t> places(problem.slots());
    for (std::uint32_t slot = 0; slot < places.size(); ++slot)
        places[slot] = socketsHold ? problem.socketOf(slot) : slot / problem.ranksPerNode;
    return places;
}

/// Slots for the ranks to go home to: their own, or another of the same place where that one is left over.
std::vector<std::uint32_t> usableHomes(const MappingProblem& problem, std::span<const std::uint8_t> usable)
{
    std::vector<std::uint32_t> homes = problem.current;
    const bool socketsHold = !problem.constraints.socketCapacity.empty();
    for (std::uint32_t& home : homes) {
        if (usable[home]) continue;
        const std::uint32_t begin = home / problem.ranksPerNode * problem.ranksPerNode;
        for (std::uint32_t turn = 1; turn < problem.ranksPerNode; ++turn) {
            const std::uint32_t slot = begin + (home - begin + turn) % problem.ranksPerNode;
            if (!usable[slot] || (socketsHold && problem.socketOf(slot) != problem.socketOf(home))) continue;
            home = slot;
            break;
        }
    }
    return homes;
}

}  // namespace

Result<PreparedMapping> prepareMapping(const MappingProblem& problem, GroupPlaces places, const Task& task)
{
    if (const auto fine = checkRanksAndSlots(problem); !fine) return Unexpected(fine.error());
    if (const auto fine = checkConstraints(problem); !fine) return Unexpected(fine.error());
    if (const auto fine = checkRange(problem.flow, problem.distances); !fine) return Unexpected(fine.error());
    auto repaired = repairPlacement(problem, task);
    if (!repaired) return Unexpected(repaired.error());
    const std::vector<std::uint8_t> usable = std::move(repaired->usable);
    std::vector<std::uint32_t> start = std::move(repaired->slotOfRank);
    const std::vector<std::vector<std::uint32_t>> together =
        joinedGroups(problem.constraints.together, problem.flow.ranks);
    if (places == GroupPlaces::Searched && !together.empty()) moveGroups(problem, usable, start, task);
    PreparedMapping prepared;
    prepared.start = std::move(start);
    prepared.startIsCurrent = prepared.start == problem.current;
    std::vector<std::uint8_t> fixed(usable.size());
    for (std::size_t slot = 0; slot < usable.size(); ++slot) fixed[slot] = usable[slot] ? 0 : 1;
    for (const std::uint32_t rank : problem.constraints.pinned) fixed[prepared.start[rank]] = 1;
    prepared.groupOfRank.assign(problem.flow.ranks, kNoRank);
    for (std::uint32_t group = 0; group < together.size(); ++group) {
        for (const std::uint32_t rank : together[group]) prepared.groupOfRank[rank] = group;
    }
    for (std::uint32_t rank = 0; rank < problem.flow.ranks; ++rank) {
        if (prepared.groupOfRank[rank] != kNoRank) fixed[prepared.start[rank]] = 1;
    }
    prepared.openSlots = static_cast<std::uint32_t>(std::count(fixed.begin(), fixed.end(), std::uint8_t{0}));
    prepared.rules = SwapRules(std::move(fixed), problem.ranksPerNode);
    prepared.usable = usable;
    prepared.rules.keepApart(ApartGroups(problem.constraints.apart, problem.flow.ranks));
    if (problem.constraints.maxMoved < problem.flow.ranks) {
        if (countMoved(problem.current, prepared.start) > problem.constraints.maxMoved) {
            return invalid(fmt::format("Meeting the other constraints moves more than {} ranks.",
                                       problem.constraints.maxMoved));
        }
        prepared.rules.limitMoves(usableHomes(problem, usable), problem.constraints.maxMoved);
    }
    const auto hasHome = [&](std::uint32_t slot) { return prepared.usable[slot] != 0; };
    if (!std::all_of(problem.current.begin(), problem.current.end(), hasHome))
        prepared.rules.widenHomes(placesOfSlots(problem));
    return prepared;
}

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
