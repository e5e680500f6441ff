// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/constraints/unit_assignment.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The result of a search for the nodes of units.
struct UnitNodes {
    bool found = false;
    std::vector<std::uint32_t> nodeOfUnit;  ///< in the machine's numbers
    std::uint32_t moved = 0;                ///< ranks that leave their place
    bool complete = false;                  ///< everything was searched: what was not found does not exist
};

/// What to look for: any placement, or the one that moves the fewest ranks.
enum class UnitGoal : std::uint8_t { Any, FewestMoves };

/// Backtracking: tries the nodes of one unit after the other, the unit with the fewest nodes first, and only
/// one of several interchangeable nodes. With `FewestMoves` until no placement moves fewer ranks, otherwise
/// until one is found. Placements that move more than `mostMoved` ranks do not count. Ends after about
/// `effort` pairs of unit and node, or with the task.
UnitNodes searchUnits(const MappingProblem& problem, const PlacementUnits& units, UnitGoal goal,
                      std::uint32_t mostMoved, std::uint64_t effort, const Task& task);

/// Tabu search: puts all units somewhere, then repairs conflicts by moves and exchanges of units; then
/// returns ranks to where they are now as far as possible. Never complete.
UnitNodes exchangeUnits(const MappingProblem& problem, const PlacementUnits& units, std::uint32_t mostMoved,
                        std::uint64_t effort, const Task& task);

}  // namespace skein
