// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/global_ranks.h"

#include <algorithm>

namespace skein {

std::vector<GlobalRanks> globalRanks(const Session& session)
{
    std::vector<GlobalRanks> ranges;
    std::uint64_t next = 0;
    for (const ExperimentPtr& experiment : session.experiments) {
        std::int64_t greatest = -1;
        for (const Location& location : experiment->definitions.locations)
            greatest = std::max(greatest, location.rank);
        ranges.push_back({next, static_cast<std::uint64_t>(greatest + 1)});
        next += ranges.back().count;
    }
    return ranges;
}

}  // namespace skein
