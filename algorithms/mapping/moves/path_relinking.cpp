// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/moves/path_relinking.h"

#include "algorithms/mapping/problem/hop_bytes.h"

#include <algorithm>
#include <utility>

namespace skein {

PathRelinking::PathRelinking(const MappingProblem& problem, const PreparedMapping& prepared,
                             std::vector<std::uint32_t> slotOfRank, std::size_t evaluations)
    : problem_(problem),
      prepared_(prepared),
      slotOf_(std::move(slotOfRank)),
      rankAt_(ranksOfSlots(slotOf_, problem.slots())),
      moved_(countMoved(problem.current, slotOf_)),
      hopBytes_(skein::hopBytes(problem.flow, problem.distances, slotOf_, problem.ranksPerNode))
{
    peersPerStep_ = moved_ == 0 ? 0 : evaluations / moved_ / 2;
    for (std::uint32_t rank = 0; rank < slotOf_.size(); ++rank) {
        if (mayReturn(rank)) returns_.push(evaluated(rank));
    }
}

bool PathRelinking::step()
{
    while (!returns_.empty()) {
        const Return first = returns_.top();
        returns_.pop();
        if (!mayReturn(first.rank)) continue;
        const Return now = evaluated(first.rank);
        if (!returns_.empty() && now > returns_.top() && now > first) {
            returns_.push(now);
            continue;
        }
        if (!prepared_.rules.allowed(rankAt_, slotOf_[first.rank], slotToLeave(first.rank), 0)) continue;
        returnRank(first.rank);
        return true;
    }
    return false;
}

bool PathRelinking::mayReturn(std::uint32_t rank) const
{
    return away(rank) && !grouped(rank) && slotToLeave(rank) != kNoRank;
}

/// The slot whose rank makes room for one that goes home: its home, but where its node or socket holds fewer
/// ranks than it did, any that no rank of the node has. kNoRank where there is none.
std::uint32_t PathRelinking::slotToLeave(std::uint32_t rank) const
{
    const std::uint32_t home = problem_.current[rank], other = rankAt_[home];
    const bool wide = prepared_.rules.wideHomes();
    if (wide && other == kNoRank) return slotOnFullPlace(home);
    if (other != kNoRank && grouped(other)) return kNoRank;
    return wide || prepared_.usable[home] ? home : kNoRank;
}

std::uint32_t PathRelinking::slotOnFullPlace(std::uint32_t home) const
{
    const std::uint32_t begin = home / problem_.ranksPerNode * problem_.ranksPerNode;
    const std::uint32_t place = prepared_.rules.placeOf(home);
    std::uint32_t room = 0, held = 0, guest = kNoRank;
    for (std::uint32_t slot = begin; slot < begin + problem_.ranksPerNode; ++slot) {
        if (prepared_.rules.placeOf(slot) != place) continue;
        room += prepared_.usable[slot];
        const std::uint32_t rank = rankAt_[slot];
        if (rank == kNoRank) continue;
        ++held;
        const bool athome = prepared_.rules.placeOf(problem_.current[rank]) == place;
        if (guest == kNoRank && !athome && !grouped(rank)) guest = slot;
    }
    return held < room ? home : guest;
}

PathRelinking::Return PathRelinking::evaluated(std::uint32_t rank) const
{
    const std::uint32_t from = slotOf_[rank], to = slotToLeave(rank), other = rankAt_[to];
    const std::int64_t change =
        hopBytesChange(problem_.flow, problem_.distances, slotOf_, rankAt_, problem_.ranksPerNode, from, to);
    const bool both =
        other != kNoRank && prepared_.rules.placeOf(problem_.current[other]) == prepared_.rules.placeOf(from);
    return {static_cast<double>(change) / (both ? 2.0 : 1.0), rank};
}

/// The heaviest peers are not known to be first; any of them are better than none.
void PathRelinking::evaluatePeers(std::uint32_t rank)
{
    const std::size_t count = std::min<std::size_t>(peersPerStep_, problem_.flow.degree(rank));
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t peer = problem_.flow.peer[problem_.flow.first[rank] + i];
        if (mayReturn(peer)) returns_.push(evaluated(peer));
    }
}

void PathRelinking::exchange(std::uint32_t slot, std::uint32_t other)
{
    hopBytes_ += hopBytesChange(problem_.flow, problem_.distances, slotOf_, rankAt_, problem_.ranksPerNode,
                                slot, other);
    for (const std::uint32_t at : {slot, other})
        moved_ -= rankAt_[at] != kNoRank && away(rankAt_[at]) ? 1 : 0;
    std::swap(rankAt_[slot], rankAt_[other]);
    for (const std::uint32_t at : {slot, other}) {
        if (rankAt_[at] == kNoRank) continue;
        slotOf_[rankAt_[at]] = at;
        moved_ += away(rankAt_[at]) ? 1 : 0;
    }
    swaps_.push_back({slot, other});
}

void PathRelinking::returnRank(std::uint32_t rank)
{
    const std::uint32_t from = slotOf_[rank], to = slotToLeave(rank), other = rankAt_[to];
    exchange(from, to);
    if (away(rank)) exchange(to, problem_.current[rank]);
    if (other != kNoRank) {
        const std::uint32_t home = problem_.current[other];
        const bool beside = prepared_.rules.placeOf(home) == prepared_.rules.placeOf(from);
        if (beside && away(other)) exchange(from, home);
        if (mayReturn(other)) returns_.push(evaluated(other));
        evaluatePeers(other);
    }
    evaluatePeers(rank);
}

}  // namespace skein
