// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/hop_bytes.h"
#include "algorithms/mapping/remap.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace skein {

/// What the methods share while they search: the problem, the clock, and the best mapping so far. Not thread-safe.
class SearchState {
public:
    SearchState(const MappingProblem& ofProblem, const PreparedMapping& made, const RemapParams& asked, const SearchClock& running)
        : problem(ofProblem), prepared(made), params(asked), clock(running), best_(made.start), bestCost_(cost(made.start))
    {
        history_.push_back({clock.elapsed(), 0, bestCost_});
    }

    const MappingProblem& problem;
    const PreparedMapping& prepared;
    const RemapParams& params;
    const SearchClock& clock;

    std::int64_t cost(std::span<const std::uint32_t> slots) const
    {
        return hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode);
    }
    /// Takes a mapping when it is better than the best so far. Returns whether it was.
    bool offer(std::span<const std::uint32_t> slots, std::uint64_t steps)
    {
        const std::int64_t objective = cost(slots);
        if (objective >= bestCost_) return false;
        best_.assign(slots.begin(), slots.end());
        bestCost_ = objective;
        history_.push_back({clock.elapsed(), steps, objective});
        if (params.onImprovement) params.onImprovement(history_.back());
        return true;
    }
    const std::vector<std::uint32_t>& best() const { return best_; }
    std::int64_t bestCost() const { return bestCost_; }
    std::vector<MappingProgress> takeHistory() { return std::move(history_); }

private:
    std::vector<std::uint32_t> best_;
    std::int64_t bestCost_ = 0;
    std::vector<MappingProgress> history_;
};

}  // namespace skein
