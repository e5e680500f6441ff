// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_model.h"

#include "views/common/utf8_text.h"

namespace skein {

void MetricRankModel::setList(MetricRankListPtr list)
{
    beginResetModel();
    list_ = std::move(list);
    endResetModel();
}

int MetricRankModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !list_ ? 0 : static_cast<int>(list_->size());
}

QVariant MetricRankModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole && index.column() != kName)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const auto place = static_cast<std::size_t>(index.row());
    const RankedValue& value = list_->values[place];
    switch (index.column()) {
    case kPlace: return index.row() + 1;
    case kName: return toQString(rankedName(*list_, place));
    case kValue: return toQString(rankedText(*list_, static_cast<double>(value.value)));
    case kShare: return tr("%1 %").arg(100 * value.cumulativeShare, 0, 'f', 1);
    default: return {};
    }
}

QVariant MetricRankModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case kPlace: return tr("Place");
    case kName: return tr("Of what");
    case kValue: return tr("Value");
    case kShare: return tr("Cumulative share");
    default: return {};
    }
}

}  // namespace skein
