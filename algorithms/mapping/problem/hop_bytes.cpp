// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/problem/hop_bytes.h"

#include "algorithms/mapping/problem/swap_rules.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace skein {
namespace {

/// About so many flows are summed in one go.
constexpr std::size_t kFlowsOfBlock = std::size_t{1} << 15;

std::uint32_t ranksOfBlock(const FlowGraph& flow)
{
    const std::size_t entriesOfRank = flow.entries() / std::max(1u, flow.ranks) + 1;
    return static_cast<std::uint32_t>(std::max<std::size_t>(1, kFlowsOfBlock / entriesOfRank));
}

template <typename Hops>
std::int64_t costOfRanks(const FlowGraph& flow, const Hops& hops, std::span<const std::uint32_t> slotOfRank,
                         std::uint32_t ranksPerNode, std::uint32_t begin, std::uint32_t end)
{
    std::int64_t sum = 0;
    for (std::uint32_t rank = begin; rank < end; ++rank) {
        const std::uint32_t node = slotOfRank[rank] / ranksPerNode;
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry)
            sum += flow.sent[entry] * hops.between(node, slotOfRank[flow.peer[entry]] / ranksPerNode);
    }
    return sum;
}

/// What moving one rank adds, while the rank `partner` is taken to go the opposite way.
template <typename Hops>
std::int64_t moveChange(const FlowGraph& flow, const Hops& hops, std::span<const std::uint32_t> slotOfRank,
                        std::uint32_t ranksPerNode, std::uint32_t rank, std::uint32_t from, std::uint32_t to,
                        std::uint32_t partner)
{
    std::int64_t sum = 0;
    for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
        const std::uint32_t peer = flow.peer[entry];
        if (peer == partner) continue;
        const std::uint32_t there = slotOfRank[peer] / ranksPerNode;
        sum += flow.sent[entry]
            * (std::int64_t{hops.between(to, there)} - std::int64_t{hops.between(from, there)});
        sum += flow.received[entry]
            * (std::int64_t{hops.between(there, to)} - std::int64_t{hops.between(there, from)});
    }
    return sum;
}

/// The two exchange their directions: only asymmetric machines notice.
template <typename Hops>
std::int64_t pairChange(const FlowGraph& flow, const Hops& hops, std::uint32_t rank, std::uint32_t partner,
                        std::uint32_t from, std::uint32_t to)
{
    const auto begin = flow.peer.begin() + flow.first[rank];
    const auto end = flow.peer.begin() + flow.first[rank + 1];
    const auto found = std::lower_bound(begin, end, partner);
    if (found == end || *found != partner) return 0;
    const auto entry = static_cast<std::size_t>(found - flow.peer.begin());
    const std::int64_t turned = std::int64_t{hops.between(to, from)} - std::int64_t{hops.between(from, to)};
    return (flow.sent[entry] - flow.received[entry]) * turned;
}

std::uint32_t largestDistance(const GridDistances& grid)
{
    std::uint32_t sum = 0;
    for (const GridDimension& dimension : grid.dimensions()) sum += dimension.size;
    return sum;
}

template <typename Hops>
std::uint32_t largestDistance(const TableDistances<Hops>&)
{
    return std::uint32_t{std::numeric_limits<Hops>::max()} + 2;
}

std::uint32_t largestDistance(const TreeDistances& tree) { return 2 * tree.levels(); }

}  // namespace

std::int64_t hopBytes(const FlowGraph& flow, const Distances& distances,
                      std::span<const std::uint32_t> slotOfRank, std::uint32_t ranksPerNode)
{
    return distances.visit(
        [&](const auto& hops) { return costOfRanks(flow, hops, slotOfRank, ranksPerNode, 0, flow.ranks); });
}

std::optional<std::int64_t> hopBytes(const FlowGraph& flow, const Distances& distances,
                                     std::span<const std::uint32_t> slotOfRank, std::uint32_t ranksPerNode,
                                     const Task& task)
{
    return distances.visit([&](const auto& hops) -> std::optional<std::int64_t> {
        const std::uint32_t length = ranksOfBlock(flow);
        std::vector<std::int64_t> sums((std::size_t{flow.ranks} + length - 1) / length, 0);
        const bool whole = parallelFor(sums.size(), task, [&](std::size_t block) {
            const auto begin = static_cast<std::uint32_t>(block * length);
            sums[block] = costOfRanks(flow, hops, slotOfRank, ranksPerNode, begin,
                                      begin + std::min(flow.ranks - begin, length));
        });
        if (!whole) return std::nullopt;
        return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
    });
}

std::int64_t hopBytesChange(const FlowGraph& flow, const Distances& distances,
                            std::span<const std::uint32_t> slotOfRank, std::span<const std::uint32_t> rankAt,
                            std::uint32_t ranksPerNode, std::uint32_t slot, std::uint32_t other)
{
    const std::uint32_t from = slot / ranksPerNode;
    const std::uint32_t to = other / ranksPerNode;
    const std::uint32_t rank = rankAt[slot];
    const std::uint32_t partner = rankAt[other];
    return distances.visit([&](const auto& hops) {
        std::int64_t sum = 0;
        if (rank != kNoRank) sum += moveChange(flow, hops, slotOfRank, ranksPerNode, rank, from, to, partner);
        if (partner != kNoRank)
            sum += moveChange(flow, hops, slotOfRank, ranksPerNode, partner, to, from, rank);
        if (rank != kNoRank && partner != kNoRank) sum += pairChange(flow, hops, rank, partner, from, to);
        return sum;
    });
}

Result<void> checkRange(const FlowGraph& flow, const Distances& distances)
{
    const std::uint32_t farthest = distances.visit([](const auto& hops) { return largestDistance(hops); });
    __int128 bound = 0;
    for (const std::int64_t bytes : flow.sent) bound += static_cast<__int128>(bytes) * farthest;
    if (bound <= (__int128{1} << 62)) return {};
    return fail(ErrorCode::Unsupported,
                "The communication is too large: bytes times the longest distance pass 2^62. Scale it down.");
}

}  // namespace skein
