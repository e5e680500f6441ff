// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/flow_graph.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Partners by heavy edges: a perfect matching of an even number of ranks that joins those that communicate
/// most, first greedily by flow / √(both totals), then by exchanging partners while that joins more.
/// O(entries log entries). Empty where the task was stopped.
std::vector<std::uint32_t> pairRanks(const FlowGraph& flow, std::uint64_t seed, const Task& task);

/// The group (0 … ranks/size - 1) of each rank: groups of exactly `size` ranks that communicate much, by
/// heavy edges and then by exchanging ranks while that joins more. The number of ranks is a multiple of the
/// size. Empty where the task was stopped.
std::vector<std::uint32_t> groupRanks(const FlowGraph& flow, std::uint32_t size, std::uint64_t seed,
                                      const Task& task);

}  // namespace skein
