// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/moments.h"
#include "core/base/result.h"
#include "core/session/experiment.h"

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
    Moments durations;  ///< of single calls, in ns; count is 0 where only sums were recorded

    /// Inclusive amount of a call: of all single calls where they are known, else sum by calls.
    double mean() const;
};

struct RegionRow {
    std::string name;               ///< as the measurement gave it
    std::vector<RegionId> regions;  ///< every region of this name that has values
    std::size_t locations = 0;      ///< that met it
    ProfileValues values;
    bool breakdown = false;  ///< its values are part of other rows' values, see breaksDown()
};

struct CallPathRow {
    std::string name;            ///< of the region at its end
    std::ptrdiff_t parent = -1;  ///< index of the row above it; rows stand in preorder
    std::uint32_t depth = 0;
    std::vector<CallPathId> callPaths;  ///< every call path of these names that has values
    std::size_t locations = 0;
    ProfileValues values;
    bool breakdown = false;  ///< it, or a row above it, breaks another row down
};

struct LocationRow {
    LocationId location;
    std::size_t regions = 0;  ///< that it met
    ProfileValues values;  ///< calls of all regions; inclusive: all time inside calls; durations are left out
};

/// True for rows of a recorded profile that break another row down (samples, contexts, unwound frames, call
/// sites, values of parameters): what they took stands in that row already and must not be added to a sum.
bool breaksDown(const Profile& profile, const Region& region);

/// The exclusive amount of all rows together, each amount once.
template <typename Rows>
double wholeExclusive(const Rows& rows)
{
    double whole = 0.0;
    for (const auto& row : rows)
        if (!row.breakdown) whole += row.values.exclusive;
    return whole;
}

/// Index of a metric in a cube by name, ignoring case; an empty name gives the time, or else the first
/// metric. "time" always names the time. Errors: NotRecorded, naming what there is, and why samples of a
/// trace with that name cannot be told by call.
Result<std::size_t> metricColumn(const Experiment& experiment, const Profile& profile,
                                 std::string_view metric);

/// The name of a column's metric: "TIME" for the time of a summarised trace.
std::string metricName(const Experiment& experiment, const MetricCube& cube, std::size_t column);
/// True when the column holds times in ns.
bool isTime(const Experiment& experiment, const MetricCube& cube, std::size_t column);

/// By name of the region; the greatest exclusive amount first, then by name. O(rows + names log names).
std::vector<RegionRow> profileByRegion(const Experiment& experiment, const Profile& profile,
                                       std::size_t metricColumn);

/// By call path, merged by names; preorder, the greatest inclusive amount of siblings first. Call paths
/// without values on any location appear only where something below them has some. Empty where the profile is
/// flat.
std::vector<CallPathRow> profileByCallPath(const Experiment& experiment, const Profile& profile,
                                           std::size_t metricColumn);

/// By location, in the order of the definitions; locations without values have zeros. Rows that break others
/// down do not count.
std::vector<LocationRow> profileByLocation(const Experiment& experiment, const Profile& profile,
                                           std::size_t metricColumn);

}  // namespace skein
