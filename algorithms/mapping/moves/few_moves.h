// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "algorithms/mapping/problem/swap_rules.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The best placement found for a number of moved ranks.
struct FewMoves {
    std::uint32_t moved = 0;
    std::int64_t hopBytes = 0;
    std::vector<std::uint32_t> slotOfRank;
};

/// Largest number of moved ranks and of slots that are searched through.
inline constexpr std::uint32_t kMostFewMoves = 8;
inline constexpr std::uint32_t kMostFewMovesSlots = 2048;

/// A beam search from `start` over how many ranks of `problem.current` move: every swap is tried in the
/// `width` best placements of each number of moved ranks, up to `most`. Exact for two moved ranks where
/// `width` is not below ranks × empty slots, since all placements with one moved rank are then gone through.
/// Gives the best of each number. Begins no further placement when the clock is over. `steps` counts the
/// swaps that were weighed. O(most × width × slots² × degree) time; at most `most`, `width` placements in
/// memory.
std::vector<FewMoves> searchFewMoves(const MappingProblem& problem, const SwapRules& rules,
                                     const std::vector<std::uint32_t>& start, std::uint32_t most,
                                     std::uint32_t width, const SearchClock& clock, std::uint64_t& steps,
                                     const Task& task);

}  // namespace skein
