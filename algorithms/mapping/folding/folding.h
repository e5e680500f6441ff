// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/folding/folding_grid.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

struct FoldingOutcome {
    std::vector<std::uint32_t> slotOfRank;  ///< empty where the problem is not of this kind
    std::uint64_t steps = 0;                ///< maps tried
};

/// Folds the regular grid that ranks usually form onto the machine. Ranks and slots are written as digits
/// (the prime factors of the dimensions, bits on machines of powers of two), and maps are made of moves of
/// digits: adding one to another, mirroring one where another is odd, exchanging two, on either side. These
/// are all orders of dimensions, all ways to split and join them, and all folds and snakes (the Gray code is
/// one), so structured programs on grids find their large-scale order at once, where local search needs
/// minutes.
///
/// Many short annealings of such maps, with a longer one now and then (Luby, Sinclair, Zuckerman 1993),
/// judged on samples of the flows that grow while they cool; the best by all flows counts, and none is
/// searched once a map costs no more than `target`. What is found depends on the seed and on how many are
/// run, so more time never finds less. Treats a room without constraints whose places have no prime factor
/// above MixedRadix::kMaxBase. The same bits for any number of threads with a budget in steps.
FoldingOutcome foldRanks(const MappingProblem& problem, const FoldingGrid& room, std::int64_t target,
                         std::uint64_t seed, const SearchClock& clock, const Task& task);

}  // namespace skein
