// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/call_table.h"
#include "algorithms/calltree/tree_query.h"
#include "core/base/task.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

enum class QuerySemantics : std::uint8_t {
    Hatchet,      ///< a `*` ends at the first node that the next query node takes, and never goes back
    Declarative,  ///< the nodes of all downward paths that match the query as a regular expression
};

/// Something of a query that found nothing, where it stands, and in words.
struct QueryNote {
    std::string message;  ///< a sentence
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct QueryMatch {
    std::vector<std::uint8_t> selected;  ///< [node]
    std::vector<QueryNote> notes;        ///< clauses that no node satisfies, paths that end nowhere

    std::size_t count() const;
};

/// A query that cannot be asked of this table: a text against numbers, a hostile regular expression; or,
/// without a message, a task that was stopped.
using QueryOutcome = tl::expected<QueryMatch, TextProblem>;

/// The nodes of all paths that match. Attributes are the table's columns, `depth` (0 for roots; = -1: leaves)
/// and `node_id`. O(nodes · query nodes) and the regular expressions once for every different word. The same
/// on any number of threads.
QueryOutcome runTreeQuery(const TreeQuery& query, const CallTable& table, QuerySemantics semantics,
                          const Task& task);

/// Parses and asks. Errors: InvalidArgument with the place in the query (the context shows the line),
/// Cancelled.
Result<QueryMatch> queryTable(std::string_view text, QueryDialect dialect, const CallTable& table,
                              QuerySemantics semantics, const Task& task);

}  // namespace skein
