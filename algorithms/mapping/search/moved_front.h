// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "algorithms/mapping/search/remap.h"
#include "core/base/task.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// What a number of moved ranks buys, and how.
struct MovedTradeOff {
    std::uint32_t moved = 0;
    std::int64_t objective = 0;
    std::int64_t hopBytes = 0;
    std::vector<std::uint32_t> slotOfRank;
};

/// How to look for placements with fewer moves than a search's result. `search` is what that search was asked
/// for, but its budget; `points` is the most to list.
struct MovedFrontParams {
    RemapParams search;
    std::size_t points = 24;
};

/// Numbers of moved ranks below `most` for which movedFront() searches, in growing steps: fewer where a
/// budget is too short for so many searches of so many ranks.
std::vector<std::uint32_t> movedLadder(const MappingProblem& problem, std::uint32_t most,
                                       const SearchClock& clock, int threads);
/// The budget that each of them gets.
SearchBudget budgetOfRung(const MappingProblem& problem, const SearchClock& clock, std::size_t rungs,
                          int threads);

/// How good a placement can be with few moved ranks: from no move to `target`, a placement that a search
/// found, points of which none has fewer moves and a lower objective than another. remap() with the numbers
/// of movedLadder() as limits; each of these placements and the target give one more for every rank that goes
/// home again (PathRelinking; hop-bytes only), and what none beats is kept. Every point is a placement that
/// meets the constraints, with its exact objective. A heuristic front, but none of its points is worse than
/// remap() with that limit, budget and seed. With a budget in steps the same bits for any number of threads;
/// with one in seconds it ends with the clock. Ends as soon as the task stops; empty where that was before.
std::vector<MovedTradeOff> movedFront(const MappingProblem& problem, std::span<const std::uint32_t> target,
                                      const MovedFrontParams& params, const SearchClock& clock,
                                      const Task& task);

}  // namespace skein
