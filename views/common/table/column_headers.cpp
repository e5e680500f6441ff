// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/column_headers.h"

#include <QCoreApplication>

namespace skein {

QVariant alignmentData(ColumnAlignment alignment)
{
    return QVariant((alignment == ColumnAlignment::Left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

QVariant initialOrderData(ColumnAlignment alignment)
{
    return QVariant(alignment == ColumnAlignment::Left ? Qt::AscendingOrder : Qt::DescendingOrder);
}

QVariant columnHeaderData(std::span<const ColumnHeader> headers, int section, Qt::Orientation orientation,
                          int role, ColumnAlignment alignment)
{
    if (orientation != Qt::Horizontal || section < 0 || static_cast<std::size_t>(section) >= headers.size())
        return {};
    const ColumnHeader& header = headers[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return QCoreApplication::translate("Columns", header.title);
    if (role == Qt::ToolTipRole && *header.toolTip)
        return QCoreApplication::translate("Columns", header.toolTip);
    if (role == Qt::InitialSortOrderRole) return initialOrderData(alignment);
    return role == Qt::TextAlignmentRole ? alignmentData(alignment) : QVariant();
}

}  // namespace skein
