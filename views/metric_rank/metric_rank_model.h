// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QAbstractTableModel>

#include "views/metric_rank/metric_rank_list_scene.h"

namespace skein {

/// The values of a metric as a table, the greatest first.
class MetricRankModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kPlace, kName, kValue, kShare, kColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setList(MetricRankListPtr list);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& = {}) const override { return kColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    MetricRankListPtr list_;
};

}  // namespace skein
