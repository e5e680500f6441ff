// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/cell_table.h"

#include "views/common/table/table_setup.h"

#include <QResizeEvent>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr int kLeastCellName = 120;

}  // namespace

CellTable::CellTable(const char* objectName, const QString& accessibleName, QWidget* parent)
    : TableTree(parent), cells_(new CellModel(this))
{
    setUpTable(*this, accessibleName.toUtf8().constData());
    setObjectName(objectName);
    setRootIsDecorated(false);
    setModel(cells_);
    header()->setSortIndicator(-1, Qt::DescendingOrder);
    setSortingEnabled(true);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &CellTable::rowsChosen);
    connect(cells_, &CellModel::modelReset, this, [this] {
        if (fittedTo_ != cells_->columns()) fitSoon();
    });
}

/// Widths that the user gave to columns stay while these, and the width of the table, stay what they are.
void CellTable::setRows(std::vector<CellColumn> columns, std::vector<std::vector<TableCell>> rows)
{
    cells_->setTable(std::move(columns), std::move(rows));
    if (fittedTo_ != cells_->columns()) fit();
}

void CellTable::clearRows()
{
    cells_->clearRows();
    fittedTo_.clear();
}

std::vector<std::size_t> CellTable::chosenRows() const
{
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows(0))
        rows.push_back(cells_->rowOf(index.row()));
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::optional<std::size_t> CellTable::currentRow() const
{
    const QModelIndex current = currentIndex();
    return current.isValid() ? std::optional(cells_->rowOf(current.row())) : std::nullopt;
}

QModelIndex CellTable::cellOf(std::size_t row, int column) const
{
    if (row >= static_cast<std::size_t>(cells_->rowCount())) return {};
    return cells_->index(cells_->lineOf(row), column);
}

void CellTable::setCurrentRow(std::size_t row)
{
    if (const QModelIndex cell = cellOf(row, 0); cell.isValid()) setCurrentIndex(cell);
}

void CellTable::resizeEvent(QResizeEvent* event)
{
    TableTree::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) fitSoon();
}

void CellTable::fit()
{
    if (cells_->columnCount() == 0) return;
    if (cells_->rowCount() > 0) fittedTo_ = cells_->columns();
    else fittedTo_.clear();
    header()->setStretchLastSection(widest_ == Widest::Last);
    if (widest_ == Widest::First) return fitColumns(*this, kLeastCellName);
    for (int column = 0; column + 1 < cells_->columnCount(); ++column) resizeColumnToContents(column);
}

/// Once for all the sizes that it is given while panels are laid out.
void CellTable::fitSoon()
{
    if (std::exchange(fitScheduled_, true)) return;
    QTimer::singleShot(0, this, [this] {
        fitScheduled_ = false;
        fit();
    });
}

}  // namespace skein
