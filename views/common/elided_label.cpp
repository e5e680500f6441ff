// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/elided_label.h"

#include "views/common/held_painting.h"

#include <QEvent>

#include <algorithm>

namespace skein {
namespace {

constexpr int kFewestLetters = 12;

}  // namespace

void ElidedLabel::setText(const QString& text)
{
    if (text == fullText_) return;
    const QSize before = sizeHint();
    fullText_ = text;
    if (keepsWidest_) widest_ = std::max(widest_, widthOf(text) + 1);
    const bool stays = sizeHint() == before;
    if (stays) {
        if (!painting_) painting_ = new HeldPainting(*this);
        painting_->hold();
    }
    showWhatFits();
    if (!stays) updateGeometry();
}

int ElidedLabel::widthOf(const QString& text) const
{
    const QMargins margins = contentsMargins();
    return fontMetrics().horizontalAdvance(text) + margins.left() + margins.right() + 2 * margin();
}

QSize ElidedLabel::sizeHint() const
{
    return {std::max(widthOf(fullText_) + 1, widest_), QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    const int few = widthOf(QString(kFewestLetters, QLatin1Char('x')));
    return {std::min(few, sizeHint().width()), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    showWhatFits();
}

void ElidedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) showWhatFits();
}

void ElidedLabel::showWhatFits()
{
    const int room = contentsRect().width() - 2 * margin();
    const bool fits = fontMetrics().horizontalAdvance(fullText_) <= room;
    const QString shown = fits ? fullText_ : fontMetrics().elidedText(fullText_, Qt::ElideRight, room);
    if (shown != text()) QLabel::setText(shown);
    setToolTip(shown == fullText_ ? QString() : fullText_);
}

}  // namespace skein
