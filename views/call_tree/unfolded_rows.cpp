// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/call_tree/unfolded_rows.h"

#include "views/common/table/table_delegate.h"

#include <QScrollBar>
#include <QTreeView>

namespace skein {
namespace {

constexpr std::size_t kMostUnfoldedKept = 5000;

QString pathTo(const QModelIndex& row, const QString& above)
{
    return above + '\n' + row.data(kSortRole).toString();
}

}  // namespace

UnfoldedRows::UnfoldedRows(const QTreeView& table) : place_(table.verticalScrollBar()->value())
{
    collect(table, {}, {});
}

void UnfoldedRows::collect(const QTreeView& table, const QModelIndex& parent, const QString& path)
{
    const QAbstractItemModel& model = *table.model();
    for (int row = 0; row < model.rowCount(parent) && paths_.size() < kMostUnfoldedKept; ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (!table.isExpanded(index)) continue;
        const QString own = pathTo(index, path);
        paths_.insert(own);
        collect(table, index, own);
    }
}

void UnfoldedRows::unfoldBelow(QTreeView& table, const QModelIndex& parent, const QString& path) const
{
    const QAbstractItemModel& model = *table.model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const QString own = pathTo(index, path);
        if (!paths_.contains(own)) continue;
        table.expand(index);
        unfoldBelow(table, index, own);
    }
}

void UnfoldedRows::unfold(QTreeView& table) const { unfoldBelow(table, {}, {}); }

void UnfoldedRows::scroll(QTreeView& table) const
{
    table.doItemsLayout();  // there is nothing to scroll before
    table.verticalScrollBar()->setValue(place_);
}

}  // namespace skein
