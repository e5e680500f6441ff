// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/call_sums.h"
#include "core/index/column_grid.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// The duration from which on a call is much longer than usual for its region: more than four times the mean,
/// and more than eight standard deviations above it. Mean and deviation are those of all *other* calls of the
/// region. A region with fewer than kFewestCalls calls has no usual duration.
class UsualDurations {
public:
    static constexpr std::uint64_t kFewestCalls = 6;

    /// `sums`: one per region, over all locations.
    explicit UsualDurations(std::span<const CallSum> sums);

    bool isOutlier(std::uint32_t region, TimeNs duration) const
    {
        return region < least_.size() && duration >= least_[region] && isFarFromOthers(region, duration);
    }

private:
    bool isFarFromOthers(std::uint32_t region, TimeNs duration) const;

    std::vector<CallSum> sums_;
    std::vector<TimeNs> least_;  ///< shorter calls are no outliers
};

/// A call that is much longer than usual. Its times and call path are copied here because pictures look at
/// every outlier: in the columns of calls each would be at another place, to be read from disk first.
struct Outlier {
    TimeNs begin = 0;
    TimeNs end = 0;
    std::uint32_t call = 0;
    std::uint32_t callPath = 0;
};

/// The outliers among the calls of a location, in the order of their enters; only some after a stop request.
/// O(calls).
std::vector<Outlier> findOutliers(const CallIntervals& calls, const CallPathRegions& paths,
                                  const UsualDurations& usual, const Task& task = {});

/// A column of a picture that shows an outlier.
struct OutlierColumn {
    std::uint32_t column = 0;
    std::uint32_t call = 0;
    bool isNarrow = true;
    std::uint32_t callPath = 0;
    bool operator==(const OutlierColumn&) const = default;
};

/// Appends the columns that show the outliers of a location: the column in which a call begins, or the first
/// one if it began earlier. If several outliers fall into one column, the last entry counts. Of those shorter
/// than `narrowNs` the first of each column is reported, marked as narrow. A longer one that begins in the
/// column of a narrow one moves to the next column. O(columns), however many outliers there are.
void findOutlierColumns(std::span<const Outlier> outliers, const ColumnGrid& grid, double narrowNs,
                        std::vector<OutlierColumn>& found);

}  // namespace skein
