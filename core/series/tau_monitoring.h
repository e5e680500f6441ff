// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/series/series_table.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Series of TAU's monitoring plugin: a line a sample, with the columns rank, name, step and value. Samples
/// of all metrics share the steps, in which each rank told each metric at most once.
namespace skein {

/// Where the columns of such a table are.
struct TauMonitoringColumns {
    std::size_t rank = 0, name = 0, step = 0, value = 0;
    std::size_t count = 0;  ///< of all columns
};

/// The columns where the fields of a first line are those of TAU's monitoring, in any order and among others.
/// Gives false where they are not.
bool findTauMonitoringColumns(const std::vector<std::string_view>& fields, TauMonitoringColumns& columns);

/// Whether a text begins with such a line. O(first line).
bool looksLikeTauMonitoring(std::string_view text);

/// Whether a file does; false where it cannot be read.
bool isTauMonitoringFile(const std::filesystem::path& path);

struct TauMonitoringParams {
    std::vector<std::string> metrics = {};  ///< empty: all
    AttributeConditions where = {};         ///< on "rank", as the file has it
};

/// One table a metric, in the order in which they are asked for, else in which they come first: a row a step
/// of any metric that is asked for, a column a rank by number ("Rank 3"), all the same for all tables, with
/// gaps where a rank told nothing. What a rank told twice in a step makes another row. Errors: Malformed (no
/// sample), InvalidArgument (no such metric, naming some that there are; no such attribute, no such rank;
/// checkSeriesSize()), Cancelled.
/// O(bytes + samples log samples + rows · ranks · metrics).
Result<std::vector<SeriesTable>> parseTauMonitoring(std::string_view text, const TauMonitoringParams& params,
                                                    std::string_view name, const Task& task);

}  // namespace skein
