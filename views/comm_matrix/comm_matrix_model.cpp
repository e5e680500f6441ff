// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_matrix_model.h"

#include "views/common/table/column_headers.h"
#include "views/common/table/row_places.h"
#include "views/common/table/table_delegate.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <numeric>

namespace skein {
namespace {

constexpr int kCommSides = 3, kCommValues = 5;

/// In the order of the columns.
CommValue valueOfCommColumn(int column)
{
    constexpr CommValue kValues[kCommValues] = {CommValue::Bytes, CommValue::Messages, CommValue::MeanSize,
                                                CommValue::Hops, CommValue::Time};
    return kValues[std::clamp(column, 0, kCommValues - 1)];
}

/// Of the numbers behind the texts; empty: they have none.
QString unitOfCommValue(CommValue value)
{
    if (value == CommValue::Time) return "ns";
    return value == CommValue::Bytes || value == CommValue::MeanSize ? "bytes" : "";
}

}  // namespace

void CommMatrixModel::setMatrix(CommMatrixTablePtr table)
{
    beginResetModel();
    table_ = std::move(table);
    order_.resize(table_ ? table_->cells.size() : 0);
    std::iota(order_.begin(), order_.end(), 0u);
    arrange();
    endResetModel();
}

const CommMatrixCell& CommMatrixModel::cellOf(const QModelIndex& index) const
{
    return table_->cells[order_[static_cast<std::size_t>(index.row())]];
}

int CommMatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int CommMatrixModel::columnCount(const QModelIndex&) const
{
    return compares() ? kBytes + kCommSides * kCommValues : kColumnCount;
}

double CommMatrixModel::value(std::uint32_t cell, int column) const
{
    const CommMatrixCell& is = table_->cells[cell];
    if (column == kSender) return is.row;
    if (column == kReceiver) return is.column;
    if (!compares()) return commCellValue(*table_, is, valueOfCommColumn(column - kBytes));
    const CommValue value = valueOfCommColumn((column - kBytes) / kCommSides);
    const double before = commCellValue(*table_, table_->befores[cell], value);
    const double after = commCellValue(*table_, is, value);
    switch ((column - kBytes) % kCommSides) {
    case 0: return before;
    case 1: return after;
    default: return after - before;
    }
}

QString CommMatrixModel::text(std::uint32_t cell, int column) const
{
    const CommMatrixCell& is = table_->cells[cell];
    if (column == kSender) return toQString(table_->items[is.row].name);
    if (column == kReceiver) return toQString(table_->items[is.column].name);
    return toQString(commValueText(valueIn(column), value(cell, column)));
}

CommValue CommMatrixModel::valueIn(int column) const
{
    return valueOfCommColumn(compares() ? (column - kBytes) / kCommSides : column - kBytes);
}

QVariant CommMatrixModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const std::uint32_t cell = order_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return text(cell, index.column());
    if (role == kSortRole && index.column() >= kBytes) return value(cell, index.column());
    if (role == Qt::TextAlignmentRole && index.column() >= kBytes)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant CommMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    const auto alignment = section >= kBytes ? ColumnAlignment::Right : ColumnAlignment::Left;
    if (role == Qt::TextAlignmentRole) return alignmentData(alignment);
    if (role == Qt::InitialSortOrderRole) return initialOrderData(alignment);
    if (role == kExactUnitRole && section >= kBytes) return unitOfCommValue(valueIn(section));
    if (role != Qt::DisplayRole) return {};
    if (section == kSender) return tr("Sender");
    if (section == kReceiver) return tr("Receiver");
    if (!compares()) return toQString(commValueName(valueOfCommColumn(section - kBytes)));
    const QString name = toQString(commValueName(valueOfCommColumn((section - kBytes) / kCommSides)));
    switch ((section - kBytes) % kCommSides) {
    case 0: return name;
    case 1: return tr("%1 as tried").arg(name);
    default: return tr("Change of %1").arg(name.toLower());
    }
}

void CommMatrixModel::arrange()
{
    if (!table_) return placeOf_.clear();
    sortByNumber(order_, sortOrder(), [this](std::uint32_t cell) { return value(cell, sortColumn()); });
    placeOf_ = placesOf(order_, table_->cells.size());
}

RowKey CommMatrixModel::keyOf(const QModelIndex& index) const
{
    return {order_[static_cast<std::size_t>(index.row())], 0};
}

QModelIndex CommMatrixModel::indexOfKey(RowKey key, int column) const
{
    return key.first < placeOf_.size() ? index(placeOf_[key.first], column) : QModelIndex();
}

}  // namespace skein
