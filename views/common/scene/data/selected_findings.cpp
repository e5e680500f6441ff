// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/selected_findings.h"

#include <algorithm>

namespace skein {

std::optional<TimeSpan> spanOfChanges(const SessionBehaviorPtr& behavior, const Selection& selected)
{
    std::optional<TimeSpan> around;
    if (!behavior) return around;
    for (const ChangePointRef& change : selected.changePoints)
        if (const auto place = placeOfChange(*behavior, change)) {
            const ChangePeriods periods = periodsAround(*behavior, *place);
            const TimeSpan both{periods.before.begin, periods.after.end};
            around = around ? around->united(both) : both;
        }
    return around;
}

std::vector<LocationRef> locationsOfFindings(const SessionBehaviorPtr& behavior, const Selection& selected)
{
    if (!behavior) return {};
    std::vector<LocationRef> locations;
    for (const ChangePointRef& change : selected.changePoints)
        if (const auto place = placeOfChange(*behavior, change))
            for (const std::size_t entity : movedAt(*behavior, *place))
                for (const LocationRef& location : behavior->locationsOf(entity))
                    locations.push_back(location);
    for (const ClusterRef& cluster : selected.clusters)
        if (cluster.experiment == behavior->request.experiment
            && cluster.number < behavior->clusterSizes.size())
            for (const LocationRef& location : behavior->locationsOfCluster(cluster.number))
                locations.push_back(location);
    std::sort(locations.begin(), locations.end());
    locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
    return locations;
}

}  // namespace skein
