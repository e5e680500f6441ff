// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/moved_front.h"

#include "algorithms/mapping/hop_bytes.h"
#include "algorithms/mapping/random.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::uint32_t kSample = 8;
constexpr std::uint64_t kSeed = 1;

/// Keeps points in the order of their moves that lower hop-bytes further than every point before.
std::vector<MovedTradeOff> undominated(std::vector<MovedTradeOff> walked)
{
    std::stable_sort(walked.begin(), walked.end(), [](const MovedTradeOff& a, const MovedTradeOff& b) {
        return a.moved != b.moved ? a.moved < b.moved : a.hopBytes < b.hopBytes;
    });
    std::vector<MovedTradeOff> front;
    for (const MovedTradeOff& point : walked) {
        if (front.empty() || point.hopBytes < front.back().hopBytes) front.push_back(point);
    }
    return front;
}

std::vector<MovedTradeOff> thinned(const std::vector<MovedTradeOff>& front, std::size_t points)
{
    if (front.size() <= points || points < 2) return front;
    std::vector<MovedTradeOff> chosen;
    for (std::size_t i = 0; i < points; ++i) chosen.push_back(front[i * (front.size() - 1) / (points - 1)]);
    return chosen;
}

}  // namespace

std::vector<MovedTradeOff> movedFront(const MappingProblem& problem, std::span<const std::uint32_t> target, std::size_t points)
{
    std::vector<std::uint32_t> slots = problem.current;
    std::vector<std::uint32_t> rankAt = ranksOfSlots(slots, problem.slots());
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t rank = 0; rank < slots.size(); ++rank) {
        if (slots[rank] != target[rank]) waiting.push_back(rank);
    }
    std::int64_t cost = hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode);
    std::uint32_t moved = 0;
    Random random(kSeed);
    std::vector<MovedTradeOff> walked{{0, cost}};
    const auto away = [&](std::uint32_t rank) { return rank != kNoRank && slots[rank] != problem.current[rank] ? 1u : 0u; };
    while (!waiting.empty()) {
        std::size_t best = waiting.size();
        std::int64_t bestChange = 0;
        for (std::uint32_t i = 0; i < kSample; ++i) {
            const std::size_t index = random.below(static_cast<std::uint32_t>(waiting.size()));
            const std::uint32_t rank = waiting[index];
            const std::int64_t change = slots[rank] == target[rank] ? 0 : hopBytesChange(problem.flow, problem.distances, slots, rankAt, problem.ranksPerNode, slots[rank], target[rank]);
            if (best < waiting.size() && change >= bestChange) continue;
            best = index;
            bestChange = change;
        }
        const std::uint32_t rank = waiting[best];
        waiting[best] = waiting.back();
        waiting.pop_back();
        const std::uint32_t from = slots[rank], to = target[rank], other = rankAt[to];
        if (from == to) continue;
        moved -= away(rank) + away(other);
        std::swap(rankAt[from], rankAt[to]);
        slots[rank] = to;
        if (other != kNoRank) slots[other] = from;
        moved += away(rank) + away(other);
        walked.push_back({moved, cost += bestChange});
    }
    return thinned(undominated(std::move(walked)), points);
}

}  // namespace skein
