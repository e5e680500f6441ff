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

/// A minimum-cost flow from groups of ranks that are kept apart to nodes: at most one unit of a group per
/// node, and no more ranks than there is room. A group that stays together counts as one rank of the `apart`
/// group with the most units; its other groups are ignored. If every unit is a single rank in one group, and
/// no socket is overfull, the result can be placed; otherwise it is a lower bound. nullopt: there is no
/// placement. At most O(groups × sites × moved ranks). A stop request ends it early, with 0 moved ranks and
/// no counts.
std::optional<UnitFlow> flowOfUnits(const MappingProblem& problem, const PlacementUnits& units,
                                    const Task& task);

/// True where flowOfUnits() finds what a placement can be made of.
bool flowIsExact(const PlacementUnits& units);

}  // namespace skein
