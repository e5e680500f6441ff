// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/cell_model.h"

#include <algorithm>
#include <numeric>

namespace skein {

CellModel::CellModel(QObject* parent) : SortedModel(-1, Qt::AscendingOrder, parent) {}

void CellModel::setTable(std::vector<CellColumn> columns, std::vector<std::vector<TableCell>> rows)
{
    beginResetModel();
    columns_ = std::move(columns);
    rows_ = std::move(rows);
    ticks_.clear();
    most_ = greatestOfColumns(columns_.size(), rows_);
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
    if (role == Qt::CheckStateRole && column == 0 && !ticks_.empty())
        return static_cast<int>(ticks_[rowOf(index.row())] ? Qt::Checked : Qt::Unchecked);
    return cellData(rows_[rowOf(index.row())][column], columns_[column].kind, most_[column], role);
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
    return cellHeaderData(columns_[static_cast<std::size_t>(section)], role);
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
