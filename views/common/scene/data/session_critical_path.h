// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/critical_path.h"
#include "core/session/experiment.h"

#include <memory>
#include <string>
#include <vector>

namespace skein {

/// The critical path of one trace, with what is asked for again and again while it is shown.
struct TraceCriticalPath {
    CriticalPath path;
    std::vector<TimeNs> byLocation;  ///< of the path, by location
};

/// The critical paths of the traces that are open together. Immutable, may cross threads.
struct SessionCriticalPath {
    std::vector<std::shared_ptr<const TraceCriticalPath>> experiments;  ///< null where there is no trace

    /// Null where there is none.
    const TraceCriticalPath* of(std::uint32_t experiment) const
    {
        return experiment < experiments.size() ? experiments[experiment].get() : nullptr;
    }
};

using SessionCriticalPathPtr = std::shared_ptr<const SessionCriticalPath>;

/// For how many functions it is worked out what twice their speed would gain.
inline constexpr std::size_t kGainsOfPath = 32;

/// Errors: those of criticalPath().
Result<TraceCriticalPath> traceCriticalPath(const Experiment& experiment, const Task& task);

/// "Critical path 2.469 s through 16 of 16 processes: 41 % on Rank 14, 15 % in MPI_Init_thread()"; of clocks
/// that contradict it says so. Empty where the path is.
std::string criticalPathText(const Experiment& experiment, const TraceCriticalPath& of);

}  // namespace skein
