// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/run_query.h"

namespace skein {

/// One entry a node of the table, 0 or 1.
using NodeMask = std::vector<std::uint8_t>;

/// Which nodes a query node takes, if it is asked of each node alone. Appends what finds nothing to `notes`.
tl::expected<NodeMask, TextProblem> nodesThatSatisfy(const QueryNode& node, const CallTable& table,
                                                     std::vector<QueryNote>& notes);

}  // namespace skein
