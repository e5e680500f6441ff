// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>

#include <vector>

class QTreeView;

/// What leaves a table as text: exact numbers, each column in one unit that its header names.
namespace skein {

/// The logical columns that are shown, in the order in which they stand.
std::vector<int> shownColumns(const QTreeView& table);

/// "Inclusive [ns]": the column's title, and the unit of the numbers behind what it shows.
QString exactHeader(const QAbstractItemModel& model, int column);

/// The number behind the cell with every digit and without a locale, durations in ns, sizes in bytes, parts
/// of a whole in percent where the header says so; else its text.
QString exactText(const QModelIndex& cell);

/// A header line and the selected rows, in the order in which they stand, separated by tabs.
QString selectedRowsText(const QTreeView& table);

}  // namespace skein
