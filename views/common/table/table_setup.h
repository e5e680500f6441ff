// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

class QTreeView;

namespace skein {

/// What the tables of all views have in common: flat, striped, uniform rows, elided in the middle, whole rows
/// selected, columns that the user may move, resize and, by the header's context menu, hide; copying with
/// Ctrl+C: a header and exact values.
void setUpTable(QTreeView& table, const char* accessibleName);

/// Whether there is anything to show in a column.
enum class ColumnUse : std::uint8_t { Offered, Missing };

/// Takes a column out of the table and its menu for as long as there is nothing to show in it. Whether the
/// user has hidden it is not forgotten meanwhile. The column must be there.
void useColumn(QTreeView& table, int column, ColumnUse use);

/// Widths for columns after the first from the texts that stand in them now; the first takes what is left, at
/// least `leastFirst` pixels and not much more than it needs. What is left then, as on a wide screen, is
/// divided between the others, up to a width at which rows can still be followed. Where not all columns fit,
/// none is cut at the edge, and the first four stay in sight beside a narrower first one, in which deep rows
/// are indented less.
void fitColumns(QTreeView& table, int leastFirst);

/// Makes the first column as wide as the names need that stand in it now, up to a limit; never narrower. The
/// table scrolls then.
void widenFirst(QTreeView& table);

}  // namespace skein
