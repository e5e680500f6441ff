// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/call_table.h"

#include <cstdint>
#include <span>
#include <string>

namespace skein {

/// A query in Hatchet's string dialect that finds a set of nodes again: by the names on their call paths,
/// never by numbers.
struct SetQuery {
    std::string text;    ///< the shortest that finds exactly the set here
    std::string byPath;  ///< names every call path; the same as `text` where nothing shorter does
    bool exact = true;   ///< false: siblings of one name differ in whether they are in the set; all are found
    bool hatchet = true;  ///< false: braces in braces or escapes, which only Skein reads
};

/// `selected` has an entry a node. Shorter than a list of paths: siblings are told together; a node with all
/// below it is told by itself and `*`; all nodes of some names, or of a beginning of names, are told by name.
/// On another run `byPath` finds the nodes with the same call paths, and what was added below nodes that were
/// told with all below them. O(nodes · log nodes + length).
SetQuery queryOfSet(const CallTable& table, std::span<const std::uint8_t> selected);

/// The condition that an attribute is this text: `n."name" = "x"`; where quotes, braces or backslashes stand
/// in the way a regular expression with `.` for each, if that is no other word of the column. `hatchet`
/// becomes false where there is no such way.
std::string textCondition(std::string_view node, const TableColumn& column, std::string_view word,
                          bool& hatchet);

}  // namespace skein
