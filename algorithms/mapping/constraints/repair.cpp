// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/repair.h"

#include "algorithms/mapping/constraints/capacity_left.h"
#include "algorithms/mapping/constraints/placement_units.h"
#include "algorithms/mapping/constraints/unit_assignment.h"
#include "algorithms/mapping/constraints/unit_flow.h"
#include "algorithms/mapping/constraints/unit_search.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace skein {
namespace {

/// Looks at a node for a unit: some tenths of a second for the search and as much for the exchanges.
constexpr std::uint64_t kSearchEffort = 30'000'000;
constexpr std::uint64_t kExchangeEffort = 30'000'000;
/// Units that a search of all placements is tried for, and groups × nodes that are looked at.
constexpr std::size_t kMostSearchedUnits = 2000;
constexpr std::uint64_t kMostBookEntries = std::uint64_t{1} << 28;
/// Groups × nodes of a flow.
constexpr std::uint64_t kMostFlowArcs = std::uint64_t{1} << 21;

Unexpected unmet(std::string message) { return fail(ErrorCode::InvalidArgument, std::move(message)); }

/// Moves ranks into a placement that meets the constraints, one unit (a group or a single rank) after the
/// other.
class GreedyRepair {
public:
    GreedyRepair(const MappingProblem& problem, std::span<const std::uint8_t> usable, const Task& task)
        : problem_(problem),
          usable_(usable),
          together_(joinedGroups(problem.constraints.together, problem.flow.ranks)),
          apart_(problem.constraints.apart, problem.flow.ranks),
          rankAt_(problem.slots(), kNoRank),
          result_(problem.flow.ranks, kNoRank),
          task_(task)
    {
    }

    /// Pinned ranks first, then ranks that can stay, then groups, then the others to the nearest free slot.
    /// Empty where that leaves a rank without a place.
    Result<std::vector<std::uint32_t>> run()
    {
        if (const auto fine = putPinned(); !fine) return Unexpected(fine.error());
        for (const auto& group : together_) {
            if (task_.stopRequested()) return cancelled();
            if (!placeGroup(group)) return std::vector<std::uint32_t>{};
        }
        for (std::uint32_t rank = 0; rank < problem_.flow.ranks; ++rank) {
            const std::uint32_t slot = problem_.current[rank];
            if (result_[rank] == kNoRank && fits(rank, slot)) put(rank, slot);
        }
        for (std::uint32_t rank = 0; rank < problem_.flow.ranks; ++rank) {
            if (result_[rank] != kNoRank) continue;
            if (task_.stopRequested()) return cancelled();
            if (!placeNearby(rank)) return std::vector<std::uint32_t>{};
        }
        return result_;
    }

private:
    Result<void> putPinned()
    {
        for (const std::uint32_t rank : problem_.constraints.pinned) {
            if (!usable_[problem_.current[rank]])
                return unmet(
                    fmt::format("Rank {} is pinned to a node or socket that has no room for it.", rank));
            if (!apartAllows(rank, nodeOf(problem_.current[rank])))
                return unmet(
                    fmt::format("Rank {} is pinned beside a rank that it must stay apart from.", rank));
            put(rank, problem_.current[rank]);
        }
        return {};
    }
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
    const Task& task_;
};

/// Gives ranks slots on the nodes of their units; ranks that no constraint concerns stay where room is left,
/// the others take the nearest slots. Where the task is stopped some have none.
class UnitPlacer {
public:
    UnitPlacer(const MappingProblem& problem, const PlacementUnits& units,
               const std::vector<std::uint32_t>& nodeOfUnit, const Task& task)
        : problem_(problem),
          task_(task),
          room_(problem),
          slotOf_(problem.flow.ranks, kNoRank),
          taken_(problem.slots(), 0),
          nodeOf_(problem.flow.ranks, kNoRank),
          waiting_(problem.distances.nodes(), 0)
    {
        for (std::size_t unit = 0; unit < units.units.size(); ++unit) {
            for (const std::uint32_t rank : units.units[unit].ranks) {
                nodeOf_[rank] = nodeOfUnit[unit];
                ++waiting_[nodeOfUnit[unit]];
            }
        }
    }

    std::vector<std::uint32_t> run()
    {
        for (const std::uint32_t rank : problem_.constraints.pinned) settle(rank);
        for (std::uint32_t rank = 0; rank < nodeOf_.size(); ++rank) {
            if (nodeOf_[rank] == home(rank)) settle(rank);
        }
        for (std::uint32_t rank = 0; rank < nodeOf_.size(); ++rank) {
            if (nodeOf_[rank] == kNoRank && room_.onNode(home(rank)) > waiting_[home(rank)]) settle(rank);
        }
        for (std::uint32_t rank = 0; rank < nodeOf_.size(); ++rank) {
            if (nodeOf_[rank] != kNoRank && slotOf_[rank] == kNoRank) takeOn(rank, nodeOf_[rank]);
        }
        placeRest();
        return std::move(slotOf_);
    }

private:
    std::uint32_t home(std::uint32_t rank) const { return problem_.current[rank] / problem_.ranksPerNode; }
    /// Leaves a rank where it is, if there is room for it.
    void settle(std::uint32_t rank)
    {
        if (slotOf_[rank] == kNoRank) take(rank, problem_.current[rank]);
    }
    bool take(std::uint32_t rank, std::uint32_t slot)
    {
        if (taken_[slot] || !room_.take(slot)) return false;
        taken_[slot] = 1;
        slotOf_[rank] = slot;
        if (nodeOf_[rank] != kNoRank) --waiting_[nodeOf_[rank]];
        return true;
    }
    bool takeOn(std::uint32_t rank, std::uint32_t node)
    {
        const std::uint32_t end = (node + 1) * problem_.ranksPerNode;
        for (std::uint32_t slot = node * problem_.ranksPerNode; slot < end; ++slot) {
            if (take(rank, slot)) return true;
        }
        return false;
    }
    void placeRest()
    {
        for (std::uint32_t rank = 0; rank < nodeOf_.size(); ++rank) {
            if (slotOf_[rank] != kNoRank) continue;
            if (task_.stopRequested()) return;
            std::pair<std::uint32_t, std::uint32_t> best{kNoRank, kNoRank};
            for (std::uint32_t node = 0; node < problem_.distances.nodes(); ++node) {
                if (room_.onNode(node) > 0)
                    best = std::min(best, {problem_.distances.between(home(rank), node), node});
            }
            if (best.second != kNoRank) takeOn(rank, best.second);
        }
    }

    const MappingProblem& problem_;
    const Task& task_;
    CapacityLeft room_;
    std::vector<std::uint32_t> slotOf_;
    std::vector<std::uint8_t> taken_;
    std::vector<std::uint32_t> nodeOf_;   ///< of ranks in units
    std::vector<std::uint32_t> waiting_;  ///< ranks of units that have no slot on their node yet
};

/// Makes a placement of what a flow tells, where that is one.
std::vector<std::uint32_t> nodesOfFlow(const MappingProblem& problem, const PlacementUnits& units,
                                       const UnitFlow& flow)
{
    std::vector<std::uint32_t> nodeOf(units.units.size(), kNoRank);
    std::vector<std::vector<std::uint32_t>> open(units.groups + 1);
    auto counts = flow.counts;
    for (std::uint32_t unit = 0; unit < nodeOf.size(); ++unit) {
        const PlacementUnit& of = units.units[unit];
        const std::uint32_t group = of.apart.empty() ? units.groups : of.apart.front();
        const std::uint32_t home = problem.current[of.ranks.front()] / problem.ranksPerNode;
        std::uint32_t& here = counts[group][units.siteOfHome.at(home)];
        if (of.node == kNoRank && here == 0) {
            open[group].push_back(unit);
            continue;
        }
        nodeOf[unit] = of.node == kNoRank ? home : of.node;
        if (of.node == kNoRank) --here;
    }
    for (std::uint32_t site = 0; site < units.sites.size(); ++site) {
        const std::vector<std::uint32_t>& nodes = units.sites[site].nodes;
        std::size_t turn = 0;
        for (std::uint32_t group = 0; group < units.groups; ++group) {
            for (; counts[group][site] > 0; --counts[group][site], ++turn) {
                nodeOf[open[group].back()] = nodes[turn % nodes.size()];
                open[group].pop_back();
            }
        }
    }
    return nodeOf;
}

/// Finds a placement where the nearest slots do not do, or what stands against one.
class ThoroughRepair {
public:
    ThoroughRepair(const MappingProblem& problem, const PlacementUnits& units, const Task& task)
        : problem_(problem), units_(units), limit_(problem.constraints.maxMoved), task_(task)
    {
    }

    Result<std::vector<std::uint32_t>> run()
    {
        if (std::uint64_t{units_.groups + 1} * units_.sites.size() <= kMostFlowArcs) {
            const auto flow = flowOfUnits(problem_, units_, task_);
            if (task_.stopRequested()) return cancelled();
            if (!flow) return noPlacement();
            if (flow->moved > limit_) return tooManyMoves(flow->moved);
            if (flowIsExact(units_) && accept(nodesOfFlow(problem_, units_, *flow))) return std::move(found_);
        }
        return searched();
    }

private:
    static Unexpected noPlacement()
    {
        return unmet("No placement meets all constraints: ranks that are kept apart or stay together find "
                     "too few nodes with room.");
    }
    Unexpected tooManyMoves(std::uint32_t moved) const
    {
        return unmet(fmt::format("Meeting the other constraints moves more than {} ranks: at least {}.",
                                 limit_, moved));
    }
    bool accept(const std::vector<std::uint32_t>& nodeOfUnit)
    {
        found_ = UnitPlacer(problem_, units_, nodeOfUnit, task_).run();
        return satisfies(problem_, found_);
    }
    /// All placements where they are few, else exchanges.
    Result<std::vector<std::uint32_t>> searched()
    {
        if (UnitAssignment::entries(units_) > kMostBookEntries)
            return unmet("So many groups of ranks on so many nodes are not searched for a placement.");
        const bool small = units_.units.size() <= kMostSearchedUnits;
        if (small) {
            const UnitNodes fewest =
                searchUnits(problem_, units_, UnitGoal::FewestMoves, limit_, kSearchEffort, task_);
            if (fewest.found && accept(fewest.nodeOfUnit)) return std::move(found_);
            const UnitNodes any = searchUnits(problem_, units_, UnitGoal::Any, kNoRank, kSearchEffort, task_);
            if (any.complete && !any.found) return noPlacement();
            if (fewest.complete && !fewest.found)
                return unmet(fmt::format("Meeting the other constraints moves more than {} ranks.", limit_));
            if (any.found && accept(any.nodeOfUnit)) return std::move(found_);
        }
        const UnitNodes mended = exchangeUnits(problem_, units_, limit_, kExchangeEffort, task_);
        if (mended.found && accept(mended.nodeOfUnit)) return std::move(found_);
        if (task_.stopRequested()) return cancelled();
        return unmet("No placement that meets all constraints was found; that there is none is not proven. "
                     "Fewer groups of ranks, or more room, may help.");
    }

    const MappingProblem& problem_;
    const PlacementUnits& units_;
    const std::uint32_t limit_;
    const Task& task_;
    std::vector<std::uint32_t> found_;
};

}  // namespace

Result<RepairedPlacement> repairPlacement(const MappingProblem& problem, const Task& task)
{
    std::vector<std::uint8_t> usable = usableSlots(problem, {});
    auto near = GreedyRepair(problem, usable, task).run();
    if (!near) return Unexpected(near.error());
    if (!near->empty() && countMoved(problem.current, *near) <= problem.constraints.maxMoved)
        return RepairedPlacement{std::move(*near), std::move(usable)};
    const auto units = makePlacementUnits(problem, usable);
    if (!units) return Unexpected(units.error());
    auto found = ThoroughRepair(problem, *units, task).run();
    if (!found) return Unexpected(found.error());
    usable = usableSlots(problem, *found);
    return RepairedPlacement{std::move(*found), std::move(usable)};
}

}  // namespace skein
