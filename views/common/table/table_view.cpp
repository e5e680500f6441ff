// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_view.h"

#include "views/common/empty_state.h"
#include "views/common/table/table_setup.h"

#include <QHBoxLayout>
#include <QItemSelection>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace skein {

TableView::TableView(const ViewContext& context, const char* accessibleName, QWidget* parent)
    : View(context, parent), table_(new QTreeView(this)), controls_(new QHBoxLayout)
{
    setUpTable(*table_, accessibleName);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table_, &QWidget::customContextMenuRequested, this, &TableView::showMenu);
    controls_->setContentsMargins(8, 4, 8, 4);
    controls_->setSpacing(4);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(controls_);
    column->addWidget(table_, 1);
    pages_ = new EmptyState(content, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages_);
    setFocusProxy(table_);
}

QLineEdit* TableView::makeNameField(const QString& accessibleName)
{
    auto* field = new QLineEdit(this);
    field->setPlaceholderText(tr("Filter by name"));
    field->setClearButtonEnabled(true);
    field->setAccessibleName(accessibleName);
    return field;
}

void TableView::fit(int leastFirst)
{
    leastFirst_ = leastFirst;
    fitColumns(*table_, leastFirst);
}

void TableView::follow(const std::function<void()>& change)
{
    const bool before = std::exchange(following_, true);
    change();
    following_ = before;
}

void TableView::markRows(const QItemSelection& rows, const QModelIndex& first)
{
    follow([&] {
        table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
        if (!first.isValid()) return;
        table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        table_->scrollTo(first);
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

void TableView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    if (fitted()) fitColumns(*table_, leastFirst_);
}

}  // namespace skein
