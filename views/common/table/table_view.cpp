// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_view.h"

#include "views/common/elided_label.h"
#include "views/common/empty_state.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"

#include <QHBoxLayout>
#include <QItemSelection>
#include <QLineEdit>
#include <QMenu>
#include <QResizeEvent>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace skein {

TableView::TableView(const ViewContext& context, const char* accessibleName, QWidget* parent)
    : View(context, parent), table_(new TableTree(this)), controls_(new QHBoxLayout)
{
    setUpTable(*table_, accessibleName);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table_, &QWidget::customContextMenuRequested, this, &TableView::showMenu);
    controls_->setContentsMargins(8, 4, 8, 4);
    controls_->setSpacing(4);
    auto* content = new QWidget(this);
    column_ = new QVBoxLayout(content);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    column_->addLayout(controls_);
    note_ = new ElidedLabel(content);
    note_->setObjectName("table.note");
    note_->setContentsMargins(8, 0, 8, 4);
    note_->hide();
    column_->addWidget(note_);
    column_->addWidget(table_, 1);
    pages_ = EmptyState::fill(*this, content, table_);
    table_->viewport()->installEventFilter(this);
}

QTreeView& TableView::table() const { return *table_; }

void TableView::setHead(QWidget* head)
{
    head->setContentsMargins(8, 4, 8, 4);
    column_->insertWidget(0, head);
}

void TableView::setNote(const QString& sentence)
{
    note_->setText(sentence);
    note_->setVisible(!sentence.isEmpty());
}

QLineEdit* TableView::makeNameField(const QString& accessibleName)
{
    auto* field = new QLineEdit(this);
    field->setPlaceholderText(tr("Filter by name"));
    field->setClearButtonEnabled(true);
    field->setAccessibleName(accessibleName);
    field->setMinimumWidth(40);
    return field;
}

void TableView::fit(int leastFirst)
{
    // Widths for an empty table are none for what will stand in it.
    if (table_->model()->rowCount() > 0) leastFirst_ = leastFirst;
    if (!table_->holdsPainting()) {
        // Widths and painting take some milliseconds each: painted is in a turn of its own.
        constexpr int kTurnMs = 1;
        table_->setUpdatesEnabled(false);
        QTimer::singleShot(kTurnMs, table_, [table = table_] { table->setUpdatesEnabled(true); });
    }
    fitColumns(*table_, leastFirst);
}

void TableView::follow(const std::function<void()>& change)
{
    const bool before = std::exchange(following_, true);
    change();
    following_ = before;
}

void TableView::markRows(const QItemSelection& rows, const QModelIndex& first, RowSight sight)
{
    follow([&] {
        table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
        if (!first.isValid()) return;
        // A row that becomes the current one is scrolled to, too.
        table_->setAutoScroll(sight == RowSight::Brought);
        table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        table_->setAutoScroll(true);
        if (sight == RowSight::Brought) table_->scrollTo(first);
    });
}

void TableView::showMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu);
    if (!menu->isEmpty()) menu->addSeparator();
    menu->addActions(table_->actions());
    menu->popup(table_->viewport()->mapToGlobal(position));
}

/// A scroll bar that comes or goes changes the room as well.
bool TableView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && fitted()) {
        const auto* resize = static_cast<QResizeEvent*>(event);
        if (resize->size().width() != resize->oldSize().width()) fitSoon();
    }
    return View::eventFilter(watched, event);
}

/// Once for all the sizes that a table is given while panels are laid out.
void TableView::fitSoon()
{
    if (std::exchange(fitScheduled_, true)) return;
    QTimer::singleShot(0, this, [this] {
        fitScheduled_ = false;
        if (fitted()) fitColumns(*table_, leastFirst_);
    });
}

void TableView::widenSoon()
{
    if (std::exchange(widenScheduled_, true)) return;
    QTimer::singleShot(0, this, [this] {
        widenScheduled_ = false;
        widenFirst(*table_);
    });
}

}  // namespace skein
