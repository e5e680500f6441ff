// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/task.h"
#include "core/profile/call_tree.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace skein::disk {
struct Fields;
}

namespace skein {

class BlockStorage;

/// Calls summed up. Whole numbers, so that sums of parts are the sum of the whole to the last bit.
struct CallSum {
    std::uint64_t calls = 0;
    TimeNs durationNs = 0;                                   ///< of all calls
    TimeNs shortestNs = std::numeric_limits<TimeNs>::max();  ///< of one call
    TimeNs longestNs = -1;                                   ///< of one call; −1 without calls
    std::uint64_t squaresLow = 0;                            ///< Σ duration², 128 bits
    std::uint64_t squaresHigh = 0;

    void addCall(TimeNs duration);
    void merge(const CallSum& other);
    double meanNs() const
    {
        return calls == 0 ? 0.0 : static_cast<double>(durationNs) / static_cast<double>(calls);
    }
    /// Σ (duration − mean)²; 0 without calls.
    double squaredDeviations() const;
    /// Standard deviation of the durations (divisor n); 0 without calls.
    double deviationNs() const;
    bool operator==(const CallSum&) const = default;
};

/// What the sums need to know of each call path, looked up once in the call tree.
struct CallPathRegions {
    explicit CallPathRegions(const CallTree& callTree);
    /// Regions of the same name count as the first of them, see firstOfName().
    CallPathRegions(const CallTree& callTree, const std::vector<std::uint32_t>& firstOfName);

    std::vector<std::uint32_t> region;        ///< per call path
    std::vector<std::uint32_t> callerRegion;  ///< CallPathId::kNone for roots
    std::vector<std::uint8_t> outermost;      ///< 1: no caller is in the same region
    std::uint32_t regionCount = 0;            ///< largest region of any path + 1
};

/// Sums by call path. Memory: 4 bytes a call path of the tree, the rest by those that were called; clearing
/// costs the latter only. Not thread-safe.
class CallTally {
public:
    explicit CallTally(std::size_t callPaths) : slotOf_(callPaths, kNoSlot) {}

    /// One call, or the part of it that counts.
    void addCall(std::uint32_t callPath, TimeNs duration) { at(callPath).addCall(duration); }
    void add(std::uint32_t callPath, const CallSum& sum) { at(callPath).merge(sum); }
    /// The call paths that have a sum, in increasing order.
    const std::vector<std::uint32_t>& sorted();
    /// Of a call path without one: no calls.
    const CallSum& operator[](std::uint32_t callPath) const
    {
        return slotOf_[callPath] == kNoSlot ? nothing_ : sums_[slotOf_[callPath]];
    }
    void clear();

private:
    static constexpr std::uint32_t kNoSlot = 0xFFFFFFFFu;

    CallSum& at(std::uint32_t callPath)
    {
        std::uint32_t& slot = slotOf_[callPath];
        if (slot == kNoSlot) slot = newSlot(callPath);
        return sums_[slot];
    }
    std::uint32_t newSlot(std::uint32_t callPath);

    std::vector<std::uint32_t> slotOf_;
    std::vector<CallSum> sums_;
    std::vector<std::uint32_t> touched_;
    CallSum nothing_;
};

/// The sums of call paths, put together by their regions: one entry a region of `paths`.
std::vector<CallSum> sumsByRegion(CallTally& tally, const CallPathRegions& paths);

/// Sums by call path of groups of 256, 4096, 65536 … calls of one location, so that those of any run of calls
/// cost a few hundred calls and the logarithm of the rest. About 2 bytes a call. Immutable; reading from
/// several threads is safe.
class CallSums {
public:
    static constexpr std::uint32_t kBlock = 256;
    static constexpr std::uint32_t kFanOut = 16;

    CallSums() = default;
    /// O(calls). `tally` must be empty and is empty afterwards. After a stop request both are incomplete:
    /// discard them.
    CallSums(const CallIntervals& calls, CallTally& tally, const Task& task = {});

    /// Adds the calls [first, last) with their whole durations. O(kBlock + call paths · log calls).
    void addTo(CallTally& tally, const CallIntervals& calls, std::uint32_t first, std::uint32_t last) const;

    /// Moves its columns into the storage.
    void moveTo(BlockStorage& storage);
    std::size_t bytes() const { return offsets_.bytes() + callPaths_.bytes() + sums_.bytes(); }

private:
    friend struct disk::Fields;
    void addGroup(CallTally& tally, std::size_t group) const;

    std::vector<std::size_t> levelOffsets_;  ///< first group of each level; level 0 is groups of kBlock calls
    Column<std::uint32_t> offsets_;          ///< first row of each group, and the end of the last
    Column<std::uint32_t> callPaths_;        ///< a row
    Column<CallSum> sums_;                   ///< a row
};

}  // namespace skein
