// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/restrict.h"

#include "algorithms/profile/trace_metrics.h"

#include <algorithm>

namespace skein {
namespace {

/// Copies the rows of some locations out of the columns of a cube.
class CubeCutter {
public:
    CubeCutter(const MetricCube& cube, const std::vector<LocationId>& locations) : cube_(cube)
    {
        std::uint64_t rows = 0;
        offsets_.push_back(0);
        for (std::size_t location = 0; location < cube.locations(); ++location) {
            const bool kept = std::binary_search(locations.begin(), locations.end(), LocationId(location));
            const std::uint64_t from = cube.locationOffsets[location];
            const std::uint64_t to = cube.locationOffsets[location + 1];
            if (kept) ranges_.push_back({from, to});
            rows += kept ? to - from : 0;
            offsets_.push_back(rows);
        }
    }

    MetricCube cut()
    {
        MetricCube result;
        result.metrics = cube_.metrics;
        if (cube_.locations() > 0) result.locationOffsets = Column<std::uint64_t>(std::move(offsets_));
        result.items = copied(cube_.items);
        result.calls = copied(cube_.calls);
        result.subroutines = copied(cube_.subroutines);
        for (const auto& column : cube_.inclusive) result.inclusive.push_back(copied(column));
        for (const auto& column : cube_.exclusive) result.exclusive.push_back(copied(column));
        const CallDurations& durations = cube_.durations;
        result.durations = {copied(durations.cut), copied(durations.sum), copied(durations.minimum),
                            copied(durations.maximum), copied(durations.squaredDeviations)};
        return result;
    }

private:
    template <typename T>
    Column<T> copied(const Column<T>& column) const
    {
        std::vector<T> values;
        if (column.empty()) return {};
        for (const auto& [from, to] : ranges_)
            values.insert(values.end(), column.begin() + from, column.begin() + to);
        return Column<T>(std::move(values));
    }

    const MetricCube& cube_;
    std::vector<std::uint64_t> offsets_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

}  // namespace

Profile keepLocations(const Profile& profile, const std::vector<LocationId>& locations)
{
    Profile result;
    result.callPaths = CubeCutter(profile.callPaths, locations).cut();
    result.regions = CubeCutter(profile.regions, locations).cut();
    std::vector<EventStatistic> statistics;
    for (const EventStatistic& statistic : profile.statistics)
        if (std::binary_search(locations.begin(), locations.end(), statistic.location))
            statistics.push_back(statistic);
    result.statistics = Column<EventStatistic>(std::move(statistics));
    result.artificial = profile.artificial;
    return result;
}

Result<std::shared_ptr<const Profile>> profileOfPart(const Experiment& experiment, const ProfilePart& part,
                                                     const Task& task)
{
    const bool sumUp = experiment.trace && (part.window || !experiment.profile);
    if (sumUp && part.locations && !part.locations->empty()) {
        std::vector<MetricId> metrics;
        if (const MetricId metric = metricPerCall(experiment, part.metric); metric.valid())
            metrics.push_back(metric);
        auto summary = summarizeTrace(experiment, {part.window, *part.locations, std::move(metrics)}, task);
        if (!summary) return tl::make_unexpected(std::move(summary.error()));
        return std::make_shared<const Profile>(std::move(*summary));
    }
    auto profile = profileOf(experiment, part.window, part.metric, task);
    if (!profile || !part.locations) return profile;
    return std::make_shared<const Profile>(keepLocations(**profile, *part.locations));
}

}  // namespace skein
