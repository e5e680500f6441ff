// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_text.h"

#include "views/common/table/table_delegate.h"

#include <QHeaderView>
#include <QTreeView>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

bool isNumber(const QVariant& value)
{
    const int type = value.typeId();
    return type == QMetaType::Double || type == QMetaType::Int || type == QMetaType::LongLong
        || type == QMetaType::ULongLong || type == QMetaType::UInt;
}

/// The unit of the number behind a shown text such as "3.05 ms".
QString unitBehind(const QString& text)
{
    const QString unit = text.section(' ', -1);
    if (unit == "ns" || unit == "µs" || unit == "ms" || unit == "s") return "ns";
    return unit.endsWith('B') && text.contains(' ') ? "bytes" : QString();
}

QString toldUnit(const QAbstractItemModel& model, int column)
{
    return model.headerData(column, Qt::Horizontal, kExactUnitRole).toString();
}

/// Shares are parts of one to sort by, and percent to read: "% exclusive".
bool isPercent(const QModelIndex& cell)
{
    return cell.model()->headerData(cell.column(), Qt::Horizontal).toString().startsWith('%')
        || toldUnit(*cell.model(), cell.column()) == "%";
}

}  // namespace

std::vector<int> shownColumns(const QTreeView& table)
{
    std::vector<int> columns;
    for (int place = 0; place < table.header()->count(); ++place)
        if (const int column = table.header()->logicalIndex(place); !table.isColumnHidden(column))
            columns.push_back(column);
    return columns;
}

QString exactHeader(const QAbstractItemModel& model, int column)
{
    const QString title = model.headerData(column, Qt::Horizontal).toString();
    if (title.endsWith(']') || title.startsWith('%')) return title;  // it names its unit
    if (const QString unit = toldUnit(model, column); !unit.isEmpty())
        return QString("%1 [%2]").arg(title, unit);
    constexpr int kLookedAt = 50;
    for (int row = 0; row < std::min(model.rowCount(), kLookedAt); ++row) {
        const QModelIndex cell = model.index(row, column);
        const QString unit = isNumber(cell.data(kSortRole)) ? unitBehind(cell.data().toString()) : QString();
        if (!unit.isEmpty()) return QString("%1 [%2]").arg(title, unit);
    }
    return title;
}

QString exactText(const QModelIndex& cell)
{
    const QVariant exact = cell.data(kSortRole);
    if (!isNumber(exact)) return cell.data().toString();
    const double value = exact.toDouble() * (isPercent(cell) ? 100 : 1);
    // What is not known is an empty field.
    return std::isnan(value) ? QString() : QString::fromLatin1(QByteArray::number(value, 'g', 17));
}

QString selectedRowsText(const QTreeView& table)
{
    QModelIndexList rows = table.selectionModel()->selectedRows(0);
    std::sort(rows.begin(), rows.end(), [&](const QModelIndex& a, const QModelIndex& b) {
        return table.visualRect(a).top() < table.visualRect(b).top();
    });
    const std::vector<int> columns = shownColumns(table);
    QStringList lines, cells;
    for (const int column : columns) cells.push_back(exactHeader(*table.model(), column));
    lines.push_back(cells.join('\t'));
    for (const QModelIndex& row : rows) {
        cells.clear();
        for (const int column : columns) cells.push_back(exactText(row.siblingAtColumn(column)));
        lines.push_back(cells.join('\t'));
    }
    return lines.join('\n');
}

}  // namespace skein
