// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_model.h"

#include "core/base/natural_order.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/number_text.h"
#include "views/common/table/row_places.h"
#include "views/common/table/table_delegate.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace skein {
namespace {

bool isRankedEnd(int column) { return column == MetricRankModel::kFrom || column == MetricRankModel::kTo; }

ColumnAlignment rankedAlignment(int column)
{
    return isRankedEnd(column) ? ColumnAlignment::Left : ColumnAlignment::Right;
}

}  // namespace

void MetricRankModel::setList(MetricRankListPtr list)
{
    beginResetModel();
    list_ = std::move(list);
    order_.resize(list_ ? list_->size() : 0);
    arrange();
    endResetModel();
}

std::size_t MetricRankModel::placeOf(const QModelIndex& index) const
{
    return order_[static_cast<std::size_t>(index.row())];
}

int MetricRankModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

QString MetricRankModel::text(std::size_t place, int column) const
{
    const RankedValue& value = list_->values[place];
    switch (column) {
    case kFrom: return toQString(rankedEnds(*list_, value).first);
    case kTo: return toQString(rankedEnds(*list_, value).second);
    case kValue: return toQString(rankedText(*list_, static_cast<double>(value.value)));
    case kShare: return tablePercent(value.cumulativeShare);
    default: return QString::number(place + 1);
    }
}

QVariant MetricRankModel::exact(std::size_t place, int column) const
{
    switch (column) {
    case kValue: return static_cast<double>(list_->values[place].value);
    case kShare: return list_->values[place].cumulativeShare;
    case kPlace: return static_cast<double>(place + 1);
    default: return text(place, column);
    }
}

QVariant MetricRankModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const std::size_t place = placeOf(index);
    switch (role) {
    case Qt::DisplayRole: return text(place, index.column());
    case kSortRole: return exact(place, index.column());
    case Qt::ToolTipRole: return isRankedEnd(index.column()) ? text(place, index.column()) : QVariant();
    case Qt::TextAlignmentRole: return alignmentData(rankedAlignment(index.column()));
    default: return {};
    }
}

QVariant MetricRankModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return alignmentData(rankedAlignment(section));
    if (role == Qt::InitialSortOrderRole)
        return initialOrderData(section == kPlace ? ColumnAlignment::Left : rankedAlignment(section));
    if (role == kExactUnitRole && section == kValue && list_) return list_->inBytes() ? "bytes" : "";
    if (role == Qt::ToolTipRole && section == kShare)
        return tr("Of the sum of all values, those down to this one");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case kFrom:
        return list_ && list_->ofRanks() ? tr("Rank") : list_ && list_->ofPairs() ? tr("Sender") : tr("From");
    case kTo: return list_ && list_->ofPairs() ? tr("Receiver") : tr("To");
    case kValue: return list_ ? toQString(valueNameOf(list_->quantity)) : tr("Value");
    case kShare: return tr("% of all, with those above");
    case kPlace: return tr("Place");
    default: return {};
    }
}

/// Nodes by their names as people count them, each name looked at once; ranks by their numbers.
void MetricRankModel::arrangeByName()
{
    const bool from = sortColumn() == kFrom;
    const auto end = [&](std::uint32_t place) {
        const RankedValue& value = list_->values[place];
        return from ? value.source : value.target;
    };
    std::map<std::uint32_t, std::string> names;
    for (const RankedValue& value : list_->values) {
        std::string& name = names[from ? value.source : value.target];
        if (!name.empty()) continue;
        auto ends = rankedEnds(*list_, value);
        name = std::move(from ? ends.first : ends.second);
    }
    std::vector<std::pair<std::string, std::uint32_t>> sorted;
    for (const auto& [id, name] : names) sorted.emplace_back(name, id);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return NaturalOrder()(a.first, b.first); });
    std::map<std::uint32_t, double> number;
    for (std::size_t i = 0; i < sorted.size(); ++i) number[sorted[i].second] = static_cast<double>(i);
    sortByNumber(order_, sortOrder(), [&](std::uint32_t place) { return number.at(end(place)); });
}

void MetricRankModel::arrange()
{
    std::iota(order_.begin(), order_.end(), 0u);
    if (!list_) return rowOf_.clear();
    if (isRankedEnd(sortColumn())) arrangeByName();
    else
        sortByNumber(order_, sortOrder(),
                     [this](std::uint32_t place) { return exact(place, sortColumn()).toDouble(); });
    rowOf_ = placesOf(order_, list_->size());
}

RowKey MetricRankModel::keyOf(const QModelIndex& index) const { return {placeOf(index), 0}; }

QModelIndex MetricRankModel::indexOfKey(RowKey key, int column) const
{
    return key.first < rowOf_.size() ? index(rowOf_[key.first], column) : QModelIndex();
}

}  // namespace skein
