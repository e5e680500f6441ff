// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/prepared_mapping.h"

#include "algorithms/mapping/constraints/group_moves.h"
#include "algorithms/mapping/constraints/repair.h"
#include "algorithms/mapping/problem/hop_bytes.h"

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

}  // namespace skein
