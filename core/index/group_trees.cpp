// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/group_trees.h"

#include "core/base/parallel_for.h"
#include "core/index/call_sums.h"

#include <algorithm>
#include <atomic>

namespace skein {

std::size_t GroupTrees::usualMostBytes(std::optional<std::uint64_t> memoryLimit)
{
    constexpr std::size_t kMost = 512ull << 20;
    return memoryLimit ? static_cast<std::size_t>(std::min<std::uint64_t>(kMost, *memoryLimit / 8)) : kMost;
}

std::shared_ptr<const BundleTree> GroupTrees::find(std::uint32_t experiment,
                                                   std::span<const LocationId> locations)
{
    if (locations.size() < 2 || locations.size() > kMostLocations) return nullptr;
    Key key{experiment, {locations.begin(), locations.end()}};
    const std::lock_guard lock(mutex_);
    if (const auto found = trees_.find(key); found != trees_.end()) return found->second;
    if (bytes_ < mostBytes_) wanted_.insert(std::move(key));
    return nullptr;
}

bool GroupTrees::anyWanted() const
{
    const std::lock_guard lock(mutex_);
    return !wanted_.empty();
}

Result<void> GroupTrees::make(const Session& session, const Task& task)
{
    std::vector<Key> wanted;
    {
        const std::lock_guard lock(mutex_);
        wanted.assign(wanted_.begin(), wanted_.end());
    }
    std::atomic<std::size_t> done{0};
    const bool finished = parallelFor(wanted.size(), task, [&](std::size_t number) {
        if (!makeOne(session, wanted[number], task)) return;
        task.report(static_cast<double>(++done) / static_cast<double>(wanted.size()), "summing up rows");
    });
    if (!finished || task.stopRequested()) return cancelled();
    return {};
}

bool GroupTrees::makeOne(const Session& session, const Key& key, const Task& task)
{
    {
        const std::lock_guard lock(mutex_);
        if (bytes_ >= mostBytes_) return false;
    }
    const Experiment& experiment = *session.experiments[key.first];
    const CallPathRegions paths(*experiment.callTree, firstOfName(experiment.definitions));
    std::vector<const CallIntervals*> calls;
    for (const LocationId location : key.second)
        calls.push_back(&experiment.trace->locations[location.index()].intervals);
    auto tree = buildBundleTree(calls, paths.region, paths.regionCount, task);
    if (!tree) return false;
    for (const CallIntervals* of : calls) columnsLeaveMemory(of->begin, of->end, of->callPath, of->depth);
    const std::lock_guard lock(mutex_);
    bytes_ += tree->bytes();
    trees_.insert_or_assign(key, std::make_shared<const BundleTree>(std::move(*tree)));
    wanted_.erase(key);
    if (bytes_ >= mostBytes_) wanted_.clear();
    return true;
}

}  // namespace skein
