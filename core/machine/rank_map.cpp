// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/rank_map.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace skein {
namespace {

Result<void> checkHosts(const std::vector<MapHost>& hosts)
{
    std::unordered_map<std::string, std::size_t> seen;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
        if (hosts[host].name.empty())
            return fail(ErrorCode::Malformed, fmt::format("Host {} of the map has no name.", host));
        const auto [other, isNew] = seen.try_emplace(hosts[host].name, host);
        if (!isNew)
            return fail(ErrorCode::Malformed, fmt::format("The host {} is named twice.", hosts[host].name));
    }
    return {};
}

}  // namespace

Result<void> checkRankMap(const RankMap& map)
{
    if (auto hosts = checkHosts(map.hosts); !hosts) return hosts;
    std::vector<std::vector<std::uint32_t>> owners(map.hosts.size());
    for (std::size_t rank = 0; rank < map.places.size(); ++rank) {
        const RankPlace place = map.places[rank];
        if (place.host >= map.hosts.size())
            return fail(ErrorCode::Malformed,
                        fmt::format("Rank {} is on host {}, of {}.", rank, place.host, map.hosts.size()));
        const MapHost& host = map.hosts[place.host];
        if (place.slot >= host.slots)
            return fail(ErrorCode::Malformed,
                        fmt::format("Rank {} is on slot {} of {}, which has {}.", rank, place.slot, host.name,
                                    host.slots));
        auto& taken = owners[place.host];
        if (place.slot >= taken.size()) taken.resize(place.slot + std::size_t{1}, UINT32_MAX);
        if (taken[place.slot] != UINT32_MAX)
            return fail(ErrorCode::Malformed,
                        fmt::format("Ranks {} and {} are both on slot {} of {}.", taken[place.slot], rank,
                                    place.slot, host.name));
        taken[place.slot] = static_cast<std::uint32_t>(rank);
    }
    return {};
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
