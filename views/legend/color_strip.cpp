// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend/color_strip.h"

#include <QPainter>

#include <utility>

namespace skein {
namespace {

constexpr int kStripHeight = 10;

}  // namespace

ColorStrip::ColorStrip(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setVisible(false);
}

void ColorStrip::showScale(const QStringList& texts, std::function<QColor(double)> colorOf,
                           const QString& title)
{
    title_ = title;
    texts_ = texts;
    colorOf_ = std::move(colorOf);
    setAccessibleName(tr("Scale of colours: %1").arg((QStringList(title) + texts).join(", ")));
    setToolTip(title);
    updateGeometry();
    update();
}

int ColorStrip::titleHeight() const { return title_.isEmpty() ? 0 : fontMetrics().height() + 2; }

QSize ColorStrip::sizeHint() const
{
    return {160, titleHeight() + kStripHeight + fontMetrics().height() + 4};
}

void ColorStrip::paintEvent(QPaintEvent*)
{
    if (!colorOf_) return;
    QPainter painter(this);
    for (int x = 0; x < width(); ++x)
        painter.fillRect(x, titleHeight(), 1, kStripHeight, colorOf_(x / std::max(1.0, width() - 1.0)));
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRect(0, 0, width(), titleHeight()), Qt::AlignLeft,
                     fontMetrics().elidedText(title_, Qt::ElideMiddle, width()));
    const QRect box(0, titleHeight() + kStripHeight + 2, width(), fontMetrics().height() + 2);
    const Qt::Alignment places[] = {Qt::AlignLeft, Qt::AlignHCenter, Qt::AlignRight};
    for (qsizetype i = 0; i < texts_.size() && i < 3; ++i) painter.drawText(box, int(places[i]), texts_[i]);
}

}  // namespace skein
