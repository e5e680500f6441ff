// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/flow_graph.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Partners by heavy edges: a perfect matching of an even number of ranks that joins those who talk most,
/// first greedily by flow / √(both totals), then by exchanging partners while that joins more. O(entries log
/// entries).
std::vector<std::uint32_t> pairRanks(const FlowGraph& flow, std::uint64_t seed);

/// The group (0 … ranks/size - 1) of each rank: groups of exactly `size` ranks that talk much, by heavy edges
/// and then by exchanging members while that joins more. The number of ranks is a multiple of the size.
std::vector<std::uint32_t> groupRanks(const FlowGraph& flow, std::uint32_t size, std::uint64_t seed);

}  // namespace skein
