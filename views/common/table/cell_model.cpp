// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/cell_model.h"

#include "core/base/natural_order.h"
#include "core/base/units.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/number_text.h"
#include "views/common/table/row_places.h"
#include "views/common/table/table_delegate.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace skein {
namespace {

constexpr std::size_t kElidedFrom = 24;  ///< letters; longer texts may be elided: they are told whole

QString cellText(const TableCell& cell, CellKind kind)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return toQString(*text);
    if (const auto* worded = std::get_if<WordedNumber>(&cell)) return toQString(worded->text);
    const double value = std::get<double>(cell);
    switch (kind) {
    case CellKind::Bytes: return toQString(formatBytes(value));
    case CellKind::Count: return tableCount(value);
    case CellKind::Percent: return tablePercent(value);
    case CellKind::Duration: return tableDuration(value);
    default: return tableNumber(value);
    }
}

std::optional<double> numberOf(const TableCell& cell)
{
    if (const auto* worded = std::get_if<WordedNumber>(&cell)) return worded->value;
    if (const auto* value = std::get_if<double>(&cell)) return *value;
    return std::nullopt;
}

/// Of the numbers behind the texts; empty: they have none.
QString exactUnit(CellKind kind)
{
    switch (kind) {
    case CellKind::Bytes: return "bytes";
    case CellKind::Duration: return "ns";
    case CellKind::Percent: return "%";
    default: return {};
    }
}

/// Whether one cell of a column stands before the other.
bool cellBefore(const TableCell& left, const TableCell& right, Qt::SortOrder order)
{
    const std::optional<double> x = numberOf(left), y = numberOf(right);
    if (x && y) return numberBefore(*x, *y, order);
    if (x || y) return x.has_value();
    const auto &a = std::get<std::string>(left), &b = std::get<std::string>(right);
    return order == Qt::AscendingOrder ? NaturalOrder()(a, b) : NaturalOrder()(b, a);
}

}  // namespace

CellModel::CellModel(QObject* parent) : SortedModel(-1, Qt::AscendingOrder, parent) {}

void CellModel::setTable(std::vector<CellColumn> columns, std::vector<std::vector<TableCell>> rows)
{
    beginResetModel();
    columns_ = std::move(columns);
    rows_ = std::move(rows);
    ticks_.clear();
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
    const std::optional<double> number = numberOf(cell);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return cellText(cell, columns_[column].kind);
    case kSortRole: return number ? QVariant(*number) : QVariant(cellText(cell, columns_[column].kind));
    case Qt::TextAlignmentRole:
        return QVariant((number || columns_[column].kind != CellKind::Text ? Qt::AlignRight : Qt::AlignLeft)
                        | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (const auto* text = std::get_if<std::string>(&cell); text && text->size() >= kElidedFrom)
            return toQString(*text);
        return {};
    case Qt::CheckStateRole:
        if (ticks_.empty() || column != 0) return {};
        return static_cast<int>(ticks_[rowOf(index.row())] ? Qt::Checked : Qt::Unchecked);
    case kBarRole:
        if (value && std::isfinite(*value) && most_[column] > 0 && columns_[column].kind != CellKind::Number)
            return *value / most_[column];
        return {};
    default: return {};
    }
}

void CellModel::setTicks(std::vector<bool> ticks)
{
    ticks.resize(ticks.empty() ? 0 : rows_.size());
    ticks_ = std::move(ticks);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
}

bool CellModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid()) return false;
    const std::size_t row = rowOf(index.row());
    if (role == Qt::CheckStateRole && index.column() == 0 && !ticks_.empty()) {
        ticks_[row] = value.toInt() == Qt::Checked;
        Q_EMIT dataChanged(index, index, {role});
        Q_EMIT ticked(row, ticks_[row]);
        return true;
    }
    if (role != Qt::EditRole || !columns_[static_cast<std::size_t>(index.column())].editable) return false;
    Q_EMIT written(row, index.column(), value.toString());
    return true;
}

Qt::ItemFlags CellModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = SortedModel::flags(index);
    if (!index.isValid()) return flags;
    if (columns_[static_cast<std::size_t>(index.column())].editable) flags |= Qt::ItemIsEditable;
    if (index.column() == 0 && !ticks_.empty()) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QVariant CellModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const CellColumn& column = columns_[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == kExactUnitRole) return exactUnit(column.kind);
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
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
            return cellBefore(rows_[a][column], rows_[b][column], sortOrder());
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
