// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/flow_layout.h"

#include <algorithm>

namespace skein::gui {

FlowLayout::~FlowLayout()
{
    for (QLayoutItem* item : items_) delete item;
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    QLayoutItem* item = itemAt(index);
    if (item) items_.erase(items_.begin() + index);
    return item;
}

QSize FlowLayout::minimumSize() const
{
    QSize size(0, 0);
    for (const QLayoutItem* item : items_) size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& area)
{
    QLayout::setGeometry(area);
    place(area, Placing::Move);
}

int FlowLayout::place(const QRect& area, Placing placing) const
{
    const QRect inner = area.marginsRemoved(contentsMargins());
    QPoint at = inner.topLeft();
    int rowHeight = 0;
    for (QLayoutItem* item : items_) {
        const QSize wanted = item->sizeHint();
        const QSize size(std::min(wanted.width(), std::max(inner.width(), item->minimumSize().width())),
                         wanted.height());
        const bool full = at.x() > inner.x() && at.x() + size.width() > inner.x() + inner.width();
        if (full) at = {inner.x(), at.y() + rowHeight + spacing()};
        rowHeight = full ? size.height() : std::max(rowHeight, size.height());
        if (placing == Placing::Move) item->setGeometry({at, size});
        at.rx() += size.width() + spacing();
    }
    return at.y() + rowHeight - area.y() + contentsMargins().bottom();
}

}  // namespace skein::gui
