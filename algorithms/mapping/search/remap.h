// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"
#include "algorithms/mapping/search/remap_params.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skein {

struct RemapResult {
    std::vector<std::uint32_t> slotOfRank;
    std::int64_t objectiveBefore = 0;  ///< of the current placement
    std::int64_t objectiveAfter = 0;
    std::string method;       ///< what was used
    std::string reason;       ///< why, in the user's words
    std::uint64_t steps = 0;  ///< tried swaps
    double seconds = 0.0;
    bool optimal = false;  ///< proven
    bool stopped = false;  ///< ended early by the task; the best until then
    std::vector<MappingProgress> history;
};

/// Every method, by name; "auto" chooses among the others.
std::span<const RemapMethod> remapMethods();

/// Searches for a placement with a lower objective. Never returns a worse mapping than the current one
/// where that meets the constraints. A stop request ends the search early with the best mapping until then.
/// Errors: those of prepareMapping; InvalidArgument for an unknown method or one that cannot treat the
/// problem.
Result<RemapResult> remap(const MappingProblem& problem, const RemapParams& params, const Task& task);

}  // namespace skein
