// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/constraints/placement_units.h"
#include "core/base/task.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace skein {

/// How many units of each group go to each site, with as few moved ranks as possible.
struct UnitFlow {
    std::uint32_t moved = 0;                         ///< no placement moves fewer ranks
    std::vector<std::vector<std::uint32_t>> counts;  ///< group (the last: units of none) × site
};

/// A flow of least cost from groups of ranks that are kept apart to nodes: at most one unit of a group to a
/// node, and no more ranks than there is room. It takes a group that stays together for one rank of that
/// group of `apart` that has most units, and the others for free: where units are single ranks of one group
/// each, and no socket is overfull, there is a placement for what it finds, else a placement needs at least
/// as much. Nothing: there is no placement. O(groups × sites × moved ranks) at most. A stop request ends it
/// early with a number of moved ranks of 0 and no counts.
std::optional<UnitFlow> flowOfUnits(const MappingProblem& problem, const PlacementUnits& units,
                                    const Task& task);

/// True where flowOfUnits() finds what a placement can be made of.
bool flowIsExact(const PlacementUnits& units);

}  // namespace skein
