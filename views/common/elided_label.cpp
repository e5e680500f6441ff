// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/elided_label.h"

#include <QEvent>

#include <algorithm>

namespace skein {
namespace {

constexpr int kFewestLetters = 12;

/// Whether letters stand where they come in the text: what runs to the left moves when it grows.
bool runsToTheRight(const QString& text)
{
    return std::none_of(text.begin(), text.end(), [](QChar letter) {
        switch (letter.direction()) {
        case QChar::DirR:
        case QChar::DirAL:
        case QChar::DirRLE:
        case QChar::DirRLO:
        case QChar::DirRLI: return true;
        default: return false;
        }
    });
}

}  // namespace

void ElidedLabel::setText(const QString& text)
{
    if (text == fullText_) return;
    const QSize before = sizeHint();
    fullText_ = text;
    measure();
    if (keepsWidest_) widest_ = std::max(widest_, roomPx());
    showWhatFits();
    if (sizeHint() != before) updateGeometry();
}

void ElidedLabel::measure() { fullTextPx_ = fontMetrics().horizontalAdvance(fullText_); }

int ElidedLabel::withMargins(int textPx) const
{
    const QMargins margins = contentsMargins();
    return textPx + margins.left() + margins.right() + 2 * margin();
}

int ElidedLabel::roomPx() const { return (withMargins(fullTextPx_) / roomStep_ + 1) * roomStep_; }

QSize ElidedLabel::sizeHint() const { return {std::max(roomPx(), widest_), QLabel::sizeHint().height()}; }

QSize ElidedLabel::minimumSizeHint() const
{
    const int few = withMargins(kFewestLetters * fontMetrics().horizontalAdvance(QLatin1Char('x')));
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
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    measure();
    showWhatFits();
}

void ElidedLabel::showWhatFits()
{
    const int room = contentsRect().width() - 2 * margin();
    const bool fits = fullTextPx_ <= room;
    const QString shown = fits ? fullText_ : fontMetrics().elidedText(fullText_, Qt::ElideRight, room);
    if (shown != text()) showInstead(shown);
    setToolTip(shown == fullText_ ? QString() : fullText_);
}

/// Letters at the beginning that stay are not painted again.
void ElidedLabel::showInstead(const QString& shown)
{
    const QString before = text();
    const bool beginsLeft = layoutDirection() == Qt::LeftToRight && (alignment() & Qt::AlignLeft)
        && runsToTheRight(before) && runsToTheRight(shown);
    if (!beginsLeft || !updatesEnabled()) return QLabel::setText(shown);
    const auto [last, other] = std::mismatch(shown.begin(), shown.end(), before.begin(), before.end());
    // The letter before may overhang, or be joined with what follows.
    const qsizetype same = std::max<qsizetype>(0, last - shown.begin() - 1);
    const int stays = std::max(0, fontMetrics().horizontalAdvance(shown.first(same)) - 1);
    // It asks for all of it to be painted, which setUpdatesEnabled(true) would do as well.
    setAttribute(Qt::WA_UpdatesDisabled, true);
    QLabel::setText(shown);
    setAttribute(Qt::WA_UpdatesDisabled, false);
    update(rect().adjusted(contentsRect().left() + stays, 0, 0, 0));
}

}  // namespace skein
