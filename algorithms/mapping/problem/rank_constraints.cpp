// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/problem/rank_constraints.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace skein {
namespace {

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t rank)
{
    while (parent[rank] != rank) rank = parent[rank] = parent[parent[rank]];
    return rank;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> joinedGroups(const std::vector<std::vector<std::uint32_t>>& groups,
                                                     std::uint32_t ranks)
{
    std::vector<std::uint32_t> parent(ranks);
    std::iota(parent.begin(), parent.end(), 0u);
    std::vector<std::uint8_t> named(ranks, 0);
    for (const auto& group : groups) {
        for (const std::uint32_t rank : group) {
            const std::uint32_t a = rootOf(parent, group.front()), b = rootOf(parent, rank);
            parent[std::max(a, b)] = std::min(a, b);
            named[rank] = 1;
        }
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> byRoot;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        if (named[rank]) byRoot[rootOf(parent, rank)].push_back(rank);
    }
    std::vector<std::vector<std::uint32_t>> joined;
    for (auto& [root, members] : byRoot) joined.push_back(std::move(members));
    return joined;
}

ApartGroups::ApartGroups(const std::vector<std::vector<std::uint32_t>>& groups, std::uint32_t ranks)
{
    std::vector<std::vector<std::uint32_t>> of(ranks);
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
        for (const std::uint32_t rank : groups[group]) {
            if (of[rank].empty() || of[rank].back() != group) of[rank].push_back(group);
        }
    }
    first_.push_back(0);
    for (const auto& list : of) {
        groups_.insert(groups_.end(), list.begin(), list.end());
        first_.push_back(static_cast<std::uint32_t>(groups_.size()));
    }
}

bool ApartGroups::conflict(std::uint32_t a, std::uint32_t b) const
{
    if (a == b || empty()) return false;
    const auto ofA = groupsOf(a), ofB = groupsOf(b);
    return std::any_of(ofA.begin(), ofA.end(), [&](std::uint32_t group) {
        return std::find(ofB.begin(), ofB.end(), group) != ofB.end();
    });
}

}  // namespace skein
