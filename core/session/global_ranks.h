// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Ranks of one component among those of all components of a workflow.
struct GlobalRanks {
    std::uint64_t first = 0;
    std::uint64_t count = 0;  ///< greatest rank + 1; 0 where no location has a rank
};

/// One rank space for all open experiments: each keeps its ranks together, in the order of the session. Rank
/// r of experiment e is global rank ranges[e].first + r. O(locations).
std::vector<GlobalRanks> globalRanks(const Session& session);

}  // namespace skein
