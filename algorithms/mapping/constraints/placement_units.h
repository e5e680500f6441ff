// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace skein {

/// Ranks that constraints put on a node as one: a group that stays together, or a rank kept apart from
/// others.
struct PlacementUnit {
    std::vector<std::uint32_t> ranks;
    std::vector<std::uint32_t> apart;  ///< groups whose other units must be on other nodes, ascending
    std::uint32_t node = kNoRank;      ///< where a pinned member holds it
    std::uint32_t size() const { return static_cast<std::uint32_t>(ranks.size()); }
};

/// A part of a node with room of its own: a socket where sockets have capacities, else the whole node.
struct SitePlace {
    std::uint32_t room = 0;
    std::uint32_t freeHomes = 0;  ///< ranks that no constraint concerns and that are there now
};

/// Nodes that differ in nothing but their number: none is home to a rank of a unit where there are several.
struct Site {
    std::vector<std::uint32_t> nodes;
    std::uint32_t room = 0;  ///< of each node, pinned ranks that no constraint concerns taken off
    std::vector<SitePlace> places;

    /// How many of the ranks that no constraint concerns could stay on each node.
    std::uint32_t mostFreeStays() const;
};

/// What has to be put where for a problem's constraints: units on nodes, then all other ranks into the room
/// that is left, which always works where there are as many slots as ranks.
struct PlacementUnits {
    std::vector<PlacementUnit> units;
    std::vector<Site> sites;
    std::unordered_map<std::uint32_t, std::uint32_t> siteOfHome;  ///< nodes that are home to ranks of units
    std::uint32_t groups = 0;                                     ///< of ranks that are kept apart
    std::uint32_t freeRanks = 0;   ///< that no constraint concerns and that are not pinned
    std::uint32_t pinnedFree = 0;  ///< that no constraint but their pin concerns

    std::uint32_t ranks() const;
    /// The place of its home site in which a rank of a unit is now.
    static std::uint32_t placeOfHome(const MappingProblem& problem, std::uint32_t rank);
};

/// Errors: InvalidArgument for constraints that contradict each other or have no room at all. `usable` as
/// usableSlots() tells; slots of pinned ranks must be. O(slots + ranks named · log).
Result<PlacementUnits> makePlacementUnits(const MappingProblem& problem,
                                          std::span<const std::uint8_t> usable);

}  // namespace skein
