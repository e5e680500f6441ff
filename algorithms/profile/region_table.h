// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/aggregate.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// What the regions of one name took on one location.
struct RegionCell {
    std::uint32_t region = 0;  ///< index into RegionTable::regions
    double calls = 0;
    double subroutines = 0;
    double inclusive = 0;  ///< of minima and maxima these; NaN where there is none
    double exclusive = 0;
};

/// A profile as regions × locations, merged by name. Sparse.
struct RegionTable {
    std::vector<RegionRow> regions;  ///< as profileByRegion() has them: cells sum up to their values
    std::vector<std::uint64_t>
        locationOffsets;  ///< cells of location l: [offsets[l], offsets[l + 1]), by region
    std::vector<RegionCell> cells;
    bool hasSubroutines = false;  ///< whether it was recorded how many calls regions made
    MetricAggregation aggregation = MetricAggregation::Sum;

    std::size_t locations() const { return locationOffsets.size() - 1; }
    std::span<const RegionCell> cellsOf(std::size_t location) const
    {
        return std::span(cells).subspan(locationOffsets[location],
                                        locationOffsets[location + 1] - locationOffsets[location]);
    }
};

/// The columns of a cube are those of metricColumn(). One row of offsets a location of the definitions.
/// O(rows log rows).
RegionTable regionTable(const Experiment& experiment, const Profile& profile, std::size_t metricColumn);

/// The same with a group of locations where a location stood: cells, and the balance of each region, are over
/// groups, and no worst location is told. Locations in no group are in no cell; values of regions stay those
/// of all. O(cells log regions + regions).
RegionTable groupedTable(const RegionTable& table, const std::vector<std::vector<LocationId>>& groups);

}  // namespace skein
