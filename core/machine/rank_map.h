// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// A host of a job's allocation, with the places for ranks that the launcher gives it.
struct MapHost {
    std::string name;
    std::uint32_t slots = 1;                 ///< ranks that fit
    std::vector<std::uint32_t> coordinates;  ///< in the machine's network; empty where unknown
    bool operator==(const MapHost&) const = default;
};

/// Where one rank runs.
struct RankPlace {
    std::uint32_t host = 0;  ///< index into RankMap::hosts
    std::uint32_t slot = 0;  ///< place inside the host, 0 … slots - 1
    auto operator<=>(const RankPlace&) const = default;
};

/// The places of all ranks of a job on named hosts: what launchers' map files say.
struct RankMap {
    std::vector<MapHost> hosts;     ///< in the allocation's order; block placement fills them in this order
    std::vector<RankPlace> places;  ///< index = rank
    bool operator==(const RankMap&) const = default;

    const MapHost& hostOf(std::size_t rank) const { return hosts[places[rank].host]; }
};

/// Fails with Malformed, naming the first culprit, unless every rank has an existing host and a slot of
/// its own within the host's capacity, and host names are distinct and not empty. O(ranks log slots + hosts).
Result<void> checkRankMap(const RankMap& map);

/// Rank r on the r-th slot of the hosts in their order, the launchers' default ("block", "SMP").
/// Fails when there are more ranks than slots.
Result<RankMap> blockMap(std::vector<MapHost> hosts, std::size_t ranks);

/// The ranks of each host in the order of their slots.
std::vector<std::vector<std::uint32_t>> ranksByHost(const RankMap& map);

/// The same hosts, with slots renumbered 0, 1, … in the order of the ranks of each host: all that formats can
/// say that name only hosts.
RankMap withSlotsInRankOrder(RankMap map);

/// Places of a permutation: slot number p of rank r means host p / slotsPerHost, slot p % slotsPerHost.
/// Every host must have the same number of slots and every number must be below hosts × slots.
Result<RankMap> mapFromSlotNumbers(std::vector<MapHost> hosts, const std::vector<std::uint32_t>& slotOfRank);

}  // namespace skein
