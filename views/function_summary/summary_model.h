// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QAbstractTableModel>

#include "views/common/scene/color/palette.h"
#include "views/common/table/compared_cells.h"
#include "views/common/table/sorted_model.h"
#include "views/function_summary/summary_rows.h"

#include <optional>
#include <vector>

namespace skein {

/// The rows of a function summary as a table of Qt.
class SummaryModel : public SortedModel<QAbstractTableModel> {
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
        kLocations,
        kImbalance,
        kLost,
        kWorst,
        kComponent,
        kDerived,  ///< only where there is one
        kColumnCount
    };

    explicit SummaryModel(QObject* parent = nullptr) : SortedModel(kExclusive, Qt::DescendingOrder, parent) {}

    void setRows(SummaryRows rows, const Session& session);
    /// Shows two runs beside each other, a row a region: behind the name stand the columns of
    /// ComparedColumn.
    void setCompared(ComparedRowsPtr compared);
    const ComparedCells& compared() const { return compared_; }
    void clear();
    void setPalettes(std::vector<RegionPalette> palettes);
    /// Shows only rows whose name contains the text, ignoring case.
    void setFilter(const QString& text);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const SummaryRow& row(int place) const { return rows_.rows[order_[static_cast<std::size_t>(place)]]; }
    const SummaryRows& rows() const { return rows_; }

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    double value(const SummaryRow& row, int column) const;
    QString text(const SummaryRow& row, int column) const;
    QString toolTip(const SummaryRow& row, int column) const;
    QVariant unit(int column) const;
    QVariant swatchOf(const SummaryRow& row) const;

    std::size_t numberOf(const SummaryRow& row) const;
    /// What a column shows of a comparison; nothing for names and where nothing is compared.
    std::optional<ComparedColumn> comparedAt(int column) const;
    bool isText(int column) const;

    SummaryRows rows_;
    ComparedCells compared_;
    std::vector<std::uint32_t> order_;  ///< rows shown, as they stand
    std::vector<int> placeOf_;          ///< of each row; -1: not shown
    std::vector<QString> components_;
    std::vector<RegionPalette> palettes_;
    QString filter_;
    double greatestPart_ = 0.0;
};

}  // namespace skein
