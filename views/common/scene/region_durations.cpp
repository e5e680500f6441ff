// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/region_durations.h"

#include "algorithms/timeline/span_statistics.h"

namespace skein {

const std::vector<RegionDuration>& RegionDurations::of(std::uint32_t number, const Experiment& experiment, const TimelineIndex& index)
{
    const std::lock_guard guard(mutex_);
    std::vector<RegionDuration>& durations = known_[number];
    if (!durations.empty() || !experiment.trace) return durations;
    durations.resize(experiment.definitions.regions.size());
    TimeSpan all = experiment.trace->extent;
    ++all.end;
    const auto statistics = spanStatistics(experiment, index, all, {}, Task());
    if (!statistics) return durations;
    for (const RegionStatistics& values : statistics->overall)
        durations[values.region.index()] = {values.calls, values.meanNs, values.deviationNs};
    return durations;
}

}  // namespace skein
