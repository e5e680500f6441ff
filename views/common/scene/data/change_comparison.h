// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_behavior.h"

#include <string>
#include <vector>

namespace skein {

/// What a call path took of the time of all locations before a change and after it.
struct ChangedPath {
    std::string path;  ///< names from the root down, " => " between them
    std::string name;
    std::vector<CallPathRef> callPaths;  ///< of the experiment
    double before = 0;                   ///< share of the time of all locations in it itself, 0…1
    double after = 0;

    double difference() const { return after - before; }
};

struct ChangeComparison {
    ChangePeriods periods;
    std::vector<ChangedPath> paths;  ///< the greatest differences first; without those that took nothing
};

/// Compares the call trees of the periods on both sides of a change, as skein-cli compare does with
/// --window-a and --window-b. Errors: NotRecorded (no time on one of the sides), those of measuredTable().
/// O(calls in the periods), with the index less.
Result<ChangeComparison> compareAroundChange(const Session& session, const SessionBehavior& behavior,
                                             std::size_t change, const Task& task);

}  // namespace skein
