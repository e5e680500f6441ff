// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "algorithms/mapping/search/remap_params.h"
#include "core/base/task.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace skein {

/// What the methods share while they search: the problem, the clock, and the best mapping so far. Not
/// thread-safe.
class SearchState {
public:
    /// The objective of a mapping that was not evaluated because the task was stopped.
    static constexpr std::int64_t kUnknownCost = std::numeric_limits<std::int64_t>::max();

    SearchState(const MappingProblem& ofProblem, const PreparedMapping& made, const RemapParams& asked,
                const SearchClock& running, Task stoppedBy)
        : problem(ofProblem),
          prepared(made),
          params(asked),
          clock(running),
          task_(std::move(stoppedBy)),
          best_(made.start)
    {
        if (params.objective == RemapObjective::Weighted) {
            const LinkLoads now(problem, params.route, params.links, problem.current, task_);
            const auto load = static_cast<double>(now.maximum());
            const auto hops = static_cast<double>(
                hopBytes(problem.flow, problem.distances, problem.current, problem.ranksPerNode));
            loadUnit_ = load > 0.0 ? hops / load : 1.0;
            unitKnown_ = now.complete();
        }
        const double begin = clock.elapsed();
        bestCost_ = cost(best_);
        costSeconds_ = clock.elapsed() - begin;
        history_.push_back({clock.elapsed(), 0, bestCost_});
    }

    const MappingProblem& problem;
    const PreparedMapping& prepared;
    const RemapParams& params;
    const SearchClock& clock;

    /// The objective of a mapping, exactly. Hop-bytes take some milliseconds for a million flows, and after a
    /// stop they are left kUnknownCost only where they take longer and the search for the mapping did not
    /// last far longer than that. Link loads may take seconds, so a stop leaves them kUnknownCost.
    std::int64_t cost(std::span<const std::uint32_t> slots) const
    {
        if (params.objective == RemapObjective::HopBytes) return hopBytesOf(slots);
        const LinkLoads loads(problem, params.route, params.links, slots, task_);
        if (!loads.complete() || !unitKnown_) return kUnknownCost;
        if (params.objective != RemapObjective::Weighted) return objectiveOf(0, loads.maximum());
        const std::int64_t sum = hopBytesOf(slots);
        return sum == kUnknownCost ? kUnknownCost : objectiveOf(sum, loads.maximum());
    }
    /// The objective of a mapping with these figures.
    std::int64_t objectiveOf(std::int64_t hops, std::int64_t load) const
    {
        switch (params.objective) {
        case RemapObjective::HopBytes: return hops;
        case RemapObjective::MaxLinkLoad: return load;
        case RemapObjective::Weighted: break;
        }
        return hops / 2 + static_cast<std::int64_t>(static_cast<double>(load) * loadUnit_ / 2.0);
    }
    /// Takes a mapping when there is one and it is better than the best so far. Returns whether it was.
    bool offer(std::span<const std::uint32_t> slots, std::uint64_t steps)
    {
        return !slots.empty() && offer(slots, steps, cost(slots));
    }
    /// The same for a mapping whose objective is known.
    bool offer(std::span<const std::uint32_t> slots, std::uint64_t steps, std::int64_t objective)
    {
        if (objective >= bestCost_) return false;
        best_.assign(slots.begin(), slots.end());
        bestCost_ = objective;
        history_.push_back({clock.elapsed(), steps, objective});
        if (params.onImprovement) params.onImprovement(history_.back());
        if (params.onMapping) params.onMapping(best_);
        return true;
    }
    const std::vector<std::uint32_t>& best() const { return best_; }
    std::int64_t bestCost() const { return bestCost_; }
    std::vector<MappingProgress> takeHistory() { return std::move(history_); }

private:
    /// What a stop may take without being noticed.
    static constexpr double kSecondsOfShortCost = 0.03;
    /// A search since the last better mapping that is worth more than an answer at once.
    static constexpr double kCostsOfLongSearch = 10.0;
    static constexpr std::size_t kManyFlows = std::size_t{1} << 20;

    std::int64_t hopBytesOf(std::span<const std::uint32_t> slots) const
    {
        if (problem.flow.entries() > kManyFlows) {
            const auto sum = hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode, task_);
            if (sum) return *sum;
            if (!worthEvaluating()) return kUnknownCost;
            return *hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode,
                             Task().withThreads(task_.threads()));
        }
        return hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode);
    }
    /// After a stop: was the mapping found by far more work than its evaluation?
    bool worthEvaluating() const
    {
        if (history_.empty()) return false;
        const double searched = clock.elapsed() - history_.back().seconds;
        return costSeconds_ < kSecondsOfShortCost || searched > kCostsOfLongSearch * costSeconds_;
    }

    const Task task_;
    std::vector<std::uint32_t> best_;
    std::int64_t bestCost_ = 0;
    double loadUnit_ = 1.0;
    double costSeconds_ = 0.0;  ///< of the start, for hop-bytes: link loads are not evaluated after a stop
    bool unitKnown_ = true;
    std::vector<MappingProgress> history_;
};

}  // namespace skein
