// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "core/base/time_span.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// What ran in a span beside the region that took most of it: the second one, and all the rest as if it were
/// one region. Which one stands for the rest changes from span to span, so that each region does for as much
/// time as it took. 8 bytes.
struct OtherRegions {
    static constexpr std::uint32_t kHighest = (1u << 24) - 1;  ///< call path; of larger ones nothing is known
    static constexpr double kWhole = 255;

    std::uint32_t second : 24 = 0;      ///< call path
    std::uint32_t secondShare : 8 = 0;  ///< part of the span, in kWhole-ths, rounded; 0: no other region ran
    std::uint32_t rest : 24 = 0;        ///< call path
    std::uint32_t restShare : 8 = 0;    ///< 0: no third region ran
};

/// A call path's own time.
struct PathTime {
    std::uint32_t callPath = 0xFFFFFFFFu;
    TimeNs time = 0;
};

/// How much time each region took for which another one stood: what it has to stand for itself.
using RestDebts = std::vector<TimeNs>;

/// Adds up times by call path and region, at a cost that follows their number; empty again after each use.
/// Not thread-safe.
class RegionTally {
public:
    /// What it is given must outlive it.
    RegionTally(std::span<const std::uint32_t> regionOfCallPath, std::uint32_t regionCount)
        : regionOf_(regionOfCallPath), byCallPath_(regionOfCallPath.size()), slot_(regionCount)
    {
    }

    /// Adds up the times from `first` on, so that each call path stands there once. O(times).
    void merge(std::vector<PathTime>& times, std::size_t first);

    /// How the time of a span divides: each with the path that took most of its region, and the region's
    /// time.
    struct Division {
        PathTime first, second, rest;

        /// Of a span of `wholeNs`.
        OtherRegions others(double wholeNs) const;
    };

    /// Of merged times, by regions: the one with most time, or a given one; the second; and the sum of the
    /// rest, for which the one stands that is owed most in `debts`, one a region. Ties: the smaller region,
    /// and of its paths the smaller one. O(times).
    Division divide(std::span<const PathTime> times, RestDebts& debts,
                    std::uint32_t firstRegion = CallPathId::kNone);

private:
    struct Region {
        std::uint32_t region;
        PathTime longest;  ///< of its paths
        TimeNs time;

        PathTime known() const { return {longest.callPath, time}; }
    };

    void add(const PathTime& path);

    std::span<const std::uint32_t> regionOf_;
    std::vector<TimeNs> byCallPath_;
    std::vector<std::uint32_t> slot_;  ///< a region: its place in regions_, from 1 on; 0: none
    std::vector<Region> regions_;      ///< that ran
};

}  // namespace skein
