// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/call_sums.h"

#include "core/base/block_storage.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

__extension__ using WideSum = unsigned __int128;

WideSum squaresOf(const CallSum& sum) { return static_cast<WideSum>(sum.squaresHigh) << 64 | sum.squaresLow; }

void setSquares(CallSum& sum, WideSum squares)
{
    sum.squaresLow = static_cast<std::uint64_t>(squares);
    sum.squaresHigh = static_cast<std::uint64_t>(squares >> 64);
}

/// Groups while they are made.
struct Groups {
    ColumnBuilder<std::uint32_t> offsets, callPaths;
    ColumnBuilder<CallSum> sums;

    void close(CallTally& tally)
    {
        offsets.push(static_cast<std::uint32_t>(callPaths.size()));
        for (const std::uint32_t callPath : tally.sorted()) {
            callPaths.push(callPath);
            sums.push(tally[callPath]);
        }
        tally.clear();
    }
    /// One past the rows of the groups closed so far stands behind the last group's offset only at the end.
    std::size_t endOf(std::size_t group) const
    {
        return group + 1 < offsets.size() ? offsets[group + 1] : callPaths.size();
    }

    void addTo(CallTally& tally, std::size_t group) const
    {
        for (std::size_t row = offsets[group]; row < endOf(group); ++row)
            tally.add(callPaths[row], sums[row]);
    }
};

}  // namespace

void CallSum::addCall(TimeNs duration)
{
    ++calls;
    durationNs += duration;
    shortestNs = std::min(shortestNs, duration);
    longestNs = std::max(longestNs, duration);
    const auto ns = static_cast<std::uint64_t>(duration);
    setSquares(*this, squaresOf(*this) + static_cast<WideSum>(ns) * ns);
}

void CallSum::merge(const CallSum& other)
{
    calls += other.calls;
    durationNs += other.durationNs;
    shortestNs = std::min(shortestNs, other.shortestNs);
    longestNs = std::max(longestNs, other.longestNs);
    setSquares(*this, squaresOf(*this) + squaresOf(other));
}

/// Deviations from the whole part of the mean are summed without rounding, so that long steady calls keep
/// theirs.
double CallSum::squaredDeviations() const
{
    if (calls == 0) return 0;
    const WideSum count = calls;
    const WideSum total = static_cast<WideSum>(durationNs);
    const WideSum mean = static_cast<std::uint64_t>(durationNs) / calls;
    const auto around = static_cast<long double>(squaresOf(*this) + count * mean * mean - 2 * mean * total);
    const auto rest = static_cast<long double>(total - count * mean);
    const auto n = static_cast<long double>(calls);
    return static_cast<double>(std::max(0.0L, around - rest * rest / n));
}

double CallSum::deviationNs() const
{
    return calls == 0 ? 0.0 : std::sqrt(squaredDeviations() / static_cast<double>(calls));
}

CallPathRegions::CallPathRegions(const CallTree& callTree)
    : region(callTree.size()), callerRegion(callTree.size(), CallPathId::kNone), outermost(callTree.size())
{
    for (std::uint32_t path = 0; path < callTree.size(); ++path) {
        const CallPathId id(path);
        region[path] = callTree.region(id).value();
        if (callTree.parent(id).valid()) callerRegion[path] = region[callTree.parent(id).index()];
        outermost[path] = !callTree.isRecursive(id);
        if (callTree.region(id).valid()) regionCount = std::max(regionCount, region[path] + 1);
    }
}

CallPathRegions::CallPathRegions(const CallTree& callTree, const std::vector<std::uint32_t>& firstOfName)
    : CallPathRegions(callTree)
{
    for (auto* all : {&region, &callerRegion})
        for (std::uint32_t& one : *all)
            if (one < firstOfName.size()) one = firstOfName[one];
}

std::uint32_t CallTally::newSlot(std::uint32_t callPath)
{
    touched_.push_back(callPath);
    sums_.emplace_back();
    return static_cast<std::uint32_t>(sums_.size() - 1);
}

const std::vector<std::uint32_t>& CallTally::sorted()
{
    std::sort(touched_.begin(), touched_.end());
    return touched_;
}

void CallTally::clear()
{
    for (const std::uint32_t callPath : touched_) slotOf_[callPath] = kNoSlot;
    touched_.clear();
    sums_.clear();
}

std::vector<CallSum> sumsByRegion(CallTally& tally, const CallPathRegions& paths)
{
    std::vector<CallSum> sums(paths.regionCount);
    for (const std::uint32_t callPath : tally.sorted())
        if (paths.region[callPath] < sums.size()) sums[paths.region[callPath]].merge(tally[callPath]);
    return sums;
}

CallSums::CallSums(const CallIntervals& calls, CallTally& tally, const Task& task)
{
    Groups groups;
    levelOffsets_.push_back(0);
    const std::size_t count = calls.size();
    for (std::size_t from = 0; from < count; from += kBlock) {
        if (task.stopRequested()) return;
        for (std::size_t call = from; call < std::min<std::size_t>(from + kBlock, count); ++call)
            tally.addCall(calls.callPath[call], calls.end[call] - calls.begin[call]);
        groups.close(tally);
    }
    while (groups.offsets.size() - levelOffsets_.back() > kFanOut) {
        const std::size_t below = levelOffsets_.back();
        const std::size_t end = groups.offsets.size();
        levelOffsets_.push_back(end);
        for (std::size_t from = below; from < end; from += kFanOut) {
            if (task.stopRequested()) return;
            for (std::size_t group = from; group < std::min<std::size_t>(from + kFanOut, end); ++group)
                groups.addTo(tally, group);
            groups.close(tally);
        }
    }
    groups.offsets.push(static_cast<std::uint32_t>(groups.callPaths.size()));
    offsets_ = groups.offsets.finish();
    callPaths_ = groups.callPaths.finish();
    sums_ = groups.sums.finish();
}

void CallSums::addGroup(CallTally& tally, std::size_t group) const
{
    for (std::uint32_t row = offsets_[group]; row < offsets_[group + 1]; ++row)
        tally.add(callPaths_[row], sums_[row]);
}

void CallSums::addTo(CallTally& tally, const CallIntervals& calls, std::uint32_t first,
                     std::uint32_t last) const
{
    std::size_t at = first;
    while (at < last) {
        if (at % kBlock != 0 || at + kBlock > last) {
            tally.addCall(calls.callPath[at], calls.end[at] - calls.begin[at]);
            ++at;
            continue;
        }
        std::size_t level = 0;
        std::size_t size = kBlock;
        while (level + 1 < levelOffsets_.size() && at % (size * kFanOut) == 0
               && at + size * kFanOut <= last) {
            ++level;
            size *= kFanOut;
        }
        addGroup(tally, levelOffsets_[level] + at / size);
        at += size;
    }
}

void CallSums::moveTo(BlockStorage& storage) { storage.move(offsets_, callPaths_, sums_); }

}  // namespace skein
