// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/span_statistics.h"
#include "core/base/result.h"
#include "core/select/view_state.h"
#include "views/common/scene/data/timeline_data.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

struct LocationStatistics {
    LocationId location;
    RegionStatistics values;
};

/// A region by its name, over all locations and on each that called it.
struct StatisticsRow {
    std::uint32_t experiment = 0;
    std::string name;               ///< as the measurement gave it
    std::vector<RegionId> regions;  ///< every definition of this name that was called
    RegionStatistics total;
    std::vector<LocationStatistics> locations;  ///< by id
};

/// What happened in a span of session time, over all traces of a session.
struct StatisticsRows {
    std::vector<StatisticsRow> rows;  ///< in the order of experiments and names
    TimeNs exclusiveNs = 0;           ///< of all rows
    std::uint32_t locations = 0;      ///< that pass the filters
    std::uint32_t hidden = 0;         ///< regions that filters hide
};

/// Two parts of the same region's calls as one.
RegionStatistics united(const RegionStatistics& left, const RegionStatistics& right);

/// Sums up what the filters let pass; a span that filters keep cuts `span` further. Complexity:
/// spanStatistics(). Errors: Cancelled.
Result<StatisticsRows> makeStatisticsRows(const TimelineData& data, TimeSpan span,
                                          const std::vector<Filter>& filters, const Task& task);

}  // namespace skein
