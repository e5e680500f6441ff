// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// An undirected weighted graph in compressed rows, as partitioners take it: every edge stands in both rows.
struct WeightedGraph {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> neighbour;
    std::vector<std::int64_t> weight;  ///< empty: all 1

    std::uint32_t vertices() const { return static_cast<std::uint32_t>(first.size() - 1); }
    std::int64_t weightOf(std::size_t entry) const { return weight.empty() ? 1 : weight[entry]; }
};

/// Parts of equal size (they differ by one at most) with a small cut: METIS (Karypis and Kumar 1998) with
/// weights scaled into its 32-bit numbers and kept at least 1, then repaired to exact sizes and improved by
/// moves and swaps between parts, the best of several seeds while there is time (one always). Errors:
/// InvalidArgument for no parts or more parts than vertices.
Result<std::vector<std::uint32_t>> partitionEvenly(const WeightedGraph& graph, std::uint32_t parts,
                                                   std::uint64_t seed, const SearchClock& clock,
                                                   const Task& task);

/// Σ weight of edges between different parts, each edge once.
std::int64_t cutOf(const WeightedGraph& graph, std::span<const std::uint32_t> part);

/// Algorithm 1 of Fujiwara et al. 2017, the published baseline: partition the flows W and the machine's links
/// A into m parts of equal size, solve the assignment of parts with total flows W' and mean distances D',
/// then the assignment inside every part. Where we differ: the memetic search is that of solveQap with O(1)
/// swap gains in the place of O(n²) evaluations; a machine's links are its pairs of nodes one hop apart;
/// parts that do not divide evenly are padded with ranks without traffic. Needs a machine whose nodes all are
/// open, up to 16 384 slots. Errors: Cancelled where time or task end it before there is a map;
/// InvalidArgument for other machines; those of partitionEvenly.
Result<std::vector<std::uint32_t>> publishedMapping(const MappingProblem& problem, std::uint64_t seed,
                                                    const SearchClock& clock, const Task& task);

}  // namespace skein
