// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/timeline_index.h"
#include "core/session/experiment.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace skein {

/// All calls of every region over all locations of the whole run, and which region it counts as: those of one
/// name are one.
struct CallTotals {
    std::vector<CallSum> sums;               ///< by region; of several of one name the first holds them
    std::vector<std::uint32_t> firstOfName;  ///< by region

    /// Mean of all calls of the region but one of this duration; 0 where there are no others.
    double usualNs(RegionId region, TimeNs duration) const;
    /// A region that was called fewer than six times has no usual duration, see UsualDurations.
    bool hasUsual(RegionId region) const;
};

/// O(locations · (256 + regions · log calls)). Errors: NotRecorded without a trace; Cancelled.
Result<CallTotals> callTotals(const Experiment& experiment, const TimelineIndex& index, const Task& task);

/// Which calls count: those that begin in the half-open span, of these regions, on these locations.
struct CallChoice {
    TimeSpan span;                      ///< experiment time
    std::vector<std::uint8_t> regions;  ///< by region, 0: left out; empty: all of them
    std::vector<LocationId> locations;

    bool takes(RegionId region) const
    {
        return regions.empty() || (region.index() < regions.size() && regions[region.index()] != 0);
    }
};

/// A call that is much longer than its region's usual.
struct OutlierCall {
    LocationId location;
    std::uint32_t call = 0;
    RegionId region;
    TimeNs begin = 0;  ///< experiment time
    TimeNs durationNs = 0;
    double usualNs = 0;  ///< mean of all other calls of the region

    double excessNs() const { return static_cast<double>(durationNs) - usualNs; }
    bool operator==(const OutlierCall&) const = default;
};

/// The outliers of one location together.
struct LocationOutliers {
    LocationId location;
    std::uint64_t calls = 0;
    double excessNs = 0;  ///< what they took beyond their regions' usual, summed
    OutlierCall worst;    ///< of most excess; of several the first

    bool operator==(const LocationOutliers&) const = default;
};

struct OutlierPoints {
    std::vector<OutlierCall>
        calls;  ///< by location as chosen, then entry; those of most excess where there are more
    std::vector<LocationOutliers>
        locations;  ///< of all outliers, not only those listed; as chosen; none without outliers
    std::uint64_t total = 0;
    double excessNs = 0;
};

/// The outliers that the index lists among the chosen calls, at most `limit` of them singly. O(locations ·
/// log + outliers in the span). Errors: NotRecorded without a trace; Cancelled.
Result<OutlierPoints> outlierPoints(const Experiment& experiment, const TimelineIndex& index,
                                    const CallTotals& totals, const CallChoice& choice, std::size_t limit,
                                    const Task& task);

}  // namespace skein
