// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_tree.h"

#include "views/common/held_painting.h"

#include <QAbstractItemModel>
#include <QMouseEvent>
#include <QPainter>
#include <QPen>
#include <QScrollBar>

#include <algorithm>

namespace skein {
namespace {

/// The event as if it were elsewhere in the same widget.
QMouseEvent movedTo(const QMouseEvent& event, const QPoint& place)
{
    const QPointF by = place - event.position().toPoint();
    return QMouseEvent(event.type(), event.position() + by, event.scenePosition(), event.globalPosition(),
                       event.button(), event.buttons(), event.modifiers(), event.pointingDevice());
}

}  // namespace

TableTree::TableTree(QWidget* parent) : QTreeView(parent)
{
    auto* header = header_ = new TableHeader(this);
    // As the header that a tree makes for itself.
    header->setSectionsClickable(true);
    header->setSectionsMovable(true);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setHeader(header);
    cells_ = new HeldPainting(*viewport());
    titles_ = new HeldPainting(*header->viewport());
    // A table that is empty for a moment has bars of another length.
    bars_ = {new HeldPainting(*horizontalScrollBar()), new HeldPainting(*verticalScrollBar())};
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, header,
            [header] { header->viewport()->update(); });
}

void TableTree::setModel(QAbstractItemModel* model)
{
    if (const QAbstractItemModel* old = this->model()) {
        disconnect(old, &QAbstractItemModel::modelAboutToBeReset, this, &TableTree::holdPainting);
        disconnect(old, &QAbstractItemModel::layoutAboutToBeChanged, this, &TableTree::holdPainting);
    }
    QTreeView::setModel(model);
    if (!model) return;
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &TableTree::holdPainting);
    connect(model, &QAbstractItemModel::layoutAboutToBeChanged, this, &TableTree::holdPainting);
}

void TableTree::holdPainting()
{
    // What fills an empty table is painted as it comes: of several tables not all in one turn.
    if (!model() || model()->rowCount() == 0) return;
    for (HeldPainting* painting : {cells_, titles_, bars_[0], bars_[1]}) painting->hold();
}

bool TableTree::holdsPainting() const { return cells_->holds(); }

void TableTree::freezeColumns(int count)
{
    header_->freezeSections(count);
    viewport()->update();
}

bool TableTree::onFrozen(const QPoint& point) const
{
    return horizontalOffset() > 0 && point.x() >= 0 && point.x() < header_->frozenWidth();
}

QModelIndex TableTree::indexAt(const QPoint& point) const
{
    return QTreeView::indexAt(onFrozen(point) ? inFrozen(point) : point);
}

void TableTree::scrollTo(const QModelIndex& index, ScrollHint hint)
{
    const int before = horizontalScrollBar()->value();
    QTreeView::scrollTo(index, hint);
    horizontalScrollBar()->setValue(before);
}

void TableTree::paintEvent(QPaintEvent* event)
{
    QTreeView::paintEvent(event);
    const int offset = horizontalOffset();
    if (offset <= 0 || !model()) return;
    const QRect frozen(0, 0, header_->frozenWidth(), viewport()->height());
    QPainter painter(viewport());
    painter.setClipRect(frozen);
    painter.fillRect(frozen, palette().color(QPalette::Base));
    painter.translate(offset, 0);
    drawTree(&painter, QRegion(frozen.translated(-offset, 0)));
    painter.translate(-offset, 0);
    painter.setClipping(false);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(frozen.right(), 0, frozen.right(), frozen.height());
}

void TableTree::scrollContentsBy(int dx, int dy)
{
    QTreeView::scrollContentsBy(dx, dy);
    if (dx != 0 || horizontalOffset() > 0) viewport()->update();
}

/// indexAt() leads to what is pressed; only the signs before it, which open and close, and ticks are looked
/// for by place.
template <typename Handler>
void TableTree::handle(QMouseEvent* event, Handler handler)
{
    const QPoint at = event->position().toPoint();
    const QModelIndex index = indexAt(at);
    const bool byPlace =
        inFrozen(at).x() < visualRect(index).left() || index.data(Qt::CheckStateRole).isValid();
    if (!onFrozen(at) || !byPlace) return handler(event);
    QMouseEvent moved = movedTo(*event, inFrozen(at));
    handler(&moved);
    event->setAccepted(moved.isAccepted());
}

void TableTree::mousePressEvent(QMouseEvent* event)
{
    handle(event, [this](QMouseEvent* at) { QTreeView::mousePressEvent(at); });
}

void TableTree::mouseReleaseEvent(QMouseEvent* event)
{
    handle(event, [this](QMouseEvent* at) { QTreeView::mouseReleaseEvent(at); });
}

void TableTree::mouseDoubleClickEvent(QMouseEvent* event)
{
    handle(event, [this](QMouseEvent* at) { QTreeView::mouseDoubleClickEvent(at); });
}

void TableTree::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                            const QList<int>& roles)
{
    QTreeView::dataChanged(topLeft, bottomRight, roles);
    if (horizontalOffset() > 0) viewport()->update();
}

void TableTree::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected)
{
    QTreeView::selectionChanged(selected, deselected);
    if (horizontalOffset() > 0) viewport()->update();
}

void TableTree::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTreeView::currentChanged(current, previous);
    if (horizontalOffset() > 0) viewport()->update();
}

QSize TableHeader::sectionSizeFromContents(int logicalIndex) const
{
    constexpr int kPadding = 18;  // what the style sheet puts around it, and the line at the edge
    const QString title = model()->headerData(logicalIndex, Qt::Horizontal).toString();
    const QSize size = QHeaderView::sectionSizeFromContents(logicalIndex);
    return {std::min(size.width(), fontMetrics().horizontalAdvance(title) + kPadding), size.height()};
}

void TableHeader::paintEvent(QPaintEvent* event)
{
    QHeaderView::paintEvent(event);
    if (offset() <= 0 || count() == 0) return;
    QPainter painter(viewport());
    painter.fillRect(0, 0, frozenWidth(), viewport()->height(), palette().color(QPalette::Window));
    int x = 0;
    for (int place = 0; place < std::min(frozen_, count()); ++place) {
        const int section = logicalIndex(place);
        paintSection(&painter, QRect(x, 0, sectionSize(section), viewport()->height()), section);
        x += sectionSize(section);
    }
}

void TableHeader::freezeSections(int count)
{
    frozen_ = count;
    viewport()->update();
}

int TableHeader::frozenWidth() const
{
    int width = 0;
    for (int place = 0; place < std::min(frozen_, count()); ++place)
        width += sectionSize(logicalIndex(place));
    return width;
}

template <typename Handler>
void TableHeader::handle(QMouseEvent* event, Handler handler)
{
    const QPoint at = event->position().toPoint();
    if (event->type() == QEvent::MouseButtonPress) pressedFrozen_ = offset() > 0 && at.x() < frozenWidth();
    if (!pressedFrozen_) return handler(event);
    QMouseEvent moved = movedTo(*event, {at.x() - offset(), at.y()});
    handler(&moved);
}

void TableHeader::mousePressEvent(QMouseEvent* event)
{
    handle(event, [this](QMouseEvent* at) { QHeaderView::mousePressEvent(at); });
}

void TableHeader::mouseMoveEvent(QMouseEvent* event)
{
    handle(event, [this](QMouseEvent* at) { QHeaderView::mouseMoveEvent(at); });
}

void TableHeader::mouseReleaseEvent(QMouseEvent* event)
{
    handle(event, [this](QMouseEvent* at) { QHeaderView::mouseReleaseEvent(at); });
    pressedFrozen_ = false;
}

}  // namespace skein
