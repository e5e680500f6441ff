// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/mapping_problem.h"
#include "algorithms/mapping/search_clock.h"
#include "core/base/task.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// What a number of moved ranks buys.
struct MovedTradeOff {
    std::uint32_t moved = 0;
    std::int64_t hopBytes = 0;
};

/// The way from the current placement to another, one rank at a time into its new slot, always a rank of a few next
/// ones that gains most; every step swaps with the rank that is in the way, so each point is a valid placement. Gives
/// the points that no other beats in both moves and hop-bytes, from no moves on, thinned to about `points`.
/// A heuristic front: with `--max-moved` a search of its own finds better ones. The more ranks move, the fewer next ones
/// are weighed, and where the clock's time is over the rest moves at once. O(moved × sample × degree).
std::vector<MovedTradeOff> movedFront(const MappingProblem& problem, std::span<const std::uint32_t> target, std::size_t points,
                                      const SearchClock& clock, const Task& task);

}  // namespace skein
