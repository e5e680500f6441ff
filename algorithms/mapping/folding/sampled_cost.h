// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/task.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Some of the pairs of ranks that communicate, as a sample of their sum.
struct FlowSample {
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
    std::vector<double> weight;
    std::size_t size() const { return from.size(); }
};

/// Estimates the hop-bytes of a mapping quickly, from samples of the flows. On grids the distances along all
/// dimensions are computed at once. Immutable after building.
class SampledCost {
public:
    /// Place i is slot `slotAt[i]`; `slotAt` must outlive this. Where the task was stopped all samples are
    /// empty.
    SampledCost(const MappingProblem& problem, std::span<const std::uint32_t> slotAt, const Task& task);

    /// Pairs drawn in proportion to their bytes, or all pairs if there are no more than `wanted`.
    /// O(ranks + wanted log entries).
    FlowSample sample(std::size_t wanted, Random& random) const;
    /// Σ weight × hops between the places from[i] and to[i].
    double cost(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                std::span<const double> weight) const;

private:
    static constexpr std::size_t kLanes = 8;

    /// The sum of the bytes of all pairs up to the end of each block of entries, entry by entry.
    void sumBlocks(const Task& task);
    void packGrid(const GridDistances& grid);
    FlowSample allPairs() const;
    /// The first pair up to which the bytes of all pairs are so many.
    void addPairAt(double bytes, double weight, FlowSample& sample) const;

    const MappingProblem& problem_;
    std::span<const std::uint32_t> slotAt_;
    std::size_t pairs_ = 0;
    std::vector<double> sumAfter_;  ///< of bytes, after each block of the flow's entries
    std::vector<std::uint64_t>
        packed_;  ///< per place: its position in each dimension, a byte each; empty where they do not fit
    std::array<std::uint8_t, 2 * kLanes> around_{};  ///< hops of the way round, both ways together
    std::array<std::uint8_t, 2 * kLanes> most_{};    ///< no distance along the dimension is longer
};

}  // namespace skein
