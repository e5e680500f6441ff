// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/cell_data.h"
#include "views/common/table/sorted_model.h"

#include <QAbstractTableModel>
#include <QString>

#include <utility>
#include <vector>

namespace skein {

/// A table that shows rows of plain cells, which scenes can make without Qt. Sorted by any column; what is no
/// number stands behind those that are. Rows keep the number that they came with.
class CellModel : public SortedModel<QAbstractTableModel> {
    Q_OBJECT

public:
    explicit CellModel(QObject* parent = nullptr);

    void setTable(std::vector<CellColumn> columns, std::vector<std::vector<TableCell>> rows);
    /// Takes the rows away; the columns stay.
    void clearRows() { setTable(std::move(columns_), {}); }
    const std::vector<CellColumn>& columns() const { return columns_; }
    /// Signs before the first column that can be ticked, by row, until other rows come; see ticked().
    void setTicks(std::vector<bool> ticks);
    /// The number of the row that stands in a line.
    std::size_t rowOf(int line) const { return order_[static_cast<std::size_t>(line)]; }
    int lineOf(std::size_t row) const { return static_cast<int>(lines_[row]); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    /// Changes no cell: whoever fills the table decides what becomes of what was written.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    /// The user has written this into a cell of the row.
    void written(std::size_t row, int column, const QString& text);
    /// The user has set or taken away the tick of a row.
    void ticked(std::size_t row, bool on);

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    std::vector<CellColumn> columns_;
    std::vector<std::vector<TableCell>> rows_;
    std::vector<std::size_t> order_, lines_;
    std::vector<double> most_;  ///< of each column
    std::vector<bool> ticks_;   ///< empty: no signs
};

}  // namespace skein
