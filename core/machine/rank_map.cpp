// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/rank_map.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace skein {
namespace {

/// True where each name is longer than the one before, or of its length and greater, as counted names are:
/// they are distinct then, which is seen without a table of millions of names.
bool namesIncrease(const std::vector<MapHost>& hosts)
{
    return std::adjacent_find(hosts.begin(), hosts.end(),
                              [](const MapHost& a, const MapHost& b) {
                                  return std::pair(a.name.size(), std::string_view(a.name))
                                      >= std::pair(b.name.size(), std::string_view(b.name));
                              })
        == hosts.end();
}

Result<void> checkHosts(const std::vector<MapHost>& hosts)
{
    for (std::size_t host = 0; host < hosts.size(); ++host)
        if (hosts[host].name.empty())
            return fail(ErrorCode::Malformed, fmt::format("Host {} of the map has no name.", host));
    if (namesIncrease(hosts)) return {};
    std::unordered_set<std::string_view> seen;
    seen.reserve(hosts.size());
    for (const MapHost& host : hosts)
        if (!seen.insert(host.name).second)
            return fail(ErrorCode::Malformed, fmt::format("The host {} is named twice.", host.name));
    return {};
}

Result<void> checkPlace(const RankMap& map, std::size_t rank)
{
    const RankPlace place = map.places[rank];
    if (place.host >= map.hosts.size())
        return fail(ErrorCode::Malformed,
                    fmt::format("Rank {} is on host {}, of {}.", rank, place.host, map.hosts.size()));
    const MapHost& host = map.hosts[place.host];
    if (place.slot >= host.slots)
        return fail(ErrorCode::Malformed,
                    fmt::format("Rank {} is on slot {} of {}, which has {}.", rank, place.slot, host.name,
                                host.slots));
    return {};
}

/// Ranks in the order of their places: a host after the other.
std::vector<std::uint32_t> ranksByPlace(const RankMap& map)
{
    std::vector<std::uint32_t> end(map.hosts.size() + 1, 0), ranks(map.places.size());
    for (const RankPlace place : map.places) ++end[place.host + std::size_t{1}];
    for (std::size_t host = 0; host < map.hosts.size(); ++host) end[host + 1] += end[host];
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) ranks[end[map.places[rank].host]++] = rank;
    auto first = ranks.begin();
    for (std::size_t host = 0; host < map.hosts.size(); ++host) {
        const auto last = ranks.begin() + end[host];
        std::stable_sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
            return map.places[a].slot < map.places[b].slot;
        });
        first = last;
    }
    return ranks;
}

}  // namespace

Result<void> checkRankMap(const RankMap& map)
{
    if (auto hosts = checkHosts(map.hosts); !hosts) return hosts;
    for (std::size_t rank = 0; rank < map.places.size(); ++rank)
        if (auto checked = checkPlace(map, rank); !checked) return checked;
    const std::vector<std::uint32_t> ranks = ranksByPlace(map);
    std::size_t culprit = 0;
    for (std::size_t at = 1; at < ranks.size(); ++at)
        if (map.places[ranks[at]] == map.places[ranks[at - 1]]
            && (culprit == 0 || ranks[at] < ranks[culprit]))
            culprit = at;
    if (culprit == 0) return {};
    const RankPlace place = map.places[ranks[culprit]];
    return fail(ErrorCode::Malformed,
                fmt::format("Ranks {} and {} are both on slot {} of {}.", ranks[culprit - 1], ranks[culprit],
                            place.slot, map.hosts[place.host].name));
}

Result<RankMap> blockMap(std::vector<MapHost> hosts, std::size_t ranks)
{
    RankMap map{std::move(hosts), {}};
    map.places.reserve(ranks);
    for (std::uint32_t host = 0; host < map.hosts.size() && map.places.size() < ranks; ++host)
        for (std::uint32_t slot = 0; slot < map.hosts[host].slots && map.places.size() < ranks; ++slot)
            map.places.push_back({host, slot});
    if (map.places.size() < ranks)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("{} ranks do not fit on the {} slots of the hosts.", ranks, map.places.size()));
    return map;
}

std::vector<std::vector<std::uint32_t>> ranksByHost(const RankMap& map)
{
    std::vector<std::vector<std::uint32_t>> ranks(map.hosts.size());
    for (std::size_t rank = 0; rank < map.places.size(); ++rank)
        ranks[map.places[rank].host].push_back(static_cast<std::uint32_t>(rank));
    for (auto& onHost : ranks)
        std::stable_sort(onHost.begin(), onHost.end(), [&](std::uint32_t a, std::uint32_t b) {
            return map.places[a].slot < map.places[b].slot;
        });
    return ranks;
}

RankMap withSlotsInRankOrder(RankMap map)
{
    std::vector<std::uint32_t> next(map.hosts.size(), 0);
    for (RankPlace& place : map.places) place.slot = next[place.host]++;
    return map;
}

Result<RankMap> mapFromSlotNumbers(std::vector<MapHost> hosts, const std::vector<std::uint32_t>& slotOfRank)
{
    if (hosts.empty()) return fail(ErrorCode::InvalidArgument, "There is no host to map ranks to.");
    const std::uint32_t slots = hosts.front().slots;
    RankMap map{std::move(hosts), {}};
    for (const MapHost& host : map.hosts)
        if (host.slots != slots || slots == 0)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("Slot numbers need hosts of equal size, but {} has {} slots.", host.name,
                                    host.slots));
    for (const std::uint32_t number : slotOfRank) map.places.push_back({number / slots, number % slots});
    if (auto valid = checkRankMap(map); !valid) return tl::make_unexpected(valid.error());
    return map;
}

}  // namespace skein
