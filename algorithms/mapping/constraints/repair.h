// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A placement that meets the constraints, and the slots that ranks may take beside it.
struct RepairedPlacement {
    std::vector<std::uint32_t> slotOfRank;
    std::vector<std::uint8_t> usable;
};

/// Brings the current placement into the constraints. Ranks that can stay do, the others take the nearest
/// slots; where that leaves a rank over or moves too many, all placements are searched if units and nodes are
/// few, by flow where every rank is in one group of `apart` at most, else by exchanges. Errors:
/// InvalidArgument for constraints that no placement meets, or, and the sentence says so, where none was
/// found and nothing is proven (NP-hard: graph colouring is a case); Cancelled.
Result<RepairedPlacement> repairPlacement(const MappingProblem& problem, const Task& task);

}  // namespace skein
