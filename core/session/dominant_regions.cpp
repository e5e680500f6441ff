// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/dominant_regions.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kMost = 32;
constexpr std::uint64_t kCallsAtOnce = std::uint64_t{1} << 19;
constexpr std::size_t kMostLocations = 32;
constexpr std::size_t kMoments = 128;
constexpr std::size_t kMostSteps = std::size_t{1} << 13;  ///< from a moment's last call back to its caller

/// Own time by call path.
using OwnTimes = std::vector<double>;

void addAllCalls(const CallIntervals& calls, OwnTimes& own)
{
    std::vector<std::uint32_t> open;
    for (std::uint32_t call = 0; call < calls.size(); ++call) {
        while (!open.empty() && calls.depth[open.back()] >= calls.depth[call]) open.pop_back();
        const auto length = static_cast<double>(calls.end[call] - calls.begin[call]);
        own[calls.callPath[call]] += length;
        if (!open.empty()) own[calls.callPath[open.back()]] -= length;
        open.push_back(call);
    }
}

/// The call that is innermost at the moment; the number of calls where none is, or none was found soon.
std::size_t innermostSoon(const CallIntervals& calls, TimeNs moment)
{
    const auto begins = calls.begin.span();
    auto call =
        static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), moment) - begins.begin());
    std::uint32_t depth = 0xFFFFFFFFu;
    for (std::size_t steps = 0; call > 0 && steps < kMostSteps; ++steps) {
        --call;
        if (calls.depth[call] >= depth) continue;
        if (calls.end[call] > moment) return call;
        depth = calls.depth[call];
        if (depth == 0) break;
    }
    return calls.size();
}

void addMoments(const LocationTrace& location, OwnTimes& own)
{
    const auto length = static_cast<double>(location.extent.lengthNs());
    for (std::size_t moment = 0; moment < kMoments; ++moment) {
        const auto at = location.extent.begin
            + static_cast<TimeNs>(length * (static_cast<double>(moment) + 0.5) / kMoments);
        const std::size_t call = innermostSoon(location.intervals, at);
        if (call < location.intervals.size()) own[location.intervals.callPath[call]] += length / kMoments;
    }
}

OwnTimes ownTimesOf(const Experiment& experiment)
{
    OwnTimes own(experiment.callTree->size());
    const auto& locations = experiment.trace->locations;
    const bool all = experiment.trace->intervalCount() <= kCallsAtOnce;
    const std::size_t looked = all ? locations.size() : std::min(locations.size(), kMostLocations);
    for (std::size_t i = 0; i < looked; ++i) {
        const LocationTrace& location = locations[i * locations.size() / looked];
        if (all) addAllCalls(location.intervals, own);
        else addMoments(location, own);
    }
    return own;
}

using TimeByName = std::map<std::string, double>;

TimeByName timesOfTrace(const Experiment& experiment)
{
    TimeByName times;
    const OwnTimes own = ownTimesOf(experiment);
    for (std::uint32_t path = 0; path < own.size(); ++path) {
        const RegionId region = experiment.callTree->region(CallPathId(path));
        if (own[path] > 0 && region.index() < experiment.definitions.regions.size())
            times[displayName(experiment.definitions.region(region))] += own[path];
    }
    return times;
}

/// The place of the column of time where there is one, else of the first.
std::size_t timeColumnOf(const Experiment& experiment)
{
    const std::vector<MetricId>& metrics = experiment.profile->regions.metrics;
    for (std::size_t column = 0; column < metrics.size(); ++column)
        if (!metrics[column].valid() || experiment.definitions.metric(metrics[column]).unit == "ns")
            return column;
    return 0;
}

/// Null where the column cannot be read.
std::shared_ptr<const Profile> profileWith(const Experiment& experiment, std::size_t column)
{
    if (column >= experiment.profile->regions.metrics.size()) return nullptr;
    auto read = withColumn(experiment.profile, column, Task());
    return read && column < (*read)->regions.exclusive.size() ? *read : nullptr;
}

TimeByName timesOfProfile(const Experiment& experiment)
{
    TimeByName times;
    const std::size_t column = timeColumnOf(experiment);
    const std::shared_ptr<const Profile> profile = profileWith(experiment, column);
    if (!profile || profile->regions.exclusive[column].empty()) return times;
    const MetricCube& cube = profile->regions;
    const Column<double>& exclusive = cube.exclusive[column];
    const std::size_t looked = std::min(cube.locations(), kMostLocations);
    for (std::size_t i = 0; i < looked; ++i) {
        const std::size_t location = i * cube.locations() / looked;
        for (std::uint64_t row = cube.locationOffsets[location]; row < cube.locationOffsets[location + 1];
             ++row)
            if (exclusive[row] > 0 && cube.items[row] < experiment.definitions.regions.size())
                times[displayName(experiment.definitions.regions[cube.items[row]])] += exclusive[row];
    }
    return times;
}

std::vector<RegionOwnTime> sortedTimesOf(const Experiment& experiment)
{
    const TimeByName times = experiment.trace ? timesOfTrace(experiment)
        : experiment.profile                  ? timesOfProfile(experiment)
                                              : TimeByName();
    std::vector<std::pair<double, std::string>> ranked;
    for (const auto& [name, time] : times) ranked.emplace_back(-time, name);
    std::sort(ranked.begin(), ranked.end());
    std::vector<RegionOwnTime> sorted;
    for (auto& [time, name] : ranked) sorted.push_back({std::move(name), -time});
    return sorted;
}

/// What was worked out of a trace or profile.
struct FoundRegions {
    RegionOwnTimes times;
    DominantRegions dominant;
};

FoundRegions findRegions(const Experiment& experiment)
{
    std::vector<RegionOwnTime> times = sortedTimesOf(experiment);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(times.size(), kMost); ++i) names.push_back(times[i].name);
    return {std::make_shared<const std::vector<RegionOwnTime>>(std::move(times)),
            std::make_shared<const std::vector<std::string>>(std::move(names))};
}

/// Of the traces and profiles that still exist.
class RememberedRegions {
public:
    FoundRegions of(const Experiment& experiment)
    {
        const std::shared_ptr<const void> source =
            experiment.trace ? std::shared_ptr<const void>(experiment.trace) : experiment.profile;
        const std::lock_guard lock(mutex_);
        std::erase_if(known_, [](const Known& known) { return known.source.expired(); });
        for (const Known& known : known_)
            if (known.source.lock() == source) return known.regions;
        FoundRegions regions = findRegions(experiment);
        if (source) known_.push_back({source, regions});
        return regions;
    }

private:
    struct Known {
        std::weak_ptr<const void> source;
        FoundRegions regions;
    };

    std::mutex mutex_;
    std::vector<Known> known_;
};

RememberedRegions& rememberedRegions()
{
    static RememberedRegions remembered;
    return remembered;
}

}  // namespace

DominantRegions dominantRegions(const Experiment& experiment)
{
    return rememberedRegions().of(experiment).dominant;
}

RegionOwnTimes regionOwnTimes(const Experiment& experiment)
{
    return rememberedRegions().of(experiment).times;
}

}  // namespace skein
