// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/moves/home_walk.h"

#include "algorithms/mapping/problem/hop_bytes.h"

#include <algorithm>
#include <utility>

namespace skein {

HomeWalk::HomeWalk(const MappingProblem& problem, const PreparedMapping& prepared,
                   std::vector<std::uint32_t> slotOfRank, std::size_t weighings)
    : problem_(problem),
      prepared_(prepared),
      slotOf_(std::move(slotOfRank)),
      rankAt_(ranksOfSlots(slotOf_, problem.slots())),
      moved_(countMoved(problem.current, slotOf_)),
      hopBytes_(skein::hopBytes(problem.flow, problem.distances, slotOf_, problem.ranksPerNode))
{
    peersOfStep_ = moved_ == 0 ? 0 : weighings / moved_ / 2;
    for (std::uint32_t rank = 0; rank < slotOf_.size(); ++rank) {
        if (mayGo(rank)) ways_.push(weighed(rank));
    }
}

bool HomeWalk::step()
{
    while (!ways_.empty()) {
        const WayHome first = ways_.top();
        ways_.pop();
        if (!mayGo(first.rank)) continue;
        const WayHome now = weighed(first.rank);
        if (!ways_.empty() && now > ways_.top() && now > first) {
            ways_.push(now);
            continue;
        }
        if (!prepared_.rules.allowed(rankAt_, slotOf_[first.rank], slotToLeave(first.rank), 0)) continue;
        goHome(first.rank);
        return true;
    }
    return false;
}

bool HomeWalk::mayGo(std::uint32_t rank) const
{
    return away(rank) && !grouped(rank) && slotToLeave(rank) != kNoRank;
}

/// The slot whose rank makes room for one that goes home: its home, but where its node or socket holds fewer
/// ranks than it did, any that no rank of the node has. kNoRank where there is none.
std::uint32_t HomeWalk::slotToLeave(std::uint32_t rank) const
{
    const std::uint32_t home = problem_.current[rank], other = rankAt_[home];
    const bool wide = prepared_.rules.wideHomes();
    if (wide && other == kNoRank) return slotOnFullPlace(home);
    if (other != kNoRank && grouped(other)) return kNoRank;
    return wide || prepared_.usable[home] ? home : kNoRank;
}

std::uint32_t HomeWalk::slotOnFullPlace(std::uint32_t home) const
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

HomeWalk::WayHome HomeWalk::weighed(std::uint32_t rank) const
{
    const std::uint32_t from = slotOf_[rank], to = slotToLeave(rank), other = rankAt_[to];
    const std::int64_t change =
        hopBytesChange(problem_.flow, problem_.distances, slotOf_, rankAt_, problem_.ranksPerNode, from, to);
    const bool both =
        other != kNoRank && prepared_.rules.placeOf(problem_.current[other]) == prepared_.rules.placeOf(from);
    return {static_cast<double>(change) / (both ? 2.0 : 1.0), rank};
}

/// The heaviest peers are not known to be first; any of them are better than none.
void HomeWalk::weighPeers(std::uint32_t rank)
{
    const std::size_t count = std::min<std::size_t>(peersOfStep_, problem_.flow.degree(rank));
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t peer = problem_.flow.peer[problem_.flow.first[rank] + i];
        if (mayGo(peer)) ways_.push(weighed(peer));
    }
}

void HomeWalk::exchange(std::uint32_t slot, std::uint32_t other)
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

void HomeWalk::goHome(std::uint32_t rank)
{
    const std::uint32_t from = slotOf_[rank], to = slotToLeave(rank), other = rankAt_[to];
    exchange(from, to);
    if (away(rank)) exchange(to, problem_.current[rank]);
    if (other != kNoRank) {
        const std::uint32_t home = problem_.current[other];
        const bool beside = prepared_.rules.placeOf(home) == prepared_.rules.placeOf(from);
        if (beside && away(other)) exchange(from, home);
        if (mayGo(other)) ways_.push(weighed(other));
        weighPeers(other);
    }
    weighPeers(rank);
}

}  // namespace skein
