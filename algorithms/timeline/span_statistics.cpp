// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/span_statistics.h"

#include "core/base/parallel_for.h"
#include "core/index/first_call.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kMostParts =
    64;  ///< locations are dealt out in so many parts, each with sums of its own

/// Adds what one location did in the span.
void addLocation(const CallIntervals& calls, const TimelineIndex::Location& index, TimeSpan span,
                 CallTally& tally)
{
    const std::uint32_t first = firstCallFrom(calls, span.begin);
    const std::uint32_t last = firstCallFrom(calls, span.end);
    const auto addPart = [&](std::uint32_t call) {
        tally.addCall(calls.callPath[call],
                      std::min(calls.end[call], span.end) - std::max(calls.begin[call], span.begin));
    };
    for (std::uint32_t call = first == 0 ? kNoInterval : first - 1; call != kNoInterval;
         call = index.skip.parent(calls, call))
        if (calls.end[call] > span.begin) addPart(call);
    // Calls that reach beyond the span are the last one that begins in it, and those around it.
    std::uint32_t whole = last;
    for (std::uint32_t call = last == first ? kNoInterval : last - 1; call != kNoInterval && call >= first;
         call = index.skip.parent(calls, call)) {
        if (calls.end[call] <= span.end) continue;
        index.sums.addTo(tally, calls, call + 1, whole);
        addPart(call);
        whole = call;
    }
    index.sums.addTo(tally, calls, first, whole);
}

RegionStatistics statisticsOf(std::uint32_t region, const CallSum& sum)
{
    return {RegionId(region), sum.calls,     sum.inclusiveNs, sum.exclusiveNs,
            sum.shortestNs,   sum.longestNs, sum.meanNs(),    sum.deviationNs()};
}

/// Regions that are known as callers only have no call in the span, so nothing of them is in it either.
template <typename Function>
void forEachCalled(CallTally& tally, Function take)
{
    for (const std::uint32_t region : tally.sorted())
        if (tally[region].calls > 0) take(region, tally[region]);
}

/// The rows of some neighbouring locations, and their sum.
struct Part {
    std::vector<std::vector<RegionStatistics>> rows;
    std::vector<std::pair<std::uint32_t, CallSum>> sums;
};

Part partOf(const Trace& trace, const TimelineIndex& index, const CallPathRegions& paths, TimeSpan span,
            const std::vector<bool>& wanted, std::pair<std::size_t, std::size_t> locations, const Task& task)
{
    Part part;
    CallTally tally(paths), all(paths);
    for (std::size_t location = locations.first; location < locations.second && !task.stopRequested();
         ++location) {
        auto& rows = part.rows.emplace_back();
        if (!wanted[location] || span.empty()) continue;
        addLocation(trace.locations[location].intervals, index.locations[location], span, tally);
        forEachCalled(tally, [&](std::uint32_t region, const CallSum& sum) {
            rows.push_back(statisticsOf(region, sum));
            all.add(region, sum);
        });
        tally.clear();
    }
    forEachCalled(all,
                  [&](std::uint32_t region, const CallSum& sum) { part.sums.emplace_back(region, sum); });
    return part;
}

SpanStatistics joined(const std::vector<Part>& parts, const CallPathRegions& paths)
{
    SpanStatistics result;
    CallTally all(paths);
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
    forEachCalled(all, [&](std::uint32_t region, const CallSum& sum) {
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
