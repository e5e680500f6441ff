// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_delegate.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPixmapCache>

#include <algorithm>

namespace skein {
namespace {

constexpr int kRowPadding = 6;
constexpr int kSwatchSize = 10;
constexpr int kMargin = 6;

void paintBar(QPainter& painter, const QStyleOptionViewItem& option, double part)
{
    const QRect cell = option.rect.adjusted(kMargin / 2, 3, -kMargin / 2, -3);
    const int length = static_cast<int>(cell.width() * std::clamp(part, 0.0, 1.0) + 0.5);
    if (length <= 0) return;
    QColor color = toQColor(plainThemeFor(option.palette).accent);
    // Selected rows are tinted already.
    color.setAlpha(option.state.testFlag(QStyle::State_Selected) ? 96 : 56);
    painter.fillRect(QRect(cell.left(), cell.top(), length, cell.height()), color);
}

/// Kept from one painting to the next: many rows have the same few.
QPixmap cachedSwatch(const QColor& color, const QColor& frame, qreal ratio)
{
    const QString key = QString("swatch %1 %2 %3").arg(color.rgba()).arg(frame.rgba()).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    pixmap = QPixmap(QSize(kSwatchSize, kSwatchSize) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(color);
    QPainter painter(&pixmap);
    painter.setPen(frame);
    painter.drawRect(0, 0, kSwatchSize - 1, kSwatchSize - 1);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

int roomFor(const QStyleOptionViewItem& option)
{
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    return style->subElementRect(QStyle::SE_ItemViewItemText, &option, option.widget).width() - kMargin;
}

int unitWidth(const QFontMetrics& metrics, const QString& unit)
{
    return unit.isEmpty() ? 0 : metrics.horizontalAdvance(" " + unit);
}

/// The number ends where all numbers of the column end; its unit begins where all units begin.
void paintNumber(QPainter& painter, const QStyleOptionViewItem& option, const QString& text,
                 const QString& widestUnit)
{
    const qsizetype space = text.lastIndexOf(' ');
    const QString number = space < 0 ? text : text.left(space);
    const QString unit = space < 0 ? QString() : text.mid(space + 1);
    const int slot = unitWidth(option.fontMetrics, widestUnit);
    const QRect cell = option.rect.adjusted(kMargin, 0, -kMargin, 0);
    painter.setFont(option.font);
    painter.setPen(option.palette.color(QPalette::Text));
    painter.drawText(cell.adjusted(0, 0, -slot, 0), Qt::AlignRight | Qt::AlignVCenter, number);
    painter.setPen(option.palette.color(QPalette::PlaceholderText));
    const int gap = option.fontMetrics.horizontalAdvance(' ');
    painter.drawText(QRect(cell.right() - slot + gap + 1, cell.top(), slot, cell.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, unit);
}

}  // namespace

QString TableDelegate::shortened(const QStyleOptionViewItem& option) const
{
    const int room = roomFor(option);
    if (option.fontMetrics.horizontalAdvance(option.text) <= room) return option.text;
    if (!fonts_ || fontOf_ != option.font) fonts_ = std::make_unique<SceneFonts>(option.font, 1.0);
    fontOf_ = option.font;
    return QString::fromStdString(
        elideName(option.text.toStdString(), room, FontStyle::Normal, QtTextMeasure(*fonts_)));
}

void TableDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
    if (index.data(kWarnRole).toBool())
        option->palette.setColor(QPalette::Text, toQColor(plainThemeFor(option->palette).warning));
    const QVariant color = index.data(kSwatchRole);
    if (!color.isValid()) return;
    const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1.0;
    option->features |= QStyleOptionViewItem::HasDecoration;
    const QPixmap square =
        cachedSwatch(color.value<QColor>(), toQColor(plainThemeFor(option->palette).frame), ratio);
    option->icon = QIcon(square);
    // Styles tint the pictures of selected rows; this one's colour means something.
    option->icon.addPixmap(square, QIcon::Selected);
    option->decorationSize = QSize(kSwatchSize, kSwatchSize);
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    const QVariant bar = index.data(kBarRole);
    const QVariant unit = index.data(kUnitRole);
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    if (unit.isValid()) cell.text.clear();
    else if (index.data(kRegionRole).toBool()) cell.text = shortened(cell);
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    painter->save();
    if (bar.isValid()) paintBar(*painter, cell, bar.toDouble());
    if (unit.isValid()) paintNumber(*painter, cell, text, unit.toString());
    painter->restore();
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int height = option.fontMetrics.height() + kRowPadding;
    const QVariant unit = index.data(kUnitRole);
    if (!unit.isValid()) return {QStyledItemDelegate::sizeHint(option, index).width(), height};
    const QString text = index.data().toString();
    const int number = option.fontMetrics.horizontalAdvance(text.left(text.lastIndexOf(' ')));
    return {number + unitWidth(option.fontMetrics, unit.toString()) + 2 * kMargin + 2, height};
}

}  // namespace skein
