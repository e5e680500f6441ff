// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/run_query.h"
#include "algorithms/calltree/set_query.h"
#include "views/common/scene/data/call_tree_rows.h"

#include <cstdint>
#include <string>
#include <vector>

/// Rows of the call tree as queries see them.
namespace skein {

/// The rows that are calls as a table: columns `name`, `group` (as recorded, else the paradigm), `file`,
/// `line`, `calls`, and of the metric M that the rows show `M` (exclusive) and `M (inc)`; the time is called
/// time and is in seconds.
struct QueriedRows {
    CallTable table;
    std::vector<std::uint32_t> rowOf;  ///< [node of the table]
};

/// `metric` is what the rows show. O(rows).
QueriedRows tableOfRows(const Session& session, const CallTreeRows& rows, MetricRef metric);

struct RowsFound {
    std::vector<std::uint8_t> found;  ///< one entry a row
    std::size_t count = 0;
    std::vector<std::string> notes;  ///< what of the query finds nothing, each with its words
};

/// A blank query finds every row. Errors: what is wrong with the query and where; without a message: stopped.
tl::expected<RowsFound, TextProblem> findRows(const std::string& query, const QueriedRows& queried,
                                              std::size_t rows, const Task& task);

/// The query that finds these rows again.
SetQuery queryOfRows(const QueriedRows& queried, const std::vector<std::uint32_t>& rows);

/// What may stand at the end of a query as far as it is typed: whole queries that begin so. For completion.
std::vector<std::string> queryCompletions(const QueriedRows& queried, const std::string& typed);

}  // namespace skein
