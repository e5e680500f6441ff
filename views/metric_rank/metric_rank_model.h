// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QAbstractTableModel>

#include "views/common/table/sorted_model.h"
#include "views/metric_rank/metric_rank_list_scene.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The values of a metric as a table, the greatest first; what they are of has a column for each end.
class MetricRankModel : public SortedModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column { kFrom, kTo, kValue, kShare, kPlace, kColumnCount };

    explicit MetricRankModel(QObject* parent) : SortedModel(kValue, Qt::DescendingOrder, parent) {}

    /// Null: nothing.
    void setList(MetricRankListPtr list);
    /// The place in the list of the value that a row shows.
    std::size_t placeOf(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& = {}) const override { return kColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    QString text(std::size_t place, int column) const;
    QVariant exact(std::size_t place, int column) const;
    void arrangeByName();

    MetricRankListPtr list_;
    std::vector<std::uint32_t> order_;  ///< places in the list, as rows stand
    std::vector<int> rowOf_;
};

}  // namespace skein
