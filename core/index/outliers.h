// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/call_sums.h"
#include "core/index/column_grid.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// From which duration on a call is much longer than its region's usual: more than four times the mean, and
/// more than eight standard deviations above it, mean and deviation being those of all other calls of the
/// region. A region that was called fewer than six times has no usual.
class UsualDurations {
public:
    static constexpr std::uint64_t kFewestCalls = 6;

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

/// A call that is much longer than usual, with what pictures need of it: they look at every outlier, and as
/// many places in the columns of calls would each be read from the disk first.
struct Outlier {
    TimeNs begin = 0;
    TimeNs end = 0;
    std::uint32_t call = 0;
    std::uint32_t callPath = 0;
};

/// The calls of a location that are outliers, in the order of their entry; after a stop request only some.
/// O(calls).
std::vector<Outlier> findOutliers(const CallIntervals& calls, const CallPathRegions& paths,
                                  const UsualDurations& usual, const Task& task = {});

/// An outlier that keeps a column of a picture.
struct OutlierColumn {
    std::uint32_t column = 0;
    std::uint32_t call = 0;
    bool isNarrow = true;
    std::uint32_t callPath = 0;
    bool operator==(const OutlierColumn&) const = default;
};

/// Adds the columns of a location's outliers; of several in one column the last one counts. That is the
/// column of their entry, or the first one where they are under way at its begin. Of those shorter than
/// `narrowNs` the first of each column is told, with what is called in it; longer ones that begin in such a
/// column step aside into the next one, where they still are if two columns are narrow. O(columns), however
/// many there are.
void findOutlierColumns(std::span<const Outlier> outliers, const ColumnGrid& grid, double narrowNs,
                        std::vector<OutlierColumn>& found);

}  // namespace skein
