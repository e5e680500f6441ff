// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/constraints/unit_assignment.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

/// What a search for nodes of units came to.
struct UnitNodes {
    bool found = false;
    std::vector<std::uint32_t> nodeOfUnit;  ///< the machine's numbers
    std::uint32_t moved = 0;                ///< ranks that are elsewhere then
    bool complete = false;                  ///< all was searched: what is not found is not there
};

/// Which placements are looked for: any, or those that move few ranks.
enum class UnitGoal : std::uint8_t { Any, FewestMoves };

/// Tries nodes for one unit after the other, first the unit that has fewest, and only one of nodes that do
/// not differ: with `FewestMoves` until no placement moves fewer ranks, else until one is found. Placements
/// with more than `mostMoved` moved ranks do not count. Ends after about `effort` looks at a node for a unit
/// or with the task.
UnitNodes searchUnits(const MappingProblem& problem, const PlacementUnits& units, UnitGoal goal,
                      std::uint32_t mostMoved, std::uint64_t effort, const Task& task);

/// Puts all units somewhere and mends what does not go together, one unit or exchange after the other, with
/// tabus; then brings home who may go. Never complete.
UnitNodes exchangeUnits(const MappingProblem& problem, const PlacementUnits& units, std::uint32_t mostMoved,
                        std::uint64_t effort, const Task& task);

}  // namespace skein
