// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/io/cube/cube_columns.h"

#include <vector>

namespace skein::cube {

/// Looks at every value of a column's data once: where there are any goes into `presence`, packed data that
/// is damaged and numbers that are none into the report. Call paths whose packed data is damaged, or some of
/// whose numbers are none, are added to `unknown`, in no order. Bounded memory, whatever the size. False
/// after a stop request. O(values).
bool scanColumn(const ColumnSource& source, const std::vector<std::uint32_t>& locationOfPlace,
                const std::string& metric, PresenceBits& presence, std::vector<std::uint32_t>& unknown,
                ImportReport& report, const Task& task);

/// Says of a column with inclusive sums of which call paths the exclusive ones are not known: those above
/// values that are missing or `unknown`, and those themselves. Told in the report. O(call paths).
void markUnknownExclusives(ColumnSource& source, const std::vector<std::uint32_t>& unknown,
                           const CallTree& tree, const std::string& metric, ImportReport& report);

/// The statistics of a metric of TAU's user events; those that counted nothing are left out. What is stored
/// inclusive is told of the whole run, otherwise of each call path. nullopt after a stop request.
/// O(values).
std::optional<std::vector<EventStatistic>> readStatistics(const ColumnSource& source,
                                                          const std::vector<std::uint32_t>& locationOfPlace,
                                                          const CallTree& tree, const Task& task);

}  // namespace skein::cube
