// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/cell_groups_model.h"

#include "views/common/table/row_places.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace skein {
namespace {

// The index of a group holds 0, that of a row the number of its group + 1.

std::size_t groupOfCell(const QModelIndex& index) { return static_cast<std::size_t>(index.internalId()) - 1; }

}  // namespace

CellGroupsModel::CellGroupsModel(QObject* parent) : SortedModel(-1, Qt::AscendingOrder, parent) {}

void CellGroupsModel::setGroups(std::vector<CellColumn> columns, std::vector<CellGroup> groups)
{
    beginResetModel();
    columns_ = std::move(columns);
    groups_ = std::move(groups);
    most_.clear();
    for (const CellGroup& group : groups_) most_.push_back(greatestOfColumns(columns_.size(), group.rows));
    arrange();
    endResetModel();
}

QModelIndex CellGroupsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= columnCount()) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex CellGroupsModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(static_cast<int>(groupOfCell(index)), 0, quintptr{0});
}

int CellGroupsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) return static_cast<int>(groups_.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].rows.size());
}

int CellGroupsModel::columnCount(const QModelIndex&) const { return static_cast<int>(columns_.size()); }

QVariant CellGroupsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    if (index.internalId() == 0) {
        const bool title = index.column() == 0 && (role == Qt::DisplayRole || role == Qt::ToolTipRole);
        return title ? groups_[static_cast<std::size_t>(index.row())].title : QVariant();
    }
    const std::size_t group = groupOfCell(index);
    const std::uint32_t row = orders_[group][static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    return cellData(groups_[group].rows[row][column], columns_[column].kind, most_[group][column], role);
}

QVariant CellGroupsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    return cellHeaderData(columns_[static_cast<std::size_t>(section)], role);
}

void CellGroupsModel::arrange()
{
    orders_.resize(groups_.size());
    places_.resize(groups_.size());
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        const auto& rows = groups_[group].rows;
        orders_[group].resize(rows.size());
        std::iota(orders_[group].begin(), orders_[group].end(), 0u);
        if (sortColumn() >= 0 && sortColumn() < columnCount()) {
            const auto column = static_cast<std::size_t>(sortColumn());
            std::stable_sort(orders_[group].begin(), orders_[group].end(),
                             [&](std::uint32_t a, std::uint32_t b) {
                                 return cellBefore(rows[a][column], rows[b][column], sortOrder());
                             });
        }
        places_[group] = placesOf(orders_[group], rows.size());
    }
}

RowKey CellGroupsModel::keyOf(const QModelIndex& index) const
{
    if (index.internalId() == 0) return {0, static_cast<std::uint64_t>(index.row())};
    return {index.internalId(), orders_[groupOfCell(index)][static_cast<std::size_t>(index.row())]};
}

QModelIndex CellGroupsModel::indexOfKey(RowKey key, int column) const
{
    if (key.first == 0) return createIndex(static_cast<int>(key.second), column, quintptr{0});
    const int place = places_[static_cast<std::size_t>(key.first) - 1][static_cast<std::size_t>(key.second)];
    return createIndex(place, column, static_cast<quintptr>(key.first));
}

}  // namespace skein
