// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/moments.h"
#include "core/base/result.h"
#include "core/session/experiment.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Sums of a profile over locations, in the shape of the tables that people read. Definitions of the same
/// name are one row: EZTrace and TAU define every region once a rank.
namespace skein {

struct ProfileValues {
    double calls = 0.0;
    double inclusive = 0.0;  ///< ns for times, otherwise the metric's unit
    double exclusive = 0.0;
    double cut = 0.0;   ///< calls that an edge of the window cuts: they have no duration
    Moments durations;  ///< of the other calls, in ns; count is 0 where only sums were recorded
    /// What amounts are; of minima and maxima NaN where there is none, until settle().
    MetricAggregation aggregation = MetricAggregation::Sum;

    /// Takes amounts of another row, location or region in: as a sum, or as the extreme of both.
    void merge(const ProfileValues& other);
    /// Puts 0 where there is no minimum or maximum.
    void settle();
    /// Inclusive amount of a call: of all single calls where they are known, else sum by calls. nullopt
    /// without calls, where every call is cut, and of minima and maxima.
    std::optional<double> mean() const;
};

/// A sum, or the greater or smaller one; NaN is none.
double combined(MetricAggregation aggregation, double one, double other);

/// How an inclusive amount is divided among the locations of the scope; those without a call count with 0. Of
/// minima and maxima: how those of the locations that have one differ.
struct LocationBalance {
    double mean = 0.0;       ///< a location
    double maximum = 0.0;    ///< of one location
    double deviation = 0.0;  ///< standard deviation over locations (divisor n)
    LocationId worst;        ///< the first one with the maximum; invalid where no location has a value

    /// Maximum by mean, 1 when all are equal; nullopt where the mean is 0.
    std::optional<double> imbalance() const;
    /// What the location with most took beyond the mean: how much sooner all could be ready if it were
    /// divided evenly.
    double lost() const { return maximum - mean; }
};

struct RegionRow {
    std::string name;               ///< as the measurement gave it
    std::vector<RegionId> regions;  ///< every region of this name that has values
    std::size_t locations = 0;      ///< that met it
    ProfileValues values;
    bool breakdown = false;  ///< its values are part of other rows' values, see breaksDown()
    LocationBalance balance;
};

struct CallPathRow {
    std::string name;            ///< of the region at its end
    std::ptrdiff_t parent = -1;  ///< index of the row above it; rows stand in preorder
    std::uint32_t depth = 0;
    std::vector<CallPathId> callPaths;  ///< every call path of these names that has values
    std::size_t locations = 0;
    ProfileValues values;
    bool breakdown = false;  ///< it, or a row above it, breaks another row down
    LocationBalance balance;
};

struct LocationRow {
    LocationId location;
    std::size_t regions = 0;  ///< that it met
    ProfileValues values;  ///< calls of all regions; inclusive: all time inside calls; durations are left out
};

/// True for rows of a recorded profile that break another row down (samples, contexts, unwound frames, call
/// sites, values of parameters): what they took stands in that row already and must not be added to a sum.
bool breaksDown(const Profile& profile, const Region& region);

/// The exclusive amount of all rows together, each amount once; of minima and maxima the greatest.
template <typename Rows>
double wholeExclusive(const Rows& rows)
{
    double whole = 0.0;
    for (const auto& row : rows) {
        if (row.breakdown) continue;
        const double amount = row.values.exclusive;
        whole = row.values.aggregation == MetricAggregation::Sum ? whole + amount : std::max(whole, amount);
    }
    return whole;
}

/// Index of a metric in a cube by name, ignoring case; an empty name gives the time (sums of times, no
/// extremes), or else the first metric. "time" always names the time. Errors: NotRecorded, naming what there
/// is, and why samples of a trace with that name cannot be told by call.
Result<std::size_t> metricColumn(const Experiment& experiment, const Profile& profile,
                                 std::string_view metric);

/// The name of a column's metric: "TIME" for the time of a summarised trace.
std::string metricName(const Experiment& experiment, const MetricCube& cube, std::size_t column);
/// What amounts of several rows of a column are together.
MetricAggregation aggregationOf(const Experiment& experiment, const MetricCube& cube, std::size_t column);
/// True when the column holds times in ns.
bool isTime(const Experiment& experiment, const MetricCube& cube, std::size_t column);

/// The locations over which amounts are divided; nullopt: all that recorded something. Sorted.
using LocationScope = std::optional<std::vector<LocationId>>;

/// Those of the scope that recorded something: of a trace those with events, but not those with nothing but
/// metrics; of a profile those with rows. O(locations).
std::size_t scopeSize(const Experiment& experiment, const Profile& profile, const LocationScope& scope);

/// By name of the region; the greatest exclusive amount first, then by name. `scope` is that of the balance;
/// the profile has rows of no other locations. O(rows + names log names).
std::vector<RegionRow> profileByRegion(const Experiment& experiment, const Profile& profile,
                                       std::size_t metricColumn, const LocationScope& scope = {});

/// By call path, merged by names; preorder, the greatest inclusive amount of siblings first. Call paths
/// without values on any location appear only where something below them has some. Empty where the profile is
/// flat.
std::vector<CallPathRow> profileByCallPath(const Experiment& experiment, const Profile& profile,
                                           std::size_t metricColumn, const LocationScope& scope = {});

/// By location, in the order of the definitions; locations without values have zeros. Rows that break others
/// down do not count.
std::vector<LocationRow> profileByLocation(const Experiment& experiment, const Profile& profile,
                                           std::size_t metricColumn);

}  // namespace skein
