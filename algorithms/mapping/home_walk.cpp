// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/home_walk.h"

#include "algorithms/mapping/hop_bytes.h"

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
        if (!prepared_.rules.allowed(rankAt_, slotOf_[first.rank], problem_.current[first.rank], 0)) continue;
        goHome(first.rank);
        return true;
    }
    return false;
}

bool HomeWalk::mayGo(std::uint32_t rank) const
{
    const std::uint32_t home = problem_.current[rank], other = rankAt_[home];
    const auto grouped = [&](std::uint32_t of) { return prepared_.groupOfRank[of] != kNoRank; };
    return away(rank) && prepared_.usable[home] && !grouped(rank) && (other == kNoRank || !grouped(other));
}

HomeWalk::WayHome HomeWalk::weighed(std::uint32_t rank) const
{
    const std::uint32_t from = slotOf_[rank], home = problem_.current[rank], other = rankAt_[home];
    const std::int64_t change = hopBytesChange(problem_.flow, problem_.distances, slotOf_, rankAt_,
                                               problem_.ranksPerNode, from, home);
    const bool both = other != kNoRank && problem_.current[other] == from;
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

void HomeWalk::goHome(std::uint32_t rank)
{
    const std::uint32_t from = slotOf_[rank], home = problem_.current[rank], other = rankAt_[home];
    hopBytes_ += hopBytesChange(problem_.flow, problem_.distances, slotOf_, rankAt_, problem_.ranksPerNode,
                                from, home);
    std::swap(rankAt_[from], rankAt_[home]);
    slotOf_[rank] = home;
    --moved_;
    if (other != kNoRank) {
        slotOf_[other] = from;
        if (!away(other)) --moved_;
        if (mayGo(other)) ways_.push(weighed(other));
        weighPeers(other);
    }
    swaps_.push_back({from, home});
    weighPeers(rank);
}

}  // namespace skein
