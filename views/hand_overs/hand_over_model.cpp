// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hand_overs/hand_over_model.h"

#include "core/base/units.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/number_text.h"
#include "views/common/table/table_delegate.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <numeric>

namespace skein {
namespace {

constexpr ColumnHeader kHandOverHeaders[] = {{"Output", "Number of the output it is a part of"},
                                             {"Part", "Rank that the output says it is of"},
                                             {"From", "Who wrote it"},
                                             {"To", "Who read it"},
                                             {"Size", ""},
                                             {"Written at", "When its writing ended, on the common clock"},
                                             {"Writing", "How long its writing took"},
                                             {"Taken at", "When the reader had it, on the common clock"},
                                             {"Waited", "How long the reader waited for it"},
                                             {"Lay ready", "From the end of its writing until it was taken"}};

bool isText(int column) { return column == HandOverModel::kFrom || column == HandOverModel::kTo; }

ColumnAlignment handOverAlignment(int column)
{
    return isText(column) ? ColumnAlignment::Left : ColumnAlignment::Right;
}

}  // namespace

HandOverModel::HandOverModel(QObject* parent) : SortedModel(kWritten, Qt::AscendingOrder, parent) {}

void HandOverModel::setHandOvers(SessionPtr session, SessionHandOversPtr found, SessionClock clock)
{
    beginResetModel();
    session_ = std::move(session);
    found_ = std::move(found);
    clock_ = std::move(clock);
    order_.resize(found_ ? found_->placed.handOvers.size() : 0);
    arrange();
    endResetModel();
}

int HandOverModel::rowOf(std::uint32_t number) const
{
    const auto place = std::find(order_.begin(), order_.end(), number);
    return place == order_.end() ? -1 : static_cast<int>(place - order_.begin());
}

int HandOverModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int HandOverModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumnCount;
}

double HandOverModel::number(const HandOver& handOver, int column) const
{
    switch (column) {
    case kOutput: return handOver.output;
    case kPart: return handOver.part;
    case kSize: return static_cast<double>(handOver.bytes);
    case kWritten: return tableNs(clock_.toSession(handOver.producer, handOver.written.end));
    case kWriting: return tableNs(handOver.written.lengthNs());
    case kTaken: return tableNs(clock_.toSession(handOver.consumer, handOver.waited.end));
    case kWaited: return tableNs(handOver.waited.lengthNs());
    case kBetween: return number(handOver, kTaken) - number(handOver, kWritten);
    default: return 0;
    }
}

QString HandOverModel::text(const HandOver& handOver, int column) const
{
    const auto place = [&](std::uint32_t experiment, LocationId location) {
        const Experiment& owner = *session_->experiments[experiment];
        return toQString(owner.name + ": " + displayName(owner.definitions, location));
    };
    switch (column) {
    case kFrom: return place(handOver.producer, handOver.from);
    case kTo: return place(handOver.consumer, handOver.to);
    case kOutput:
    case kPart: return QString::number(static_cast<qulonglong>(number(handOver, column)));
    case kSize: return toQString(formatBytes(number(handOver, column)));
    default: return tableDuration(number(handOver, column));
    }
}

QVariant HandOverModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const HandOver& handOver = at(numberOf(index.row()));
    const int column = index.column();
    if (role == Qt::DisplayRole) return text(handOver, column);
    if (role == Qt::TextAlignmentRole) return alignmentData(handOverAlignment(column));
    if (role == kSortRole)
        return isText(column) ? QVariant(text(handOver, column)) : QVariant(number(handOver, column));
    return {};
}

QVariant HandOverModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return columnHeaderData(kHandOverHeaders, section, orientation, role, handOverAlignment(section));
}

void HandOverModel::arrange()
{
    std::iota(order_.begin(), order_.end(), 0U);
    if (order_.empty()) return;
    const int column = sortColumn();
    const auto place = [&](std::uint32_t one) {
        const HandOver& handOver = at(one);
        return column == kFrom ? std::pair(handOver.producer, handOver.from.value())
                               : std::pair(handOver.consumer, handOver.to.value());
    };
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        return isText(column) ? place(a) < place(b) : number(at(a), column) < number(at(b), column);
    };
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sortOrder() == Qt::AscendingOrder ? less(a, b) : less(b, a);
    });
}

RowKey HandOverModel::keyOf(const QModelIndex& index) const { return {numberOf(index.row()), 0}; }

QModelIndex HandOverModel::indexOfKey(RowKey key, int column) const
{
    const int row = rowOf(static_cast<std::uint32_t>(key.first));
    return row < 0 ? QModelIndex() : index(row, column);
}

}  // namespace skein
