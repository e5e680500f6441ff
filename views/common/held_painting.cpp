// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/held_painting.h"

#include "views/common/picture_difference.h"

#include <QBackingStore>
#include <QCoreApplication>
#include <QEvent>
#include <QTimer>
#include <QWidget>

namespace skein {
namespace {

constexpr int kHeldTurnMs = 1;

/// What the window shows of a widget; null where that cannot be read. A picture of the widget from before it
/// was held would not do: what was due to be painted then, or to be laid out, is in such a picture and not on
/// the screen.
QImage shownOf(const QWidget& widget)
{
    const QWidget* const window = widget.window();
    const QBackingStore* const store = window->backingStore();
    const QPaintDevice* const device = store ? const_cast<QBackingStore*>(store)->paintDevice() : nullptr;
    if (!device || device->devType() != QInternal::Image) return {};
    const auto& whole = static_cast<const QImage&>(*device);
    const double ratio = widget.devicePixelRatioF();
    const QRect part((QPointF(widget.mapTo(window, QPoint())) * ratio).toPoint(), widget.size() * ratio);
    if (!whole.rect().contains(part)) return {};
    QImage shown = whole.copy(part).convertToFormat(QImage::Format_RGB32);
    shown.setDevicePixelRatio(ratio);
    return shown;
}

QImage pictureOf(QWidget& widget)
{
    const double ratio = widget.devicePixelRatioF();
    QImage image(widget.size() * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    widget.render(&image, {}, {}, QWidget::DrawWindowBackground);
    return image;
}

}  // namespace

HeldPainting::HeldPainting(QWidget& widget) : QObject(&widget), widget_(widget) {}

void HeldPainting::hold()
{
    if (held_ || !widget_.isVisible() || !widget_.updatesEnabled() || widget_.size().isEmpty()) return;
    held_ = true;
    // setUpdatesEnabled(true) would paint all of it.
    widget_.setAttribute(Qt::WA_UpdatesDisabled, true);
    // Filling takes some milliseconds and painting does too: painted is in a turn of its own. Trees paint
    // columns of another width a turn after they got it, all of them: before that this timer, which began
    // before the filling, would be due, so that it leads to one that begins after it.
    QTimer::singleShot(kHeldTurnMs, this,
                       [this] { QTimer::singleShot(kHeldTurnMs, this, &HeldPainting::release); });
}

void HeldPainting::release()
{
    held_ = false;
    const QImage shown = widget_.isVisible() ? shownOf(widget_) : QImage();
    // Lays out what is still to be laid out, which asks for all to be painted.
    const QImage now = shown.isNull() ? QImage() : pictureOf(widget_);
    widget_.setAttribute(Qt::WA_UpdatesDisabled, false);
    widget_.update(now.isNull() ? QRegion(widget_.rect())
                                : differingTiles(shown, now, now.devicePixelRatio()) & widget_.rect());
    // Where the widget was to be painted when it was held, Qt takes it that this is still asked for.
    QCoreApplication::postEvent(widget_.window(), new QEvent(QEvent::UpdateRequest), Qt::LowEventPriority);
}

}  // namespace skein
