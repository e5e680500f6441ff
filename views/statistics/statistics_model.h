// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QAbstractItemModel>

#include "views/common/scene/color/palette.h"
#include "views/common/table/sorted_model.h"
#include "views/statistics/statistics_rows.h"

#include <vector>

namespace skein {

/// Regions, and below each the locations that called it, as a tree of Qt.
class StatisticsModel : public SortedModel<QAbstractItemModel> {
    Q_OBJECT

public:
    enum Column {
        kName,
        kPercent,
        kExclusive,
        kInclusive,
        kCalls,
        kMean,
        kMinimum,
        kMaximum,
        kDeviation,
        kComponent,
        kColumnCount
    };

    explicit StatisticsModel(QObject* parent = nullptr) : SortedModel(kExclusive, Qt::DescendingOrder, parent)
    {
    }

    void setRows(StatisticsRows rows, const SessionPtr& session);
    void clear();
    void setPalettes(std::vector<RegionPalette> palettes);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& = {}) const override { return kColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const StatisticsRows& rows() const { return rows_; }
    /// The region of an index, that above it for a location.
    const StatisticsRow& rowOf(const QModelIndex& index) const;
    /// Invalid for a region.
    LocationRef locationOf(const QModelIndex& index) const;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    static constexpr quintptr kTop = 0;

    const std::vector<std::uint32_t>& childrenOf(std::uint32_t row) const;
    const RegionStatistics& valuesOf(const QModelIndex& index) const;
    double value(const RegionStatistics& values, int column) const;
    QString text(const QModelIndex& index) const;
    QString name(const QModelIndex& index) const;

    SessionPtr session_;
    StatisticsRows rows_;
    std::vector<std::uint32_t> order_;  ///< rows as they stand
    std::vector<int> placeOf_;          ///< of each row
    mutable std::vector<std::vector<std::uint32_t>>
        children_;  ///< of each row as they stand; empty: not sorted yet
    std::vector<QString> components_;
    std::vector<RegionPalette> palettes_;
    double greatestPart_ = 0;
};

}  // namespace skein
