// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/mapping_problem.h"

#include "algorithms/mapping/group_moves.h"
#include "algorithms/mapping/hop_bytes.h"

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

/// How many more ranks nodes and sockets may hold.
class RoomLeft {
public:
    explicit RoomLeft(const MappingProblem& problem)
        : problem_(problem),
          onNode_(problem.constraints.nodeCapacity),
          onSocket_(problem.constraints.socketCapacity)
    {
        if (onNode_.empty()) onNode_.assign(problem.distances.nodes(), problem.ranksPerNode);
        for (std::size_t node = 0; node < problem.openNodes.size(); ++node)
            onNode_[node] = problem.openNodes[node] ? onNode_[node] : 0;
        for (const std::uint32_t node : problem.constraints.freeNodes) onNode_[node] = 0;
    }

    /// Takes a slot for a rank; false where its node or socket is full.
    bool take(std::uint32_t slot)
    {
        std::uint32_t& node = onNode_[slot / problem_.ranksPerNode];
        if (node == 0) return false;
        if (!onSocket_.empty()) {
            std::uint32_t& socket = onSocket_[problem_.socketOf(slot)];
            if (socket == 0) return false;
            --socket;
        }
        --node;
        return true;
    }

private:
    const MappingProblem& problem_;
    std::vector<std::uint32_t> onNode_;
    std::vector<std::uint32_t> onSocket_;
};

/// 1 for slots that ranks may take: as many as nodes and sockets hold. Those of pinned ranks come first, then
/// those of others, so that a rank within the capacities need not move. Which slots of a socket are left over
/// costs nothing.
std::vector<std::uint8_t> usableSlots(const MappingProblem& problem)
{
    enum : std::uint8_t { kPinned, kHeld, kEmpty };
    std::vector<std::uint8_t> turn(problem.slots(), kEmpty);
    for (const std::uint32_t slot : problem.current) turn[slot] = kHeld;
    for (const std::uint32_t rank : problem.constraints.pinned) turn[problem.current[rank]] = kPinned;
    std::vector<std::uint8_t> usable(turn.size(), 0);
    RoomLeft room(problem);
    for (const std::uint8_t now : {kPinned, kHeld, kEmpty}) {
        for (std::uint32_t slot = 0; slot < turn.size(); ++slot) {
            if (turn[slot] == now && room.take(slot)) usable[slot] = 1;
        }
    }
    return usable;
}

/// Moves ranks into a placement that meets the constraints, one unit (a group or a single rank) after the
/// other.
class Repair {
public:
    Repair(const MappingProblem& problem, std::span<const std::uint8_t> usable)
        : problem_(problem),
          usable_(usable),
          together_(joinedGroups(problem.constraints.together, problem.flow.ranks)),
          apart_(problem.constraints.apart, problem.flow.ranks),
          rankAt_(problem.slots(), kNoRank),
          result_(problem.flow.ranks, kNoRank)
    {
    }

    /// Pinned ranks first, then ranks that can stay, then groups, then the others to the nearest free slot.
    Result<std::vector<std::uint32_t>> run()
    {
        for (const std::uint32_t rank : problem_.constraints.pinned) {
            if (!usable_[problem_.current[rank]])
                return invalid(
                    fmt::format("Rank {} is pinned to a node or socket that has no room for it.", rank));
            if (!apartAllows(rank, nodeOf(problem_.current[rank])))
                return invalid(
                    fmt::format("Rank {} is pinned beside a rank that it must stay apart from.", rank));
            put(rank, problem_.current[rank]);
        }
        for (const auto& group : together_) {
            if (!placeGroup(group))
                return invalid("The ranks that shall stay together find no node with room for all.");
        }
        for (std::uint32_t rank = 0; rank < problem_.flow.ranks; ++rank) {
            const std::uint32_t slot = problem_.current[rank];
            if (result_[rank] == kNoRank && fits(rank, slot)) put(rank, slot);
        }
        for (std::uint32_t rank = 0; rank < problem_.flow.ranks; ++rank) {
            if (result_[rank] == kNoRank && !placeNearby(rank))
                return invalid(fmt::format("Rank {} finds no place within the constraints.", rank));
        }
        return result_;
    }

private:
    std::uint32_t nodeOf(std::uint32_t slot) const { return slot / problem_.ranksPerNode; }
    bool apartAllows(std::uint32_t rank, std::uint32_t node) const
    {
        if (!apart_.concerns(rank)) return true;
        for (std::uint32_t slot = node * problem_.ranksPerNode; slot < (node + 1) * problem_.ranksPerNode;
             ++slot) {
            if (rankAt_[slot] != kNoRank && apart_.conflict(rankAt_[slot], rank)) return false;
        }
        return true;
    }
    bool fits(std::uint32_t rank, std::uint32_t slot) const
    {
        return usable_[slot] && rankAt_[slot] == kNoRank && apartAllows(rank, nodeOf(slot));
    }
    void put(std::uint32_t rank, std::uint32_t slot)
    {
        rankAt_[slot] = rank;
        result_[rank] = slot;
    }
    bool tryGroupOn(const std::vector<std::uint32_t>& group, std::uint32_t node)
    {
        std::vector<std::uint32_t> placed;
        for (const std::uint32_t rank : group) {
            if (result_[rank] != kNoRank && nodeOf(result_[rank]) == node) continue;
            std::uint32_t slot = problem_.current[rank];
            if (nodeOf(slot) != node || !fits(rank, slot)) slot = freeSlotOn(rank, node);
            if (result_[rank] != kNoRank || slot == kNoRank) return undo(placed);
            put(rank, slot);
            placed.push_back(rank);
        }
        return true;
    }
    bool undo(const std::vector<std::uint32_t>& placed)
    {
        for (const std::uint32_t rank : placed) {
            rankAt_[result_[rank]] = kNoRank;
            result_[rank] = kNoRank;
        }
        return false;
    }
    std::uint32_t freeSlotOn(std::uint32_t rank, std::uint32_t node) const
    {
        for (std::uint32_t slot = node * problem_.ranksPerNode; slot < (node + 1) * problem_.ranksPerNode;
             ++slot) {
            if (fits(rank, slot)) return slot;
        }
        return kNoRank;
    }
    std::vector<std::uint32_t> nodesNear(std::uint32_t node) const
    {
        std::vector<std::uint32_t> nodes(problem_.distances.nodes());
        std::vector<std::uint32_t> hops(nodes.size());
        for (std::uint32_t other = 0; other < nodes.size(); ++other) {
            nodes[other] = other;
            hops[other] = problem_.distances.between(node, other);
        }
        std::stable_sort(nodes.begin(), nodes.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return hops[a] < hops[b]; });
        return nodes;
    }
    bool placeGroup(const std::vector<std::uint32_t>& group)
    {
        for (const std::uint32_t rank : group) {
            if (tryGroupOn(group, nodeOf(problem_.current[rank]))) return true;
        }
        for (const std::uint32_t node : nodesNear(nodeOf(problem_.current[group.front()]))) {
            if (tryGroupOn(group, node)) return true;
        }
        return false;
    }
    bool placeNearby(std::uint32_t rank)
    {
        std::uint32_t best = kNoRank, bestHops = kNoRank;
        for (std::uint32_t slot = 0; slot < usable_.size(); ++slot) {
            if (!fits(rank, slot)) continue;
            const std::uint32_t hops =
                problem_.distances.between(nodeOf(problem_.current[rank]), nodeOf(slot));
            if (hops >= bestHops) continue;
            best = slot;
            bestHops = hops;
        }
        if (best == kNoRank) return false;
        put(rank, best);
        return true;
    }

    const MappingProblem& problem_;
    std::span<const std::uint8_t> usable_;
    const std::vector<std::vector<std::uint32_t>> together_;
    const ApartGroups apart_;
    std::vector<std::uint32_t> rankAt_;
    std::vector<std::uint32_t> result_;
};

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

Result<PreparedMapping> prepareMapping(const MappingProblem& problem, GroupPlaces places)
{
    if (const auto fine = checkRanksAndSlots(problem); !fine) return Unexpected(fine.error());
    if (const auto fine = checkConstraints(problem); !fine) return Unexpected(fine.error());
    if (const auto fine = checkRange(problem.flow, problem.distances); !fine) return Unexpected(fine.error());
    const std::vector<std::uint8_t> usable = usableSlots(problem);
    auto start = Repair(problem, usable).run();
    if (!start) return Unexpected(start.error());
    const std::vector<std::vector<std::uint32_t>> together =
        joinedGroups(problem.constraints.together, problem.flow.ranks);
    if (places == GroupPlaces::Searched && !together.empty()) moveGroups(problem, usable, *start);
    PreparedMapping prepared;
    prepared.start = std::move(*start);
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
        prepared.rules.limitMoves(problem.current, problem.constraints.maxMoved);
    }
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

std::vector<std::uint32_t> keepCores(std::span<const std::uint32_t> before, std::vector<std::uint32_t> after,
                                     std::uint32_t ranksPerNode)
{
    std::uint32_t slots = 0;
    for (std::size_t rank = 0; rank < before.size(); ++rank)
        slots = std::max({slots, before[rank] + 1, after[rank] + 1});
    std::vector<std::uint32_t> rankAt = ranksOfSlots(after, slots);
    for (std::uint32_t rank = 0; rank < before.size(); ++rank) {
        const std::uint32_t slot = after[rank];
        const std::uint32_t home = before[rank];
        if (slot == home || slot / ranksPerNode != home / ranksPerNode || rankAt[home] == kNoRank) continue;
        const std::uint32_t other = rankAt[home];
        std::swap(rankAt[slot], rankAt[home]);
        after[rank] = home;
        after[other] = slot;
    }
    return after;
}

bool satisfies(const MappingProblem& problem, std::span<const std::uint32_t> slotOfRank)
{
    if (slotOfRank.size() != problem.flow.ranks) return false;
    RoomLeft room(problem);
    std::vector<std::uint8_t> taken(problem.slots(), 0);
    for (const std::uint32_t slot : slotOfRank) {
        if (slot >= taken.size() || taken[slot]++ || !room.take(slot)) return false;
    }
    for (const std::uint32_t rank : problem.constraints.pinned) {
        if (slotOfRank[rank] != problem.current[rank]) return false;
    }
    return groupsHold(problem, slotOfRank)
        && countMoved(problem.current, slotOfRank) <= problem.constraints.maxMoved;
}

}  // namespace skein
