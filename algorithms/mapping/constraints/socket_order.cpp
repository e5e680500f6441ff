// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/socket_order.h"

#include "algorithms/mapping/constraints/capacity_left.h"

#include <utility>

namespace skein {
namespace {

class SocketOrder {
public:
    SocketOrder(const MappingProblem& problem, std::vector<std::uint32_t>& slotOfRank)
        : problem_(problem),
          usable_(usableSlots(problem, slotOfRank)),
          slotOf_(slotOfRank),
          rankAt_(ranksOfSlots(slotOfRank, problem.slots())),
          moved_(countMoved(problem.current, slotOfRank)),
          pinned_(problem.flow.ranks, 0)
    {
        for (const std::uint32_t rank : problem.constraints.pinned) pinned_[rank] = 1;
    }

    void run(const SearchClock& clock, const Task& task)
    {
        for (std::uint32_t node = 0; node < problem_.distances.nodes(); ++node) {
            for (bool better = true; better;) {
                if (clock.late() || task.stopRequested()) return;
                better = improveNode(node * problem_.ranksPerNode);
            }
        }
    }

private:
    bool improveNode(std::uint32_t begin)
    {
        bool better = false;
        const std::uint32_t end = begin + problem_.ranksPerNode;
        for (std::uint32_t slot = begin; slot < end; ++slot) {
            for (std::uint32_t other = slot + 1; other < end; ++other) {
                if (!mayExchange(slot, other) || gain(slot, other) <= 0) continue;
                exchange(slot, other);
                better = true;
            }
        }
        return better;
    }
    bool mayExchange(std::uint32_t slot, std::uint32_t other) const
    {
        if (rankAt_[slot] == rankAt_[other] || problem_.socketOf(slot) == problem_.socketOf(other))
            return false;
        return isOpen(slot) && isOpen(other)
            && (problem_.constraints.maxMoved >= problem_.flow.ranks || staysWithin(slot, other));
    }
    bool isOpen(std::uint32_t slot) const
    {
        return usable_[slot] && (rankAt_[slot] == kNoRank || !pinned_[rankAt_[slot]]);
    }
    bool staysWithin(std::uint32_t slot, std::uint32_t other) const
    {
        return std::int64_t{moved_} + movedChange(slot, other) <= problem_.constraints.maxMoved;
    }
    std::int64_t movedChange(std::uint32_t slot, std::uint32_t other) const
    {
        std::int64_t more = 0;
        for (const auto& [from, to] : {std::pair(slot, other), std::pair(other, slot)}) {
            if (rankAt_[from] == kNoRank) continue;
            const std::uint32_t home = problem_.current[rankAt_[from]];
            more += static_cast<int>(home != to) - static_cast<int>(home != from);
        }
        return more;
    }
    /// Bytes that no longer pass between sockets; what the two send each other stays between them.
    std::int64_t gain(std::uint32_t slot, std::uint32_t other) const
    {
        return pull(slot, other) + pull(other, slot);
    }
    /// What the rank of `from` exchanges with its node's ranks on the socket of `to`, less that with those on
    /// its own.
    std::int64_t pull(std::uint32_t from, std::uint32_t to) const
    {
        const std::uint32_t rank = rankAt_[from];
        if (rank == kNoRank) return 0;
        const std::uint32_t here = problem_.socketOf(from), there = problem_.socketOf(to);
        std::int64_t sum = 0;
        for (std::uint32_t entry = problem_.flow.first[rank]; entry < problem_.flow.first[rank + 1];
             ++entry) {
            const std::uint32_t slot = slotOf_[problem_.flow.peer[entry]];
            const std::uint32_t socket = problem_.socketOf(slot);
            if (socket == there && slot != to) sum += problem_.flow.both(entry);
            if (socket == here) sum -= problem_.flow.both(entry);
        }
        return sum;
    }
    void exchange(std::uint32_t slot, std::uint32_t other)
    {
        moved_ = static_cast<std::uint32_t>(std::int64_t{moved_} + movedChange(slot, other));
        std::swap(rankAt_[slot], rankAt_[other]);
        if (rankAt_[slot] != kNoRank) slotOf_[rankAt_[slot]] = slot;
        if (rankAt_[other] != kNoRank) slotOf_[rankAt_[other]] = other;
    }

    const MappingProblem& problem_;
    const std::vector<std::uint8_t> usable_;
    std::vector<std::uint32_t>& slotOf_;
    std::vector<std::uint32_t> rankAt_;
    std::uint32_t moved_;
    std::vector<std::uint8_t> pinned_;
};

}  // namespace

std::int64_t bytesBetweenSockets(const MappingProblem& problem, std::span<const std::uint32_t> slotOfRank)
{
    std::int64_t bytes = 0;
    for (std::uint32_t rank = 0; rank < problem.flow.ranks; ++rank) {
        const std::uint32_t slot = slotOfRank[rank];
        for (std::uint32_t entry = problem.flow.first[rank]; entry < problem.flow.first[rank + 1]; ++entry) {
            const std::uint32_t other = slotOfRank[problem.flow.peer[entry]];
            const bool sameNode = slot / problem.ranksPerNode == other / problem.ranksPerNode;
            if (sameNode && problem.socketOf(slot) != problem.socketOf(other))
                bytes += problem.flow.sent[entry];
        }
    }
    return bytes;
}

void orderSockets(const MappingProblem& problem, std::vector<std::uint32_t>& slotOfRank,
                  const SearchClock& clock, const Task& task)
{
    if (problem.socketsPerNode() > 1) SocketOrder(problem, slotOfRank).run(clock, task);
}

}  // namespace skein
