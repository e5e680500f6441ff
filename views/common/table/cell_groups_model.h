// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/cell_data.h"
#include "views/common/table/sorted_model.h"

#include <QAbstractItemModel>
#include <QString>

#include <cstdint>
#include <vector>

namespace skein {

/// Rows of plain cells under a title of their own.
struct CellGroup {
    QString title;
    std::vector<std::vector<TableCell>> rows;
};

/// Groups of rows of plain cells as a tree. Groups stay in their order; in each the rows are sorted by any
/// column, at first as they came.
class CellGroupsModel : public SortedModel<QAbstractItemModel> {
    Q_OBJECT

public:
    explicit CellGroupsModel(QObject* parent = nullptr);

    /// In place of all that was there.
    void setGroups(std::vector<CellColumn> columns, std::vector<CellGroup> groups);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    std::vector<CellColumn> columns_;
    std::vector<CellGroup> groups_;
    std::vector<std::vector<std::uint32_t>> orders_;  ///< of the rows of each group, as they stand
    std::vector<std::vector<int>> places_;            ///< of each row
    std::vector<std::vector<double>> most_;           ///< of each column of each group
};

}  // namespace skein
