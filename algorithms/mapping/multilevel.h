// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing.h"
#include "algorithms/mapping/field_model.h"
#include "algorithms/mapping/flow_graph.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Partners by heavy edges: a perfect matching of an even number of ranks that joins those who talk most, first
/// greedily by flow / √(both totals), then by exchanging partners while that joins more. O(entries log entries).
std::vector<std::uint32_t> pairRanks(const FlowGraph& flow, std::uint64_t seed);

/// A start from coarse to fine: ranks are joined in pairs and, in the same step, the cores of a node or the positions
/// of one dimension are halved, until few are left; these are annealed hot, and every refinement is annealed again.
/// Distances of coarse positions are means over the fine ones. Every slot of the machine must be usable.
/// Ranks beyond `flow.ranks` up to the number of slots are empty. Spends the whole clock.
AnnealingOutcome multilevelStart(const FlowGraph& flow, const FieldModel& model, std::uint32_t ranksPerNode, std::uint64_t seed,
                                 const SearchClock& clock, const Task& task);

}  // namespace skein
