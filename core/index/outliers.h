// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/call_sums.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// From which duration on a call is much longer than its region's usual: more than four times the mean, and more than
/// eight standard deviations above it, mean and deviation being those of all other calls of the region. A region that
/// was called fewer than six times has no usual.
class UsualDurations {
public:
    /// `sums`: of every region over all locations, by region.
    explicit UsualDurations(std::span<const CallSum> sums);

    bool isOutlier(std::uint32_t region, TimeNs duration) const
    {
        return region < least_.size() && duration >= least_[region] && isFarFromOthers(region, duration);
    }

private:
    bool isFarFromOthers(std::uint32_t region, TimeNs duration) const;

    std::vector<CallSum> sums_;
    std::vector<TimeNs> least_;  ///< shorter calls need no closer look
};

/// The calls of a location that are outliers, in the order of their entry; after a stop request only some. O(calls).
std::vector<std::uint32_t> findOutliers(const CallIntervals& calls, const CallPathRegions& paths, const UsualDurations& usual,
                                        const Task& task = {});

}  // namespace skein
