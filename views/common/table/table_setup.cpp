// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_setup.h"

#include "views/common/table/table_delegate.h"
#include "views/common/table/table_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QTreeView>

#include <algorithm>

namespace skein {
namespace {

constexpr int kHeaderPadding = 20;
constexpr int kMeasuredRows =
    64;  ///< for the widths of columns: to measure all rows takes longer than a frame
constexpr int kMostExtraBar = 320;  ///< bars become easier to compare with room, up to a point
constexpr int kUsualFirst = 360;
constexpr int kNarrowestFirst = 96;  ///< where the first numbers would not fit beside it otherwise
constexpr double kDeepFirst = 0.55;  ///< of the room, where names are far indented
constexpr int kUsualLevels = 4;
constexpr int kAlwaysSeen = 4;     ///< columns after the name: share, inclusive, exclusive, calls
constexpr int kWidestFirst = 560;  ///< where names that are unfolded would push numbers out of sight
/// On a wide screen a column of numbers becomes so many times as wide as its texts, no more: rows of few
/// numbers could not be followed otherwise.
constexpr double kWidestSpread = 2.5;

/// The style leaves room for the sort indicator beside the title; ours stands above it.
int headerWidth(const QTreeView& table, int column)
{
    const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
    return table.header()->fontMetrics().horizontalAdvance(title) + kHeaderPadding;
}

/// Which columns are shown; the first one always is.
void showColumnMenu(QTreeView& table, const QPoint& position)
{
    auto* menu = new QMenu(&table);
    menu->setObjectName("columnMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 1; column < table.model()->columnCount(); ++column) {
        const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
        if (title.isEmpty()) continue;
        QAction* shown = menu->addAction(title);
        shown->setCheckable(true);
        shown->setChecked(!table.isColumnHidden(column));
        QObject::connect(shown, &QAction::toggled, &table,
                         [&table, column](bool on) { table.setColumnHidden(column, !on); });
    }
    menu->popup(table.header()->mapToGlobal(position));
}

/// How far names of the first rows that are shown are indented at most, beyond what a narrow column has room
/// for.
int deepIndentation(const QTreeView& table)
{
    int deepest = 0, rows = 0;
    for (QModelIndex at = table.model()->index(0, 0); at.isValid() && rows < kMeasuredRows;
         at = table.indexBelow(at), ++rows) {
        int depth = 0;
        for (QModelIndex above = at.parent(); above.isValid(); above = above.parent()) ++depth;
        deepest = std::max(deepest, depth);
    }
    return std::max(0, deepest - kUsualLevels) * table.indentation();
}

/// Divides what is left between the columns behind the first: bars have the first share.
void spreadColumns(QTreeView& table, int rest)
{
    if (table.model()->index(0, 1).data(kBarRole).isValid() && !table.isColumnHidden(1)) {
        const int bar = std::min(rest, kMostExtraBar);
        table.setColumnWidth(1, table.columnWidth(1) + bar);
        rest -= bar;
    }
    int others = 0;
    for (int column = 1; column < table.model()->columnCount(); ++column) others += table.columnWidth(column);
    if (rest <= 0 || others <= 0) return;
    const double part = std::min(static_cast<double>(rest) / others, kWidestSpread - 1);
    for (int column = 1; column < table.model()->columnCount(); ++column)
        if (!table.isColumnHidden(column))
            table.setColumnWidth(column, static_cast<int>(table.columnWidth(column) * (1 + part)));
}

}  // namespace

void setUpTable(QTreeView& table, const char* accessibleName)
{
    table.setAccessibleName(accessibleName);
    table.setItemDelegate(new TableDelegate(&table));
    table.setFrameShape(QFrame::NoFrame);
    table.setAlternatingRowColors(true);
    table.setUniformRowHeights(true);
    table.setTextElideMode(Qt::ElideMiddle);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setAllColumnsShowFocus(true);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.header()->setStretchLastSection(false);
    table.header()->setSectionsMovable(true);
    table.header()->setFirstSectionMovable(false);
    table.header()->setMinimumSectionSize(40);
    table.header()->setHighlightSections(false);
    table.header()->setResizeContentsPrecision(kMeasuredRows);
    table.header()->setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(table.header(), &QWidget::customContextMenuRequested, &table,
                     [&table](const QPoint& position) { showColumnMenu(table, position); });
    auto* copy = new QAction(QObject::tr("Copy"), &table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, &table,
                     [&table] { QApplication::clipboard()->setText(selectedRowsText(table)); });
    table.addAction(copy);
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

void fitColumns(QTreeView& table, int leastFirst)
{
    const int room = table.viewport()->width();
    int others = 0;
    int shown = 0;
    int places = 0;
    // Of deep trees numbers give way to names, which would be out of sight otherwise.
    const int indented = deepIndentation(table);
    const int deep =
        indented == 0 ? 0 : std::min(kNarrowestFirst + indented, static_cast<int>(kDeepFirst * room));
    for (int column = 1; column < table.model()->columnCount(); ++column) {
        if (table.isColumnHidden(column)) continue;
        table.resizeColumnToContents(column);
        const int width = std::max(table.columnWidth(column), headerWidth(table, column));
        table.setColumnWidth(column, width);
        others += width;
        const int usual = ++places <= kAlwaysSeen ? std::min(leastFirst, kNarrowestFirst) : leastFirst;
        const int first = std::max(usual, deep);
        if (first + others <= room) shown = others;
    }
    // Where not all fit, the last one that is seen is seen whole.
    table.resizeColumnToContents(0);
    const int wanted = std::max({table.columnWidth(0), leastFirst, kUsualFirst});
    if (others > shown) return table.setColumnWidth(0, room - shown);
    table.setColumnWidth(0, std::min(room - others, wanted));
    spreadColumns(table, room - others - table.columnWidth(0));
}

void widenFirst(QTreeView& table)
{
    const int before = table.columnWidth(0);
    table.resizeColumnToContents(0);
    const int free = table.viewport()->width() - (table.header()->length() - table.columnWidth(0));
    const int most = std::max({before, kWidestFirst, free});
    table.setColumnWidth(0, std::clamp(table.columnWidth(0), before, most));
}

}  // namespace skein
