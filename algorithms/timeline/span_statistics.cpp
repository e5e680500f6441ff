// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/span_statistics.h"

#include "core/base/parallel_for.h"
#include "core/index/span_sums.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace skein {
namespace {

constexpr std::size_t kMostParts =
    64;  ///< locations are dealt out in so many parts, each with sums of its own

/// Calls of one region.
struct RegionSum {
    CallSum whole;
    std::uint64_t cut = 0;
    TimeNs inclusiveNs = 0;
    TimeNs exclusiveNs = 0;

    void merge(const RegionSum& other)
    {
        whole.merge(other.whole);
        cut += other.cut;
        inclusiveNs += other.inclusiveNs;
        exclusiveNs += other.exclusiveNs;
    }
};

/// Sums by region. Clearing costs the regions that were called.
class RegionTally {
public:
    explicit RegionTally(const CallPathRegions& paths) : paths_(paths), sums_(paths.regionCount) {}

    void add(SpanSums& sums)
    {
        for (const std::uint32_t path : sums.callPaths()) {
            const TimeNs time = sums.timeNs(path);
            RegionSum& sum = at(paths_.region[path]);
            sum.whole.merge(sums.whole(path));
            sum.cut += sums.cut(path).calls;
            sum.exclusiveNs += time;
            if (paths_.outermost[path]) sum.inclusiveNs += time;
            if (paths_.callerRegion[path] != CallPathId::kNone)
                at(paths_.callerRegion[path]).exclusiveNs -= time;
        }
    }
    void add(std::uint32_t region, const RegionSum& sum) { at(region).merge(sum); }

    /// Calls take(region, sum) for the regions that were called, in increasing order.
    template <typename Function>
    void forEachCalled(Function take)
    {
        std::sort(touched_.begin(), touched_.end());
        touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
        for (const std::uint32_t region : touched_) take(region, sums_[region]);
    }
    void clear()
    {
        for (const std::uint32_t region : touched_) sums_[region] = {};
        touched_.clear();
    }

private:
    /// A region has calls from its first sum on, so that it is noted once or, as a caller, twice.
    RegionSum& at(std::uint32_t region)
    {
        RegionSum& sum = sums_[region];
        if (sum.whole.calls + sum.cut == 0) touched_.push_back(region);
        return sum;
    }

    const CallPathRegions& paths_;
    std::vector<RegionSum> sums_;
    std::vector<std::uint32_t> touched_;
};

RegionStatistics statisticsOf(std::uint32_t region, const RegionSum& sum)
{
    const bool known = sum.whole.calls > 0;
    return {RegionId(region),
            sum.whole.calls + sum.cut,
            sum.cut,
            sum.inclusiveNs,
            sum.exclusiveNs,
            known ? sum.whole.shortestNs : 0,
            known ? sum.whole.longestNs : 0,
            sum.whole.meanNs(),
            sum.whole.deviationNs()};
}

/// The rows of some neighbouring locations, and their sum.
struct Part {
    std::vector<std::vector<RegionStatistics>> rows;
    std::vector<std::pair<std::uint32_t, RegionSum>> sums;
};

Part partOf(const Trace& trace, const TimelineIndex& index, const CallPathRegions& paths, TimeSpan span,
            const std::vector<bool>& wanted, std::pair<std::size_t, std::size_t> locations, const Task& task)
{
    Part part;
    SpanSums calls(paths.region.size());
    RegionTally tally(paths), all(paths);
    for (std::size_t location = locations.first; location < locations.second && !task.stopRequested();
         ++location) {
        auto& rows = part.rows.emplace_back();
        if (!wanted[location] || span.empty()) continue;
        calls.add(trace.locations[location].intervals, index.locations[location], span);
        tally.add(calls);
        tally.forEachCalled([&](std::uint32_t region, const RegionSum& sum) {
            rows.push_back(statisticsOf(region, sum));
            all.add(region, sum);
        });
        tally.clear();
        calls.clear();
    }
    all.forEachCalled(
        [&](std::uint32_t region, const RegionSum& sum) { part.sums.emplace_back(region, sum); });
    return part;
}

SpanStatistics joined(const std::vector<Part>& parts, const CallPathRegions& paths)
{
    SpanStatistics result;
    RegionTally all(paths);
    std::size_t locations = 0, count = 0;
    for (const Part& part : parts) {
        locations += part.rows.size();
        for (const auto& rows : part.rows) count += rows.size();
    }
    result.locationOffsets.reserve(locations + 1);
    result.rows.reserve(count);
    result.locationOffsets.push_back(0);
    for (const Part& part : parts) {
        for (const auto& rows : part.rows) {
            result.rows.insert(result.rows.end(), rows.begin(), rows.end());
            result.locationOffsets.push_back(result.rows.size());
        }
        for (const auto& [region, sum] : part.sums) all.add(region, sum);
    }
    all.forEachCalled([&](std::uint32_t region, const RegionSum& sum) {
        result.overall.push_back(statisticsOf(region, sum));
    });
    return result;
}

}  // namespace

Result<SpanStatistics> spanStatistics(const Experiment& experiment, const TimelineIndex& index, TimeSpan span,
                                      std::span<const LocationId> locations, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded,
                    fmt::format("{} holds no trace that could be summed up.", experiment.name));
    const std::size_t count = experiment.trace->locations.size();
    std::vector<bool> wanted(count, locations.empty());
    for (const LocationId location : locations)
        if (location.index() < count) wanted[location.index()] = true;
    const CallPathRegions paths(*experiment.callTree);
    std::vector<Part> parts(std::min(count, kMostParts));
    const bool complete = parallelFor(parts.size(), task, [&](std::size_t part) {
        const std::pair range{part * count / parts.size(), (part + 1) * count / parts.size()};
        parts[part] = partOf(*experiment.trace, index, paths, span, wanted, range, task);
    });
    if (!complete || task.stopRequested()) return cancelled();
    return joined(parts, paths);
}

}  // namespace skein
