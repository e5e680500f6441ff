// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/timeline_index.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace skein {

/// How long the calls of a region usually take, over all locations of the whole run.
struct RegionDuration {
    std::uint64_t calls = 0;
    double meanNs = 0;
    double deviationNs = 0;  ///< standard deviation (divisor n)

    /// How many standard deviations a duration lies above (or below) the mean; 0 where all calls last equally
    /// long.
    double deviationsOf(double durationNs) const
    {
        return deviationNs > 0 ? (durationNs - meanNs) / deviationNs : 0;
    }
};

/// The durations of the regions of several experiments, worked out when they are first asked for.
/// Thread-safe.
class RegionDurations {
public:
    /// By region. O(1) but for the first time: see spanStatistics(). Empty where there is no trace.
    const std::vector<RegionDuration>& of(std::uint32_t number, const Experiment& experiment,
                                          const TimelineIndex& index);

private:
    std::mutex mutex_;
    std::map<std::uint32_t, std::vector<RegionDuration>> known_;  ///< a map: references to its values stay
};

}  // namespace skein
