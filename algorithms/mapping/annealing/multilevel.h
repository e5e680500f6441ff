// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/annealing.h"
#include "algorithms/mapping/annealing/field_model.h"
#include "algorithms/mapping/problem/flow_graph.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A start from coarse to fine. Each coarsening step joins ranks in pairs (or threes, …) and divides the
/// cores of a node, or the positions of one dimension, by two (or three, …), until few ranks are left. The
/// coarsest level is annealed hot, and every refinement is annealed again. Distances between coarse positions
/// are means over the fine ones. Every slot of the machine must be usable. Ranks beyond `flow.ranks`, up to
/// the number of slots, are empty. Spends the whole clock. No mapping if the clock is over, or the task
/// stopped, before the levels are made.
AnnealingOutcome multilevelStart(const FlowGraph& flow, const FieldModel& model, std::uint32_t ranksPerNode,
                                 std::uint64_t seed, const SearchClock& clock, const Task& task);

}  // namespace skein
