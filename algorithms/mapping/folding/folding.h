// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/folding/folding_grid.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

struct FoldingOutcome {
    /// Empty if the problem cannot be folded, or a stop on a large machine came before any map.
    std::vector<std::uint32_t> slotOfRank;
    std::uint64_t steps = 0;  ///< maps tried
};

/// Folds the regular grid that ranks usually form onto the machine:
///
///     line of 8 ranks                      mesh 2x4
///     0 - 1 - 2 - 3 - 4 - 5 - 6 - 7        0 - 1 - 2 - 3    digit 0 (row) = bit 2 of the rank
///                                                      |    digits 1, 2 (column) = bits 1, 0, mirrored
///                                          7 - 6 - 5 - 4    where the row is odd: a snake
///
/// Ranks and slots are written as digits: the prime factors of the dimensions, bits on machines of powers of
/// two. A map is a product of moves of digits on either side: add one digit to another, mirror one digit
/// where another is odd, exchange two. These moves generate all orders of dimensions, all ways to split and
/// join them, and all folds and snakes (the Gray code is one). So structured programs on grids find their
/// large-scale order at once, where local search needs minutes.
///
/// The search runs many short annealings of such maps, with a longer one now and then (Luby, Sinclair,
/// Zuckerman 1993). They evaluate samples of the flows that grow while the annealing cools. The best map by
/// all flows wins, and the search ends when a map costs no more than `target`. The maps follow from the seed
/// and from how many annealings are run, so more time never finds less. Needs a grid whose places have no
/// prime factor above MixedRadix::kMaxBase. Where a stop on a large machine leaves no map that all flows
/// judged, a sample of them chooses. The same bits for any number of threads with a budget in steps.
FoldingOutcome foldRanks(const MappingProblem& problem, const FoldingGrid& grid, std::int64_t target,
                         std::uint64_t seed, const SearchClock& clock, const Task& task);

}  // namespace skein
