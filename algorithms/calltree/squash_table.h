// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/call_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// What is left of a tree when only some nodes stay.
struct SquashedTable {
    CallTable table;
    std::vector<std::uint32_t> nodes;  ///< [node of the new table]: which it was
};

/// The selected nodes, each below the nearest selected node above it. Attributes are kept, but for columns
/// `X (inc)` beside a column `X`: they become the sum of X over the node and all that is left below it, as
/// Hatchet's filter has it (NaN counts as 0 in sums). O(nodes · columns).
SquashedTable squashTable(const CallTable& table, std::span<const std::uint8_t> selected);

}  // namespace skein
