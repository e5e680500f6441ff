// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/table_cell.h"

#include <QString>
#include <QVariant>

#include <cstddef>
#include <cstdint>
#include <vector>

/// What models of plain cells answer, one by one.
namespace skein {

/// What a column of a table of plain cells holds, and how it is shown.
enum class CellKind : std::uint8_t { Text, Count, Bytes, Number, Percent, Duration };

struct CellColumn {
    QString title;
    CellKind kind = CellKind::Text;
    QString toolTip = {};
    bool editable = false;  ///< what is written is told by CellModel::written()

    bool operator==(const CellColumn&) const = default;
};

/// The greatest number of each column that has no words of its own; 0 where there is none. O(cells).
std::vector<double> greatestOfColumns(std::size_t columns, const std::vector<std::vector<TableCell>>& rows);

/// What QAbstractItemModel::data() answers for a cell; `most` is the greatest number of its column.
QVariant cellData(const TableCell& cell, CellKind kind, double most, int role);

/// What QAbstractItemModel::headerData() answers for a column.
QVariant cellHeaderData(const CellColumn& column, int role);

/// Whether one cell of a column stands before the other: numbers by value, texts as people count them; what
/// is no number stands behind those that are.
bool cellBefore(const TableCell& left, const TableCell& right, Qt::SortOrder order);

}  // namespace skein
