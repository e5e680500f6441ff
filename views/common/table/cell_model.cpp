// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/cell_model.h"

#include "core/base/natural_order.h"
#include "core/base/units.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/number_text.h"
#include "views/common/table/table_delegate.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <numeric>

namespace skein {
namespace {

QString cellText(const TableCell& cell, CellKind kind)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return toQString(*text);
    const double value = std::get<double>(cell);
    switch (kind) {
    case CellKind::Bytes: return toQString(formatBytes(value));
    case CellKind::Count: return tableCount(value);
    case CellKind::Percent: return tablePercent(value);
    case CellKind::Duration: return tableDuration(value);
    default: return tableNumber(value);
    }
}

}  // namespace

CellModel::CellModel(QObject* parent) : SortedModel(-1, Qt::AscendingOrder, parent) {}

void CellModel::setTable(std::vector<CellColumn> columns, std::vector<std::vector<TableCell>> rows)
{
    beginResetModel();
    columns_ = std::move(columns);
    rows_ = std::move(rows);
    most_.assign(columns_.size(), 0);
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            if (const auto* value = std::get_if<double>(&row[i])) most_[i] = std::max(most_[i], *value);
    arrange();
    endResetModel();
}

int CellModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CellModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant CellModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto column = static_cast<std::size_t>(index.column());
    const TableCell& cell = rows_[rowOf(index.row())][column];
    const auto* value = std::get_if<double>(&cell);
    switch (role) {
    case Qt::DisplayRole: return cellText(cell, columns_[column].kind);
    case kSortRole: return value ? QVariant(*value) : QVariant(cellText(cell, columns_[column].kind));
    case Qt::TextAlignmentRole: return QVariant((value ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case kBarRole:
        if (value && most_[column] > 0 && columns_[column].kind != CellKind::Number)
            return *value / most_[column];
        return {};
    default: return {};
    }
}

QVariant CellModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const CellColumn& column = columns_[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole && !column.toolTip.isEmpty()) return column.toolTip;
    const auto alignment = column.kind == CellKind::Text ? ColumnAlignment::Left : ColumnAlignment::Right;
    if (role == Qt::TextAlignmentRole) return alignmentData(alignment);
    return role == Qt::InitialSortOrderRole ? initialOrderData(alignment) : QVariant();
}

void CellModel::arrange()
{
    order_.resize(rows_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const int chosen = sortColumn();
    if (chosen >= 0 && chosen < columnCount()) {
        const auto column = static_cast<std::size_t>(chosen);
        const auto before = [&](std::size_t a, std::size_t b) {
            const TableCell &left = rows_[a][column], &right = rows_[b][column];
            if (left.index() != right.index()) return left.index() < right.index();
            // What is not known stands before all numbers.
            if (left.index() != right.index()) return left.index() < right.index();
            if (const auto* text = std::get_if<std::string>(&left))
                return NaturalOrder()(*text, std::get<std::string>(right));
            return std::get<double>(left) < std::get<double>(right);
        };
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
            return sortOrder() == Qt::AscendingOrder ? before(a, b) : before(b, a);
        });
    }
    lines_.resize(order_.size());
    for (std::size_t line = 0; line < order_.size(); ++line) lines_[order_[line]] = line;
}

RowKey CellModel::keyOf(const QModelIndex& index) const { return {rowOf(index.row()), 0}; }

QModelIndex CellModel::indexOfKey(RowKey key, int column) const
{
    return index(lineOf(static_cast<std::size_t>(key.first)), column);
}

}  // namespace skein
