// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/outlier_points.h"

#include "core/index/outliers.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kOutliersBetweenStopChecks = 1u << 14;

Unexpected noTrace(const Experiment& experiment)
{
    return fail(ErrorCode::NotRecorded, fmt::format("{} holds no single calls.", experiment.name));
}

/// Collects what one location has.
class LocationSearch {
public:
    LocationSearch(const Experiment& experiment, const TimelineIndex& index, const CallTotals& totals,
                   const CallChoice& choice, const Task& task)
        : experiment_(experiment), index_(index), totals_(totals), choice_(choice), task_(task)
    {
    }

    /// False when it was told to stop.
    bool search(LocationId location, OutlierPoints& found) const
    {
        const auto outliers = index_.locations[location.index()].outliers.span();
        const auto before = [](const Outlier& outlier, TimeNs time) { return outlier.begin < time; };
        const auto first = std::lower_bound(outliers.begin(), outliers.end(), choice_.span.begin, before);
        const auto last = std::lower_bound(first, outliers.end(), choice_.span.end, before);
        LocationOutliers sum{location, 0, 0, {}};
        for (auto at = first; at != last; ++at) {
            if (static_cast<std::size_t>(at - first) % kOutliersBetweenStopChecks == 0
                && task_.stopRequested())
                return false;
            const RegionId region = experiment_.callTree->region(CallPathId(at->callPath));
            if (!region.valid() || !choice_.takes(region)) continue;
            const TimeNs duration = at->end - at->begin;
            const OutlierCall one{location,  at->call, region,
                                  at->begin, duration, totals_.usualNs(region, duration)};
            if (sum.calls++ == 0 || one.excessNs() > sum.worst.excessNs()) sum.worst = one;
            sum.excessNs += one.excessNs();
            found.calls.push_back(one);
        }
        if (sum.calls > 0) found.locations.push_back(sum);
        return true;
    }

private:
    const Experiment& experiment_;
    const TimelineIndex& index_;
    const CallTotals& totals_;
    const CallChoice& choice_;
    const Task& task_;
};

/// Leaves those of most excess, in the order they had.
void keepWorst(std::vector<OutlierCall>& calls, std::size_t limit)
{
    if (calls.size() <= limit) return;
    std::vector<std::uint32_t> order(calls.size());
    for (std::uint32_t number = 0; number < order.size(); ++number) order[number] = number;
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(limit);
    std::nth_element(order.begin(), end, order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return calls[a].excessNs() != calls[b].excessNs() ? calls[a].excessNs() > calls[b].excessNs() : a < b;
    });
    std::sort(order.begin(), end);
    std::vector<OutlierCall> kept;
    for (auto number = order.begin(); number != end; ++number) kept.push_back(calls[*number]);
    calls = std::move(kept);
}

}  // namespace

double CallTotals::usualNs(RegionId region, TimeNs duration) const
{
    const CallSum& sum = sums[firstOfName[region.index()]];
    return sum.calls < 2
        ? 0.0
        : static_cast<double>(sum.durationNs - duration) / static_cast<double>(sum.calls - 1);
}

bool CallTotals::hasUsual(RegionId region) const
{
    return sums[firstOfName[region.index()]].calls >= UsualDurations::kFewestCalls;
}

Result<CallTotals> callTotals(const Experiment& experiment, const TimelineIndex& index, const Task& task)
{
    if (!experiment.trace) return noTrace(experiment);
    CallTally tally(experiment.callTree->size());
    for (std::size_t location = 0; location < experiment.trace->locations.size(); ++location) {
        if (task.stopRequested()) return cancelled();
        const CallIntervals& calls = experiment.trace->locations[location].intervals;
        index.locations[location].sums.addTo(tally, calls, 0, static_cast<std::uint32_t>(calls.size()));
    }
    CallTotals totals{std::vector<CallSum>(experiment.definitions.regions.size()),
                      firstOfName(experiment.definitions)};
    const CallPathRegions named(*experiment.callTree, totals.firstOfName);
    const std::vector<CallSum> sums = sumsByRegion(tally, named);
    std::copy(sums.begin(), sums.end(), totals.sums.begin());
    return totals;
}

Result<OutlierPoints> outlierPoints(const Experiment& experiment, const TimelineIndex& index,
                                    const CallTotals& totals, const CallChoice& choice, std::size_t limit,
                                    const Task& task)
{
    if (!experiment.trace) return noTrace(experiment);
    OutlierPoints found;
    const LocationSearch search(experiment, index, totals, choice, task);
    for (const LocationId location : choice.locations) {
        if (task.stopRequested() || !search.search(location, found)) return cancelled();
    }
    for (const LocationOutliers& location : found.locations) {
        found.total += location.calls;
        found.excessNs += location.excessNs;
    }
    keepWorst(found.calls, limit);
    return found;
}

}  // namespace skein
