// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/regions/region_durations.h"

#include "algorithms/profile/moments.h"
#include "algorithms/timeline/span_statistics.h"

namespace skein {

const std::vector<RegionDuration>& RegionDurations::of(std::uint32_t number, const Experiment& experiment,
                                                       const TimelineIndex& index)
{
    const std::lock_guard guard(mutex_);
    std::vector<RegionDuration>& durations = known_[number];
    if (!durations.empty() || !experiment.trace) return durations;
    durations.resize(experiment.definitions.regions.size());
    TimeSpan all = experiment.trace->extent;
    ++all.end;
    const auto statistics = spanStatistics(experiment, index, all, {}, Task());
    if (!statistics) return durations;
    const std::vector<std::uint32_t> first = firstOfName(experiment.definitions);
    std::vector<Moments> byName(first.size());
    for (const RegionStatistics& values : statistics->overall) {
        const auto calls = static_cast<double>(values.wholeCalls());
        if (calls == 0.0) continue;
        const auto shortest = static_cast<double>(values.shortestNs),
                   longest = static_cast<double>(values.longestNs);
        byName[first[values.region.index()]].merge({calls, values.meanNs * calls, shortest, longest,
                                                    values.deviationNs * values.deviationNs * calls});
    }
    for (std::size_t region = 0; region < first.size(); ++region) {
        const Moments& calls = byName[first[region]];
        durations[region] = {static_cast<std::uint64_t>(calls.count), calls.mean(),
                             calls.standardDeviation()};
    }
    return durations;
}

}  // namespace skein
