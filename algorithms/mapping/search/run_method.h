// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/search/search_state.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <string>

namespace skein {

/// How to search for lower hop-bytes until a clock is spent.
struct MethodParams {
    std::string method{kAutoMethod};  ///< a name of remapMethods()
    std::uint64_t seed = 1;
    std::uint64_t firstStep = 0;  ///< steps of earlier stages, for the history
    bool foldsWell = false;       ///< an earlier stage found that the ranks fold onto the machine
    bool withoutScotch = false;   ///< an earlier stage had its map
};

struct MethodOutcome {
    std::string method;  ///< what was used
    std::string reason;  ///< why, in the user's words
    std::uint64_t steps = 0;
    bool optimal = false;
    bool foldsWell = false;
    bool hadScotch = false;
};

/// One search by one method, or by the one that fits, from the best mapping of `state`, to which it offers
/// what it finds. Errors: InvalidArgument for a method that cannot treat the problem.
Result<MethodOutcome> runMethod(SearchState& state, const MethodParams& params, const SearchClock& clock,
                                const Task& task);

}  // namespace skein
