// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/sampling_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

void shuffleEntities(std::span<std::uint32_t> entities, SplitRandom& random)
{
    for (std::size_t left = entities.size(); left > 1; --left)
        std::swap(entities[left - 1], entities[random.below(left)]);
}

/// The entities of each cluster; those without a previous label are a cluster of their own at the end.
std::vector<std::vector<std::uint32_t>> entitiesByCluster(std::size_t count,
                                                          std::span<const std::uint32_t> previous)
{
    std::uint32_t clusters = 0;
    for (const std::uint32_t label : previous) clusters = std::max(clusters, label + 1);
    std::vector<std::vector<std::uint32_t>> members(clusters + 1);
    for (std::size_t entity = 0; entity < count; ++entity)
        members[entity < previous.size() ? previous[entity] : clusters].push_back(
            static_cast<std::uint32_t>(entity));
    std::erase_if(members, [](const auto& cluster) { return cluster.empty(); });
    return members;
}

/// How many of the batch each cluster gives, none more than it has left; they differ by one at most but for
/// those that are exhausted. `turn` says who gives one more, and moves on.
std::vector<std::size_t> sharesOfBatch(const std::vector<std::size_t>& left, std::size_t batch,
                                       std::size_t& turn)
{
    std::vector<std::size_t> shares(left.size(), 0);
    std::size_t open = 0;
    for (const std::size_t one : left) open += one > 0 ? 1 : 0;
    while (batch > 0 && open > 0) {
        const std::size_t each = std::max<std::size_t>(1, batch / open);
        open = 0;
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::size_t cluster = (turn + i) % left.size();
            const std::size_t given = std::min({each, left[cluster] - shares[cluster], batch});
            shares[cluster] += given;
            batch -= given;
            open += shares[cluster] < left[cluster] ? 1 : 0;
        }
    }
    turn = (turn + 1) % std::max<std::size_t>(1, left.size());
    return shares;
}

}  // namespace

std::vector<std::uint32_t> samplingOrder(std::size_t count, std::span<const std::uint32_t> previous,
                                         std::size_t batch, std::uint64_t seed)
{
    SplitRandom random(seed);
    auto members = entitiesByCluster(count, previous.first(std::min(previous.size(), count)));
    std::vector<std::size_t> left;
    for (auto& cluster : members) {
        shuffleEntities(cluster, random);
        left.push_back(cluster.size());
    }
    std::vector<std::uint32_t> order;
    order.reserve(count);
    batch = std::max<std::size_t>(1, batch);
    for (std::size_t turn = 0; order.size() < count;) {
        const auto shares = sharesOfBatch(left, batch, turn);
        for (std::size_t cluster = 0; cluster < members.size(); ++cluster) {
            const std::size_t first = members[cluster].size() - left[cluster];
            order.insert(order.end(), members[cluster].begin() + static_cast<std::ptrdiff_t>(first),
                         members[cluster].begin() + static_cast<std::ptrdiff_t>(first + shares[cluster]));
            left[cluster] -= shares[cluster];
        }
    }
    return order;
}

namespace {

/// A new cluster and a previous one that have entities in common.
struct ClusterPair {
    std::uint64_t count = 0;
    std::uint64_t size = 0;  ///< of the new cluster
    std::uint32_t updated = 0;
    std::uint32_t previous = 0;
};

/// Compares count / size without rounding.
bool comesBefore(const ClusterPair& a, const ClusterPair& b)
{
    const auto left = static_cast<unsigned __int128>(a.count) * b.size;
    const auto right = static_cast<unsigned __int128>(b.count) * a.size;
    if (left != right) return left > right;
    if (a.count != b.count) return a.count > b.count;
    return std::tie(a.updated, a.previous) < std::tie(b.updated, b.previous);
}

std::vector<ClusterPair> pairsInCommon(std::span<const std::uint32_t> updated, std::uint32_t clusters,
                                       std::span<const std::uint32_t> previous,
                                       std::uint32_t previousClusters)
{
    std::vector<std::uint64_t> counts(std::size_t{clusters} * previousClusters, 0), sizes(clusters, 0);
    for (std::size_t i = 0; i < std::min(updated.size(), previous.size()); ++i) {
        ++counts[std::size_t{updated[i]} * previousClusters + previous[i]];
        ++sizes[updated[i]];
    }
    std::vector<ClusterPair> pairs;
    for (std::uint32_t u = 0; u < clusters; ++u)
        for (std::uint32_t p = 0; p < previousClusters; ++p)
            if (const auto count = counts[std::size_t{u} * previousClusters + p]; count > 0)
                pairs.push_back({count, sizes[u], u, p});
    std::sort(pairs.begin(), pairs.end(), comesBefore);
    return pairs;
}

}  // namespace

std::vector<std::uint32_t> matchClusters(std::span<const std::uint32_t> updated, std::uint32_t clusters,
                                         std::span<const std::uint32_t> previous,
                                         std::uint32_t previousClusters)
{
    constexpr auto kFree = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> names(clusters, kFree);
    std::vector<bool> taken(std::max(clusters, previousClusters), false);
    for (const ClusterPair& pair : pairsInCommon(updated, clusters, previous, previousClusters)) {
        if (names[pair.updated] != kFree || taken[pair.previous]) continue;
        names[pair.updated] = pair.previous;
        taken[pair.previous] = true;
    }
    std::uint32_t unused = 0;
    for (std::uint32_t& name : names) {
        if (name != kFree) continue;
        while (taken[unused]) ++unused;
        name = unused;
        taken[unused] = true;
    }
    return names;
}

}  // namespace skein
