// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_matrix_model.h"

#include "views/common/table/row_places.h"
#include "views/common/utf8_text.h"

#include <limits>
#include <numeric>

namespace skein {

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

double CommMatrixModel::value(const CommMatrixCell& cell, int column) const
{
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const SessionCommunication& of = *table_->communication;
    const auto bytes = static_cast<double>(cell.bytes), messages = static_cast<double>(cell.messages);
    const double amount = of.bytesKnown ? bytes : messages;
    switch (column) {
    case kSender: return cell.row;
    case kReceiver: return cell.column;
    case kBytes: return of.bytesKnown ? bytes : kUnknown;
    case kMessages: return of.messagesKnown ? messages : kUnknown;
    case kMeanSize: return of.bytesKnown && messages > 0 ? bytes / messages : kUnknown;
    case kHops: return of.machine && amount > 0 ? static_cast<double>(cell.hopBytes) / amount : kUnknown;
    case kTime: return of.timesNs.empty() ? kUnknown : static_cast<double>(cell.timeNs);
    default: return kUnknown;
    }
}

QString CommMatrixModel::text(const CommMatrixCell& cell, int column) const
{
    switch (column) {
    case kSender: return toQString(table_->items[cell.row].name);
    case kReceiver: return toQString(table_->items[cell.column].name);
    case kBytes: return toQString(commValueText(CommValue::Bytes, value(cell, column)));
    case kMessages: return toQString(commValueText(CommValue::Messages, value(cell, column)));
    case kMeanSize: return toQString(commValueText(CommValue::MeanSize, value(cell, column)));
    case kHops: return toQString(commValueText(CommValue::Hops, value(cell, column)));
    case kTime: return toQString(commValueText(CommValue::Time, value(cell, column)));
    default: return {};
    }
}

QVariant CommMatrixModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    if (role == Qt::DisplayRole) return text(cellOf(index), index.column());
    if (role == Qt::TextAlignmentRole && index.column() >= kBytes)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant CommMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section >= kBytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case kSender: return tr("Sender");
    case kReceiver: return tr("Receiver");
    case kBytes: return tr("Bytes");
    case kMessages: return tr("Messages");
    case kMeanSize: return tr("Mean size");
    case kHops: return tr("Hops");
    case kTime: return tr("Time in flight");
    default: return {};
    }
}

void CommMatrixModel::arrange()
{
    if (!table_) return placeOf_.clear();
    sortByNumber(order_, sortOrder(),
                 [this](std::uint32_t cell) { return value(table_->cells[cell], sortColumn()); });
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
