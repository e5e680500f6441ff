// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/task.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace skein {

/// The links that a message takes from one node to another, appended. The same every time it is asked.
using RouteOfNodes =
    std::function<void(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& links)>;

/// How long link loads are still summed up after a stop request, so that a stopped search of a small problem
/// can tell what it has found.
inline constexpr std::chrono::milliseconds kAfterStop{20};

/// What links carry under a mapping; brought up to date by swaps in O(degree × hops).
class LinkLoads {
public:
    /// O(flows × hops). After a stop request it takes kAfterStop at most and may be incomplete.
    LinkLoads(const MappingProblem& problem, const RouteOfNodes& route, std::uint32_t links,
              std::span<const std::uint32_t> slotOfRank, const Task& task);

    /// Does every message count?
    bool complete() const { return complete_; }
    std::span<const std::int64_t> loads() const { return loads_; }
    std::int64_t maximum() const;
    /// Adds (sign 1) or takes away (−1) all messages from and to a rank; those with `partner` are left out.
    void addRank(std::uint32_t rank, std::uint32_t partner, std::span<const std::uint32_t> slotOfRank,
                 std::int64_t sign);
    /// Links that changed since the last call of forget(), each once. `before` is what each carried when it
    /// first changed.
    struct Change {
        std::uint32_t link = 0;
        std::int64_t before = 0;
    };
    const std::vector<Change>& changes() const { return changes_; }
    void forget();

private:
    void addRoute(std::uint32_t from, std::uint32_t to, std::int64_t bytes);

    const MappingProblem& problem_;
    const RouteOfNodes& route_;
    std::vector<std::int64_t> loads_;
    std::vector<Change> changes_;
    std::vector<std::uint8_t> touched_;
    std::vector<std::uint32_t> path_;
    bool complete_ = true;
};

struct LoadSearchOutcome {
    std::vector<std::uint32_t> slotOfRank;  ///< empty where the task was stopped before the search began
    std::uint64_t steps = 0;
    std::int64_t maximumLoad = 0;
    std::int64_t hopBytes = 0;
};

/// Lowers (1 − hopShare) · maximum link load + hopShare · hop-bytes, each relative to the start, by swaps of
/// ranks whose messages cross the most loaded links. In the place of the maximum, which few swaps touch, the
/// search lowers the 8-norm of all loads, which has a slope everywhere and the maximum as its limit. Keeps
/// the rules of `prepared`.
LoadSearchOutcome lowerLoads(const MappingProblem& problem, const PreparedMapping& prepared,
                             const RouteOfNodes& route, std::uint32_t links, double hopShare,
                             std::vector<std::uint32_t> start, std::uint64_t seed, const SearchClock& clock,
                             const Task& task);

}  // namespace skein
