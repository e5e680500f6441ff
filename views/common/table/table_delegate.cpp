// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_delegate.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace skein {
namespace {

constexpr int kRowPadding = 6;
constexpr int kSwatchSize = 10;
constexpr int kMargin = 4;

void paintBar(QPainter& painter, const QStyleOptionViewItem& option, double part)
{
    const QRect cell = option.rect.adjusted(kMargin, 3, -kMargin, -3);
    const int length = static_cast<int>(cell.width() * std::clamp(part, 0.0, 1.0) + 0.5);
    if (length <= 0) return;
    QColor color = option.palette.color(QPalette::Highlight);
    color.setAlpha(56);
    // From the right, where the numbers are: equal lengths line up with equal digits.
    painter.fillRect(QRect(cell.right() - length + 1, cell.top(), length, cell.height()), color);
}

QPixmap swatch(const QColor& color, qreal ratio)
{
    QPixmap pixmap(QSize(kSwatchSize, kSwatchSize) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(color);
    return pixmap;
}

}  // namespace

void TableDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
    if (index.data(kWarnRole).toBool())
        option->palette.setColor(QPalette::Text, toQColor(themeFor(option->palette).warning));
    const QVariant color = index.data(kSwatchRole);
    if (!color.isValid()) return;
    const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1.0;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = QIcon(swatch(color.value<QColor>(), ratio));
    option->decorationSize = QSize(kSwatchSize, kSwatchSize);
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant bar = index.data(kBarRole);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    QStyledItemDelegate::paint(painter, option, index);
    if (!bar.isValid() || selected) return;
    painter->save();
    paintBar(*painter, option, bar.toDouble());
    painter->restore();
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize hint = QStyledItemDelegate::sizeHint(option, index);
    return {hint.width(), option.fontMetrics.height() + kRowPadding};
}

}  // namespace skein
