// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/annealing.h"
#include "algorithms/mapping/annealing/field_model.h"
#include "algorithms/mapping/problem/flow_graph.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A start from coarse to fine: ranks are joined in pairs (or threes, …) and, in the same step, the cores of
/// a node or the positions of one dimension are divided by two (or three, …), until few are left; these are
/// annealed hot, and every refinement is annealed again. Distances of coarse positions are means over the
/// fine ones. Every slot of the machine must be usable. Ranks beyond `flow.ranks` up to the number of slots
/// are empty. Spends the whole clock. Without a mapping where the clock is over before the levels are made.
AnnealingOutcome multilevelStart(const FlowGraph& flow, const FieldModel& model, std::uint32_t ranksPerNode,
                                 std::uint64_t seed, const SearchClock& clock, const Task& task);

}  // namespace skein
