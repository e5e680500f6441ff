// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/series/series_table.h"

#include <string>
#include <string_view>
#include <vector>

/// Time series from tables of text: fields between commas, semicolons or tabs, quoted as RFC 4180 has it;
/// lines that begin with '#' are left out. The first line holds names unless all of its fields are numbers;
/// 0, 1, 2 … are names too.
namespace skein {

/// Which columns of a table tell what.
struct SeriesColumns {
    /// Wide tables: the column of times; empty: the first one where its name says so ("time", "time_ns",
    /// "sample" …), else there is none. Long tables: needed.
    std::string time;
    /// Of a long table, which has a line an entity and time point: the columns whose values, joined by '/',
    /// name an entity. Empty: the table is wide, with a line a time point and a column an entity.
    std::vector<std::string> entity;
    /// Long: the columns with values, at least one. Wide: the entities wanted; empty: all.
    std::vector<std::string> metrics;
    /// Long: only lines whose fields in these columns are so. Wide: on "name", that of an entity.
    AttributeConditions where = {};
};

/// Whether a first column of this name holds times, and no entity is called so; "time" may have a unit behind
/// it.
bool isTimeName(std::string_view name);

/// Whether the fields of a first line are names.
bool namesColumns(const std::vector<std::string_view>& fields);

/// Reads series: one table a metric of a long table, or the only one of a wide table. Long tables are put in
/// order of time, and what an entity has at one time more than once becomes more than one row; entities stand
/// in the order in which they come first, and have gaps where they do not come. Errors: Malformed (UTF-16, no
/// number at all, nothing in it, no rows), InvalidArgument (no such column; `name` is the file's in the
/// sentence; no line or entity is as wanted; a long table of which checkSeriesSize() refuses the tables),
/// Cancelled. O(bytes log rows).
Result<std::vector<SeriesTable>> parseSeries(std::string_view text, const SeriesColumns& columns,
                                             std::string_view name, const Task& task);

}  // namespace skein
