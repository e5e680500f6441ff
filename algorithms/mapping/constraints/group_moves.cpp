// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/group_moves.h"

#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/problem/hop_bytes.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr int kPasses = 20;
constexpr std::uint32_t kOtherNodes = 64;
constexpr std::size_t kPeerNodes = 256;

class GroupMover {
public:
    GroupMover(const MappingProblem& problem, std::span<const std::uint8_t> usable,
               std::vector<std::uint32_t>& slotOfRank)
        : problem_(problem),
          usable_(usable),
          slotOf_(slotOfRank),
          rankAt_(ranksOfSlots(slotOfRank, problem.slots())),
          held_(problem.flow.ranks, 0),
          groups_(joinedGroups(problem.constraints.together, problem.flow.ranks)),
          apart_(problem.constraints.apart, problem.flow.ranks),
          random_(1)
    {
        for (const std::uint32_t rank : problem.constraints.pinned) held_[rank] = 1;
    }

    void run(const Task& task)
    {
        const std::vector<std::vector<std::uint32_t>> groups = freeGroups();
        for (const auto& group : groups_) {
            for (const std::uint32_t rank : group) held_[rank] = 1;
        }
        moved_ = countMoved(problem_.current, slotOf_);
        bool changed = true;
        for (int pass = 0; pass < kPasses && changed; ++pass) {
            changed = false;
            for (const auto& group : groups) {
                if (task.stopRequested()) return;
                changed = moveToBest(group) || changed;
            }
        }
    }

private:
    std::vector<std::vector<std::uint32_t>> freeGroups() const
    {
        std::vector<std::vector<std::uint32_t>> groups;
        for (const auto& group : groups_) {
            if (std::none_of(group.begin(), group.end(),
                             [&](std::uint32_t rank) { return held_[rank] != 0; }))
                groups.push_back(group);
        }
        return groups;
    }
    std::uint32_t nodeOf(std::uint32_t rank) const { return slotOf_[rank] / problem_.ranksPerNode; }

    std::vector<std::uint32_t> candidates(const std::vector<std::uint32_t>& group)
    {
        std::vector<std::uint32_t> nodes;
        for (const std::uint32_t rank : group) {
            for (std::uint32_t entry = problem_.flow.first[rank];
                 entry < problem_.flow.first[rank + 1] && nodes.size() < kPeerNodes; ++entry) {
                nodes.push_back(nodeOf(problem_.flow.peer[entry]));
            }
        }
        for (std::uint32_t i = 0; i < kOtherNodes; ++i)
            nodes.push_back(random_.below(problem_.distances.nodes()));
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return nodes;
    }
    /// As many slots of the node as the group needs, empty ones first; none where there are too few.
    std::vector<std::uint32_t> roomOn(std::uint32_t node, std::size_t wanted) const
    {
        std::vector<std::uint32_t> slots;
        for (const bool empty : {true, false}) {
            for (std::uint32_t slot = node * problem_.ranksPerNode;
                 slot < (node + 1) * problem_.ranksPerNode && slots.size() < wanted; ++slot) {
                const std::uint32_t rank = rankAt_[slot];
                if (usable_[slot] && (rank == kNoRank) == empty && (empty || !held_[rank]))
                    slots.push_back(slot);
            }
        }
        if (slots.size() < wanted) slots.clear();
        return slots;
    }
    bool limitHolds() const { return moved_ <= problem_.constraints.maxMoved; }
    /// Are the ranks on the node of a slot allowed to be there together?
    bool apartHolds(std::uint32_t slotOfNode) const
    {
        if (apart_.empty()) return true;
        const std::uint32_t begin = slotOfNode / problem_.ranksPerNode * problem_.ranksPerNode;
        for (std::uint32_t a = begin; a < begin + problem_.ranksPerNode; ++a) {
            for (std::uint32_t b = begin; b < a; ++b) {
                if (rankAt_[a] != kNoRank && rankAt_[b] != kNoRank && apart_.conflict(rankAt_[a], rankAt_[b]))
                    return false;
            }
        }
        return true;
    }
    std::uint32_t awayAt(std::uint32_t slot) const
    {
        return rankAt_[slot] != kNoRank && problem_.current[rankAt_[slot]] != slot ? 1u : 0u;
    }
    std::int64_t exchange(std::uint32_t slot, std::uint32_t other)
    {
        moved_ -= awayAt(slot) + awayAt(other);
        const std::int64_t change = hopBytesChange(problem_.flow, problem_.distances, slotOf_, rankAt_,
                                                   problem_.ranksPerNode, slot, other);
        std::swap(rankAt_[slot], rankAt_[other]);
        for (const std::uint32_t at : {slot, other}) {
            if (rankAt_[at] != kNoRank) slotOf_[rankAt_[at]] = at;
        }
        moved_ += awayAt(slot) + awayAt(other);
        return change;
    }
    /// What the block's move adds; it is done afterwards.
    std::int64_t move(const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to)
    {
        std::int64_t change = 0;
        for (std::size_t i = 0; i < from.size(); ++i) change += exchange(from[i], to[i]);
        return change;
    }
    bool moveToBest(const std::vector<std::uint32_t>& group)
    {
        std::vector<std::uint32_t> from, best;
        for (const std::uint32_t rank : group) from.push_back(slotOf_[rank]);
        std::int64_t bestChange = 0;
        for (const std::uint32_t node : candidates(group)) {
            if (node == nodeOf(group.front())) continue;
            const std::vector<std::uint32_t> to = roomOn(node, group.size());
            if (to.empty()) continue;
            const std::int64_t change = move(from, to);
            const bool kept =
                change < bestChange && limitHolds() && apartHolds(from.front()) && apartHolds(to.front());
            move(to, from);
            if (!kept) continue;
            bestChange = change;
            best = to;
        }
        if (!best.empty()) move(from, best);
        return !best.empty();
    }

    const MappingProblem& problem_;
    std::span<const std::uint8_t> usable_;
    std::vector<std::uint32_t>& slotOf_;
    std::vector<std::uint32_t> rankAt_;
    std::vector<std::uint8_t> held_;  ///< ranks that no block may displace
    const std::vector<std::vector<std::uint32_t>> groups_;
    const ApartGroups apart_;
    std::uint32_t moved_ = 0;  ///< ranks that are elsewhere than in the current placement
    Random random_;
};

}  // namespace

void moveGroups(const MappingProblem& problem, std::span<const std::uint8_t> usable,
                std::vector<std::uint32_t>& slotOfRank, const Task& task)
{
    GroupMover(problem, usable, slotOfRank).run(task);
}

}  // namespace skein
