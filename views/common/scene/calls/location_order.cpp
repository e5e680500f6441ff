// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/location_order.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace skein {

std::vector<LocationId> locationsByRank(const Definitions& definitions)
{
    std::vector<LocationId> ids;
    for (std::size_t index = 0; index < definitions.locations.size(); ++index) ids.emplace_back(index);
    const auto key = [&](LocationId id) {
        const Location& location = definitions.location(id);
        const std::int64_t rank =
            location.rank < 0 ? std::numeric_limits<std::int64_t>::max() : location.rank;
        return std::pair(rank, location.rank < 0 ? 0 : location.thread);
    };
    std::stable_sort(ids.begin(), ids.end(), [&](LocationId a, LocationId b) { return key(a) < key(b); });
    return ids;
}

std::vector<LocationId> recordedLocations(const Experiment& experiment)
{
    if (!experiment.trace) return {};
    std::vector<LocationId> ids = locationsByRank(experiment.definitions);
    std::erase_if(ids, [&](LocationId id) {
        if (id.index() >= experiment.trace->locations.size()) return true;
        const LocationTrace& location = experiment.trace->locations[id.index()];
        const bool metricsOnly = experiment.definitions.location(id).kind == LocationKind::Metric;
        return location.events == 0 || (metricsOnly && location.intervals.size() == 0);
    });
    return ids;
}

}  // namespace skein
