// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"

#include <cstdint>

namespace skein {

/// No mapping onto the usable slots has fewer hop-bytes than this. Every rank puts its heaviest peers
/// nearest: into the other slots of its node, then one hop away as far as any node has slots there, and so
/// on; each pair counts from both ends, so half the sum is a bound (the scalar products of Gilmore and Lawler
/// 1962 with one profile of distances for all nodes, the most favourable one). Up to kExactBoundSlots slots,
/// where it is cheap, the full Gilmore–Lawler assignment tightens it. Pinned ranks and groups are not made
/// use of. 0, which is a bound as well, where the task is stopped. O(entries log degree + profile).
std::int64_t hopBytesLowerBound(const MappingProblem& problem, const Task& task = Task());

inline constexpr std::uint32_t kExactBoundSlots = 96;

}  // namespace skein
