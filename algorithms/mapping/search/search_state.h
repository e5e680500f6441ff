// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "algorithms/mapping/search/remap_params.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace skein {

/// What the methods share while they search: the problem, the clock, and the best mapping so far. Not
/// thread-safe.
class SearchState {
public:
    SearchState(const MappingProblem& ofProblem, const PreparedMapping& made, const RemapParams& asked,
                const SearchClock& running)
        : problem(ofProblem), prepared(made), params(asked), clock(running), best_(made.start)
    {
        if (params.objective == RemapObjective::Weighted) {
            const double load = static_cast<double>(
                LinkLoads(problem, params.route, params.links, problem.current).maximum());
            const auto hops = static_cast<double>(
                hopBytes(problem.flow, problem.distances, problem.current, problem.ranksPerNode));
            loadUnit_ = load > 0.0 ? hops / load : 1.0;
        }
        bestCost_ = cost(best_);
        history_.push_back({clock.elapsed(), 0, bestCost_});
    }

    const MappingProblem& problem;
    const PreparedMapping& prepared;
    const RemapParams& params;
    const SearchClock& clock;

    /// The objective of a mapping, exactly.
    std::int64_t cost(std::span<const std::uint32_t> slots) const
    {
        const bool loadMatters = params.objective != RemapObjective::HopBytes;
        const bool hopsMatter = params.objective != RemapObjective::MaxLinkLoad;
        const std::int64_t hops =
            hopsMatter ? hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode) : 0;
        const std::int64_t load =
            loadMatters ? LinkLoads(problem, params.route, params.links, slots).maximum() : 0;
        if (!hopsMatter) return load;
        return loadMatters ? hops / 2 + static_cast<std::int64_t>(static_cast<double>(load) * loadUnit_ / 2.0)
                           : hops;
    }
    /// Takes a mapping when there is one and it is better than the best so far. Returns whether it was.
    bool offer(std::span<const std::uint32_t> slots, std::uint64_t steps)
    {
        if (slots.empty()) return false;
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
    double loadUnit_ = 1.0;
    std::vector<MappingProgress> history_;
};

}  // namespace skein
