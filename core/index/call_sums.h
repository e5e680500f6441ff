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

/// The calls of one region, summed up. In whole numbers, so that the sums of parts add up to the whole
/// exactly.
struct CallSum {
    std::uint64_t calls = 0;
    TimeNs durationNs = 0;   ///< of all calls
    TimeNs inclusiveNs = 0;  ///< of calls outside all other calls of the region
    TimeNs exclusiveNs = 0;  ///< durations without those of callees
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

/// Sums by region that are cheap to clear: clearing costs as much as the regions that were touched.
class CallTally {
public:
    explicit CallTally(const CallPathRegions& paths)
        : paths_(paths), sums_(paths.regionCount), known_(paths.regionCount)
    {
    }

    /// Adds one call, or the part of it that counts.
    void addCall(std::uint32_t callPath, TimeNs duration);
    void add(std::uint32_t region, const CallSum& sum);
    /// The regions with calls, ascending.
    const std::vector<std::uint32_t>& sorted();
    const CallSum& operator[](std::uint32_t region) const { return sums_[region]; }
    void clear();

private:
    CallSum& at(std::uint32_t region);

    const CallPathRegions& paths_;
    std::vector<CallSum> sums_;
    std::vector<std::uint8_t> known_;
    std::vector<std::uint32_t> touched_;
};

/// Sums by region over blocks of 256, 4096, 65536 … calls of one location. Summing up any run of calls then
/// costs a few hundred calls plus the logarithm of the rest. About 2 bytes per call. Immutable; safe to read
/// from several threads.
class CallSums {
public:
    static constexpr std::uint32_t kBlock = 256;
    static constexpr std::uint32_t kFanOut = 16;

    CallSums() = default;
    /// O(calls). `tally` must be empty and is empty afterwards. After a stop request both are incomplete:
    /// discard them.
    CallSums(const CallIntervals& calls, CallTally& tally, const Task& task = {});

    /// Adds the calls [first, last) with their whole durations. O(kBlock + regions · log calls).
    void addTo(CallTally& tally, const CallIntervals& calls, std::uint32_t first, std::uint32_t last) const;

    /// Moves its columns into the storage.
    void moveTo(BlockStorage& storage);
    std::size_t bytes() const { return offsets_.bytes() + regions_.bytes() + sums_.bytes(); }

private:
    friend struct disk::Fields;
    void addGroup(CallTally& tally, std::size_t group) const;

    std::vector<std::size_t>
        levelOffsets_;               ///< first block of each level; level 0 has blocks of kBlock calls
    Column<std::uint32_t> offsets_;  ///< first row of each block, and the end of the last
    Column<std::uint32_t> regions_;  ///< per row
    Column<CallSum> sums_;           ///< per row
};

}  // namespace skein
