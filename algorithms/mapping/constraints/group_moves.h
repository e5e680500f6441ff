// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Moves groups of ranks that stay together, as blocks, to nodes where they cost less, until no such move
/// helps. The ranks of a group change places with as many usable slots of another node that hold no rank of
/// any group. The nodes of peers and some others are tried. A group with a pinned rank stays. `usable[slot]`
/// = 0 for slots that must stay empty. Keeps all constraints that the placement meets, including the limit of
/// moves from `problem.current`. Ends early if the task is stopped.
void moveGroups(const MappingProblem& problem, std::span<const std::uint8_t> usable,
                std::vector<std::uint32_t>& slotOfRank, const Task& task);

}  // namespace skein
