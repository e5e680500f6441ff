// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Moves groups of ranks that stay together, as blocks, to nodes where they cost less, until no such move
/// helps: the ranks of a group change places with as many slots of another node that hold no rank of a group
/// and may be used. Nodes of peers and some others are tried. A group with a pinned rank stays.
/// `usable[slot]` = 0 for slots that hold nobody. Keeps to all constraints that the placement meets, the
/// limit of moves from `problem.current` included. Ends early where the task is stopped.
void moveGroups(const MappingProblem& problem, std::span<const std::uint8_t> usable,
                std::vector<std::uint32_t>& slotOfRank, const Task& task);

}  // namespace skein
