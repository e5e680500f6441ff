// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/id.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace skein {

/// How long the single calls of each row of a cube took, in ns. Empty columns where only sums were recorded.
/// `sum` counts every call, while the inclusive time of a recursive region counts outermost calls only. Calls
/// that an edge of the window cuts are in none of the four: how long they took is not seen.
struct CallDurations {
    Column<double> cut;  ///< calls that are cut by the window; empty: none is
    Column<double> sum;
    Column<double> minimum;
    Column<double> maximum;
    Column<double> squaredDeviations;  ///< Σ (duration − mean)²

    bool empty() const { return sum.empty(); }
};

/// Values of several metrics over (item × location): calls, and inclusive and exclusive amounts. Items are
/// call paths or regions, as the owner says. Sparse: a location has rows only for the items that it met, in
/// increasing order. Times are in ns, other metrics in their own unit. Immutable; reading from several
/// threads is safe.
struct MetricCube {
    std::vector<MetricId>
        metrics;  ///< one a column of inclusive/exclusive; invalid: time of a summarised trace
    Column<std::uint64_t> locationOffsets;  ///< rows of location l: [offsets[l], offsets[l + 1])
    Column<std::uint32_t> items;            ///< call path or region of each row
    Column<double> calls;
    Column<double> subroutines;  ///< calls made from the item; empty where not recorded
    /// [metric][row]. A column is empty while the profile's source has not been asked for it. Of minima and
    /// maxima NaN stands where there is none.
    std::vector<Column<double>> inclusive;
    std::vector<Column<double>> exclusive;  ///< as inclusive
    CallDurations durations;                ///< one entry a row; empty for recorded profiles

    std::size_t rows() const { return items.size(); }
    std::size_t locations() const { return locationOffsets.empty() ? 0 : locationOffsets.size() - 1; }
};

/// Count, extremes and moments of a user event (TAU: atomic event) on one location, in all or within one call
/// path.
struct EventStatistic {
    MetricId metric;
    LocationId location;
    CallPathId context;  ///< invalid: over the whole run
    double count = 0;
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
    double sumOfSquares = 0;
};

/// What regions of role Artificial are in a profile that was recorded.
enum class ArtificialRegions : std::uint8_t {
    BreakDown,  ///< rows that break another row down, whose amounts stand in that row already (TAU)
    Measured,   ///< rows like others: the program, what the measurement itself did (Score-P)
};

/// One column of both cubes of a profile.
struct ProfileColumn {
    Column<double> callPathsInclusive, callPathsExclusive;
    Column<double> regionsInclusive, regionsExclusive;
};

/// Reads columns of a profile when they are asked for, so that a large one need not be in memory whole.
/// Safe to use from several threads; the same bits on any number of them.
class ProfileColumns {
public:
    virtual ~ProfileColumns() = default;
    /// The column of a metric by its place in MetricCube::metrics. Errors: Io (the file has changed),
    /// Cancelled. Throws std::bad_alloc. O(rows).
    virtual Result<ProfileColumn> read(std::size_t column, const Task& task) const = 0;
};

/// What a profiling tool wrote, or what a trace was summarised to.
struct Profile {
    MetricCube callPaths;  ///< items are call paths of the experiment's call tree; may be empty
    MetricCube regions;    ///< items are regions; inclusive counts outermost calls of a recursion only
    Column<EventStatistic> statistics;  ///< sorted by (metric, context, location)
    ArtificialRegions artificial = ArtificialRegions::BreakDown;
    std::shared_ptr<const ProfileColumns> source;  ///< of columns that are not here; null: all are
};

/// The profile with a column that can be looked at: itself where that is so already. Errors: as those of
/// ProfileColumns::read().
Result<std::shared_ptr<const Profile>> withColumn(std::shared_ptr<const Profile> profile, std::size_t column,
                                                  const Task& task);

}  // namespace skein
