// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariant>

#include <span>

namespace skein {

/// What the header of a table's column says; texts are English and translated in the context "Columns".
struct ColumnHeader {
    const char* title;
    const char* toolTip;  ///< empty: none
};

enum class ColumnAlignment { Left, Right };

QVariant alignmentData(ColumnAlignment alignment);
/// For Qt::InitialSortOrderRole: the first click on a column of numbers brings the greatest to the top.
QVariant initialOrderData(ColumnAlignment alignment);

/// What QAbstractItemModel::headerData() answers; `alignment` is that of the section.
QVariant columnHeaderData(std::span<const ColumnHeader> headers, int section, Qt::Orientation orientation,
                          int role, ColumnAlignment alignment);

}  // namespace skein
