// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/sorted_model.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace skein {

/// What a column of a table of plain cells holds, and how it is shown.
enum class CellKind : std::uint8_t { Text, Count, Bytes, Number, Percent, Duration };

struct CellColumn {
    QString title;
    CellKind kind = CellKind::Text;
    QString toolTip = {};
};

/// A text, or a number in the unit of its column: bytes, parts of one, ns.
using TableCell = std::variant<std::string, double>;

/// A table that shows rows of plain cells, which scenes can make without Qt. Sorted by any column. Rows keep
/// the number that they came with.
class CellModel : public SortedModel<QAbstractTableModel> {
    Q_OBJECT

public:
    explicit CellModel(QObject* parent = nullptr);

    void setTable(std::vector<CellColumn> columns, std::vector<std::vector<TableCell>> rows);
    /// Takes the rows away; the columns stay.
    void clearRows() { setTable(std::move(columns_), {}); }
    /// The number of the row that stands in a line.
    std::size_t rowOf(int line) const { return order_[static_cast<std::size_t>(line)]; }
    int lineOf(std::size_t row) const { return static_cast<int>(lines_[row]); }

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
    std::vector<std::vector<TableCell>> rows_;
    std::vector<std::size_t> order_, lines_;
    std::vector<double> most_;  ///< of each column
};

}  // namespace skein
