// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_setup.h"

#include "views/common/table/quiet_hover.h"
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

constexpr int kMeasuredRows =
    64;  ///< for the widths of columns: to measure all rows takes longer than a frame
constexpr int kMostExtraBar = 320;  ///< before the others get more: bars are easier to compare with room
constexpr int kUsualFirst = 360;
constexpr int kNarrowestFirst = 96;  ///< where the first numbers would not fit beside it otherwise
constexpr int kAlwaysSeen = 4;       ///< columns after the name: share, inclusive, exclusive, calls
constexpr int kWidestFirst = 560;    ///< where names that are unfolded would push numbers out of sight
constexpr int kWidestOther = 280;    ///< texts after the name; longer ones are elided
constexpr int kWidestStep = 14;      ///< of indentation, from a row to those below it
constexpr int kNarrowestStep = 8;    ///< the sign that unfolds a row is hit yet
constexpr int kUsualLevels = 4;
constexpr double kDeepFirst = 0.55;  ///< of the room, where even so names would be out of sight
constexpr int kReadableName = 96;    ///< what the innermost row has for its name, with the square before it
/// On a wide screen a column of numbers becomes so many times as wide as its texts, no more: rows of few
/// numbers could not be followed otherwise.
constexpr double kWidestSpread = 2.5;

/// Columns that are not offered, and whether the user had hidden them before.
constexpr auto kMissingColumns = "missingColumns";

/// Which columns are shown; the first one always is.
void showColumnMenu(QTreeView& table, const QPoint& position)
{
    const QVariantMap missing = table.property(kMissingColumns).toMap();
    auto* menu = new QMenu(&table);
    menu->setObjectName("columnMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 1; column < table.model()->columnCount(); ++column) {
        const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
        if (title.isEmpty() || missing.contains(QString::number(column))) continue;
        QAction* shown = menu->addAction(title);
        shown->setCheckable(true);
        shown->setChecked(!table.isColumnHidden(column));
        QObject::connect(shown, &QAction::toggled, &table,
                         [&table, column](bool on) { table.setColumnHidden(column, !on); });
    }
    menu->popup(table.header()->mapToGlobal(position));
}

/// How far the innermost of the measured rows stands below the outermost ones.
int deepestLevel(const QTreeView& table)
{
    int deepest = 0;
    QModelIndex row = table.model()->index(0, 0);
    for (int measured = 0; row.isValid() && measured < kMeasuredRows; ++measured) {
        int level = 0;
        for (QModelIndex above = row.parent(); above.isValid(); above = above.parent()) ++level;
        deepest = std::max(deepest, level);
        row = table.indexBelow(row);
    }
    return deepest;
}

/// Of deep trees numbers give way to names, which would be out of sight otherwise.
int leastDeepFirst(int deepest, int room)
{
    if (deepest <= kUsualLevels) return 0;
    return std::min(kReadableName + (deepest + 1) * kNarrowestStep, static_cast<int>(kDeepFirst * room));
}

/// Deep rows of a narrow column move closer together, so that their names do not vanish.
void fitIndentation(QTreeView& table, int deepest)
{
    const int room = (table.columnWidth(0) - kReadableName) / (deepest + 1);
    table.setIndentation(std::clamp(room, kNarrowestStep, kWidestStep));
}

/// What the first column needs where rows are not moved together.
int neededFirst(QTreeView& table, int deepest)
{
    table.resizeColumnToContents(0);
    return table.columnWidth(0) + (kWidestStep - table.indentation()) * (deepest + 1);
}

bool hasBars(const QTreeView& table)
{
    return table.model()->index(0, 1).data(kBarRole).isValid() && !table.isColumnHidden(1);
}

void widen(QTreeView& table, int column, int by)
{
    table.setColumnWidth(column, table.columnWidth(column) + by);
}

/// Divides what is left between the columns behind the first: bars have the first share, and what is left
/// where the others are as wide as they become, for bars lead the eye from the name to its numbers.
void spreadColumns(QTreeView& table, int rest)
{
    const bool bars = hasBars(table);
    if (bars) {
        const int bar = std::min(rest, kMostExtraBar);
        widen(table, 1, bar);
        rest -= bar;
    }
    int others = 0;
    for (int column = 1; column < table.model()->columnCount(); ++column) others += table.columnWidth(column);
    if (rest <= 0 || others <= 0) return;
    const double part = std::min(static_cast<double>(rest) / others, kWidestSpread - 1);
    for (int column = 1; column < table.model()->columnCount(); ++column) {
        if (table.isColumnHidden(column)) continue;
        const int by = static_cast<int>(table.columnWidth(column) * part);
        widen(table, column, by);
        rest -= by;
    }
    if (bars && rest > 0) widen(table, 1, rest);
}

/// Makes columns behind the first as wide as their texts; where they have no room, long texts are elided.
void fitOthers(QTreeView& table, int room)
{
    int all = 0;
    for (int column = 1; column < table.model()->columnCount(); ++column) {
        if (table.isColumnHidden(column)) continue;
        table.resizeColumnToContents(column);
        all += table.columnWidth(column);
    }
    if (all <= room) return;
    for (int column = 1; column < table.model()->columnCount(); ++column)
        if (!table.isColumnHidden(column) && table.columnWidth(column) > kWidestOther)
            table.setColumnWidth(column, kWidestOther);
}

}  // namespace

void setUpTable(QTreeView& table, const char* accessibleName)
{
    table.setAccessibleName(accessibleName);
    table.setItemDelegate(new TableDelegate(&table));
    table.setFrameShape(QFrame::NoFrame);
    table.setAlternatingRowColors(true);
    table.setUniformRowHeights(true);
    table.setIndentation(kWidestStep);
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
    paintHoveredAlone(table);
    paintHoveredAlone(*table.header());
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

void useColumn(QTreeView& table, int column, ColumnUse use)
{
    QVariantMap missing = table.property(kMissingColumns).toMap();
    const QString key = QString::number(column);
    if (missing.contains(key) == (use == ColumnUse::Missing)) return;
    if (use == ColumnUse::Missing) {
        missing.insert(key, table.isColumnHidden(column));
        table.setColumnHidden(column, true);
    } else {
        table.setColumnHidden(column, missing.take(key).toBool());
    }
    table.setProperty(kMissingColumns, missing);
}

void fitColumns(QTreeView& table, int leastFirst)
{
    const int room = table.viewport()->width();
    int others = 0;
    int shown = 0;
    int places = 0;
    const int deepest = deepestLevel(table);
    fitOthers(table, room - leastFirst);
    const int deep = leastDeepFirst(deepest, room);
    for (int column = 1; column < table.model()->columnCount(); ++column) {
        if (table.isColumnHidden(column)) continue;
        others += table.columnWidth(column);
        const int usual = ++places <= kAlwaysSeen ? std::min(leastFirst, kNarrowestFirst) : leastFirst;
        if (std::max(usual, deep) + others <= room) shown = others;
    }
    const int wanted = std::max({neededFirst(table, deepest), leastFirst, kUsualFirst});
    const bool allFit = others == shown;
    // Where not all fit, the last one that is seen is seen whole.
    table.setColumnWidth(0, allFit ? std::min(room - others, wanted) : room - shown);
    if (allFit) spreadColumns(table, room - others - table.columnWidth(0));
    fitIndentation(table, deepest);
}

void widenFirst(QTreeView& table)
{
    const int before = table.columnWidth(0);
    const int deepest = deepestLevel(table);
    const int needed = neededFirst(table, deepest);
    const int free = table.viewport()->width() - (table.header()->length() - table.columnWidth(0));
    const int most = std::max({before, kWidestFirst, free});
    table.setColumnWidth(0, std::clamp(needed, before, most));
    fitIndentation(table, deepest);
}

}  // namespace skein
