// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A problem made ready for searching: rules, and a start that keeps to them.
struct PreparedMapping {
    SwapRules rules;
    std::vector<std::uint32_t> start;  ///< slot of each rank; the current placement where it is allowed
    std::vector<std::uint32_t>
        groupOfRank;                   ///< groups of ranks that stay together; kNoRank for ranks without
    std::vector<std::uint8_t> usable;  ///< 1 for slots that ranks may take at all
    std::uint32_t openSlots = 0;       ///< slots that are not fixed
    bool startIsCurrent = true;
};

/// Where groups of ranks that stay together go: to the node that the least moves give them, or as blocks to
/// nodes where they cost less hop-bytes (not where ranks are kept apart or moves are limited).
enum class GroupPlaces : std::uint8_t { Nearest, Searched };

/// Checks a problem and brings the current placement into the constraints with few moves where it breaks
/// them. Errors: InvalidArgument for ranks, nodes or slots that do not exist or constraints that cannot be
/// met; Unsupported from checkRange; Cancelled.
Result<PreparedMapping> prepareMapping(const MappingProblem& problem,
                                       GroupPlaces places = GroupPlaces::Nearest, const Task& task = Task());

}  // namespace skein
