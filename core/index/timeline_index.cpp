// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/timeline_index.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <atomic>

namespace skein {
namespace {

std::uint32_t depthOf(const CallIntervals& calls)
{
    return calls.size() == 0 ? 0 : *std::max_element(calls.depth.begin(), calls.depth.end()) + 1u;
}

}  // namespace

std::size_t TimelineIndex::bytes() const
{
    std::size_t sum = messages.bytes();
    for (const Location& location : locations) sum += location.tree.bytes() + location.skip.bytes() + location.sums.bytes();
    return sum;
}

Result<TimelineIndex> buildTimelineIndex(const Trace& trace, const CallTree& callTree, const Task& task)
{
    TimelineIndex index;
    index.locations.resize(trace.locations.size());
    std::vector<std::uint32_t> depths(trace.locations.size());
    const CallPathRegions paths(callTree);
    std::atomic<std::size_t> done{0};
    const bool finished = parallelFor(trace.locations.size(), task, [&](std::size_t location) {
        const CallIntervals& calls = trace.locations[location].intervals;
        auto tree = buildTimeTree(calls, paths.region, paths.regionCount, task);
        if (!tree) return;
        CallTally tally(paths);
        index.locations[location] = {std::move(*tree), IntervalSkip(calls), CallSums(calls, tally)};
        depths[location] = depthOf(calls);
        task.report(static_cast<double>(++done) / static_cast<double>(trace.locations.size()), "summing up calls");
    });
    if (!finished || task.stopRequested()) return cancelled();
    for (const std::uint32_t depth : depths) index.maximumDepth = std::max(index.maximumDepth, depth);
    index.messages = MessageSkip(trace.messages);
    return index;
}

}  // namespace skein
