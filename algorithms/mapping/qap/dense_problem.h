// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"
#include "algorithms/mapping/qap/qap_instance.h"

namespace skein {

/// A small mapping problem as a dense one: slots are places, ranks and empty slots are items. The cost of a
/// permutation (item → slot) is the hop-bytes of the placement. Memory and time O(slots²).
QapInstance denseProblem(const MappingProblem& problem);

/// The same on a chosen list of slots only: item i is the i-th listed rank, then empties.
QapInstance denseProblem(const MappingProblem& problem, std::span<const std::uint32_t> ranks,
                         std::span<const std::uint32_t> slots);

/// Of that problem, what each listed rank has to do with the ranks that are not listed and stay where
/// `slotOfRank` says, at each listed slot: ranks × slots, then zeros for empties. O(flows · slots).
std::vector<std::int64_t> costToOthers(const MappingProblem& problem, std::span<const std::uint32_t> ranks,
                                       std::span<const std::uint32_t> slots,
                                       std::span<const std::uint32_t> slotOfRank);

}  // namespace skein
