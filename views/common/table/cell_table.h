// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/table/table_tree.h"

#include "views/common/table/cell_model.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace skein {

/// A table of plain cells that stands in a panel or dialog beside other things, set up as all tables are: the
/// first column stays in sight, a click on a title sorts, the greatest numbers first, and what is copied is
/// exact. At first rows stand as they came.
class CellTable : public TableTree {
    Q_OBJECT

public:
    /// What takes the room that is left: the first column, or the last one, which then is a text.
    enum class Widest { First, Last };

    CellTable(const char* objectName, const QString& accessibleName, QWidget* parent);

    /// In place of the rows before. What was chosen is chosen no longer.
    void setRows(std::vector<CellColumn> columns, std::vector<std::vector<TableCell>> rows);
    void clearRows();
    void setWidest(Widest widest) { widest_ = widest; }
    /// Gives the columns that are shown widths that fit, in place of those before.
    void fit();
    CellModel& cells() const { return *cells_; }
    /// Numbers that the chosen rows came with, ascending.
    std::vector<std::size_t> chosenRows() const;
    /// Of the row with the keyboard; nullopt: none has it.
    std::optional<std::size_t> currentRow() const;
    /// Gives it the keyboard, and chooses it. A row that there is not: does nothing.
    void setCurrentRow(std::size_t row);
    /// The cell of a row as it came, wherever it stands.
    QModelIndex cellOf(std::size_t row, int column) const;

Q_SIGNALS:
    /// The user, or setCurrentRow(), has chosen other rows.
    void rowsChosen();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitSoon();

    CellModel* cells_ = nullptr;
    Widest widest_ = Widest::First;
    std::vector<CellColumn> fittedTo_;  ///< empty: no rows had widths that fit
    bool fitScheduled_ = false;
};

}  // namespace skein
