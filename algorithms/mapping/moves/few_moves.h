// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "algorithms/mapping/problem/swap_rules.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The best placement found with a number of moved ranks.
struct FewMoves {
    std::uint32_t moved = 0;
    std::int64_t hopBytes = 0;
    std::vector<std::uint32_t> slotOfRank;
};

/// The largest number of moved ranks, and of slots, that is searched.
inline constexpr std::uint32_t kMostFewMoves = 8;
inline constexpr std::uint32_t kMostFewMovesSlots = 2048;

/// A beam search from `start` over the number of ranks that leave `problem.current`. Every swap is tried in
/// the `width` best placements of each number of moved ranks, up to `most`. Exact for two moved ranks if
/// `width` is at least ranks × empty slots, because then all placements with one moved rank are searched.
/// Returns the best of each number. Starts no further placement once the clock is over. `steps` counts the
/// swaps that were evaluated. O(most × width × slots² × degree) time; keeps at most `most` · `width`
/// placements in memory.
std::vector<FewMoves> searchFewMoves(const MappingProblem& problem, const SwapRules& rules,
                                     const std::vector<std::uint32_t>& start, std::uint32_t most,
                                     std::uint32_t width, const SearchClock& clock, std::uint64_t& steps,
                                     const Task& task);

}  // namespace skein
