// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/timeline_index.h"

#include "core/base/block_storage.h"
#include "core/base/memory_limit.h"
#include "core/base/parallel_for.h"
#include "core/base/unfinished.h"
#include "core/index/outliers.h"

#include <algorithm>
#include <atomic>

namespace skein {
namespace {

std::uint32_t depthOf(const CallIntervals& calls)
{
    return calls.size() == 0 ? 0 : *std::max_element(calls.depth.begin(), calls.depth.end()) + 1u;
}

class IndexBuilder {
public:
    IndexBuilder(const Trace& trace, const CallTree& callTree, const Task& task,
                 const std::vector<std::uint32_t>& firstOfName)
        : trace_(trace), named_(callTree, firstOfName), task_(task)
    {
        const std::size_t count = trace.locations.size();
        index_.locations.resize(count);
        if (count >= TimelineIndex::kFewestToBundle)
            index_.bundles.resize((count + TimelineIndex::kBundle - 1) / TimelineIndex::kBundle);
        steps_ = static_cast<double>(2 * count + index_.bundles.size() + 1);
    }

    Result<TimelineIndex> run()
    {
        std::vector<std::uint32_t> depths(trace_.locations.size());
        const bool finished = each(trace_.locations.size(),
                                   [&](std::size_t location) {
                                       depths[location] = depthOf(trace_.locations[location].intervals);
                                       return buildLocation(location);
                                   })
            && each(index_.bundles.size(), [&](std::size_t bundle) { return buildBundle(bundle); })
            && addOutliers();
        if (!finished || task_.stopRequested()) return cancelled();
        for (const std::uint32_t depth : depths) index_.maximumDepth = std::max(index_.maximumDepth, depth);
        index_.messages = MessageSkip(trace_.messages, task_);
        if (task_.stopRequested()) return cancelled();
        return std::move(index_);
    }

private:
    template <typename Work>
    bool each(std::size_t count, Work work)
    {
        return parallelFor(count, task_, [&](std::size_t item) {
            if (work(item)) task_.report(static_cast<double>(++done_) / steps_, "summing up calls");
        });
    }

    bool buildLocation(std::size_t location)
    {
        const CallIntervals& calls = trace_.locations[location].intervals;
        auto tree = buildTimeTree(calls, named_.region, named_.regionCount, task_);
        if (!tree) return false;
        CallTally tally(named_.region.size());
        index_.locations[location] = {settled(std::move(*tree)),
                                      settled(IntervalSkip(calls, task_)),
                                      settled(CallSums(calls, tally, task_)),
                                      {}};
        columnsLeaveMemory(calls.begin, calls.end, calls.callPath, calls.depth);
        return !task_.stopRequested();
    }

    bool buildBundle(std::size_t bundle)
    {
        const std::size_t first = bundle * TimelineIndex::kBundle;
        std::vector<const CallIntervals*> members;
        for (std::size_t location = first;
             location < std::min(first + TimelineIndex::kBundle, trace_.locations.size()); ++location)
            members.push_back(&trace_.locations[location].intervals);
        auto tree = buildBundleTree(members, named_.region, named_.regionCount, task_);
        if (!tree) return false;
        index_.bundles[bundle] = settled(std::move(*tree));
        return true;
    }

    bool addOutliers()
    {
        if (task_.stopRequested()) return false;
        CallTally tally(named_.region.size());
        for (std::size_t location = 0; location < trace_.locations.size(); ++location) {
            if (task_.stopRequested()) return false;
            const CallIntervals& calls = trace_.locations[location].intervals;
            index_.locations[location].sums.addTo(tally, calls, 0, static_cast<std::uint32_t>(calls.size()));
        }
        const UsualDurations usual(sumsByRegion(tally, named_));
        return each(trace_.locations.size(), [&](std::size_t location) {
            const CallIntervals& calls = trace_.locations[location].intervals;
            index_.locations[location].outliers = Column<Outlier>(findOutliers(calls, named_, usual, task_));
            columnsLeaveMemory(calls.begin, calls.end, calls.callPath);
            return true;
        });
    }

    /// Under a memory limit what is made goes where the columns of the trace are: into files, once memory is
    /// short.
    template <typename Part>
    Part settled(Part part)
    {
        if (limited_) part.moveTo(storage_);
        return part;
    }

    const Trace& trace_;
    const CallPathRegions named_;  ///< regions of one name are one
    const Task& task_;
    const bool limited_ = memoryLimit().has_value();
    BlockStorage storage_;
    TimelineIndex index_;
    std::atomic<std::size_t> done_{0};
    double steps_ = 1;
};

}  // namespace

std::size_t TimelineIndex::bytes() const
{
    std::size_t sum = messages.bytes();
    for (const Location& location : locations)
        sum +=
            location.tree.bytes() + location.skip.bytes() + location.sums.bytes() + location.outliers.bytes();
    for (const BundleTree& bundle : bundles) sum += bundle.bytes();
    return sum;
}

Result<TimelineIndex> buildTimelineIndex(const Trace& trace, const CallTree& callTree, const Task& task)
{
    return buildTimelineIndex(trace, callTree, {}, task);
}

Result<TimelineIndex> buildTimelineIndex(const Trace& trace, const CallTree& callTree,
                                         const std::vector<std::uint32_t>& firstOfName, const Task& task)
{
    const Unfinished<IndexBuilder> builder(task, trace, callTree, task, firstOfName);
    return builder->run();
}

}  // namespace skein
