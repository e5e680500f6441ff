// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/held_painting.h"

#include "views/common/picture_difference.h"

#include <QTimer>
#include <QWidget>

#include <utility>

namespace skein {
namespace {

constexpr int kHeldTurnMs = 1;

}  // namespace

HeldPainting::HeldPainting(QWidget& widget) : QObject(&widget), widget_(widget) {}

void HeldPainting::hold()
{
    if (held_ || !widget_.isVisible() || !widget_.updatesEnabled() || widget_.size().isEmpty()) return;
    before_ = picture();
    begin();
}

void HeldPainting::begin()
{
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
    const QImage before = std::exchange(before_, {});
    // Lays out what is still to be laid out, which asks for all to be painted.
    const QImage now = !before.isNull() && widget_.isVisible() ? picture() : QImage();
    widget_.setAttribute(Qt::WA_UpdatesDisabled, false);
    if (now.isNull()) return widget_.update();
    const bool comparable = before.devicePixelRatio() == now.devicePixelRatio();
    const QRegion all = widget_.rect();
    widget_.update(comparable ? differingTiles(before, now, now.devicePixelRatio()) & all : all);
}

QImage HeldPainting::picture() const
{
    const double ratio = widget_.devicePixelRatioF();
    QImage image(widget_.size() * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    widget_.render(&image, {}, {}, QWidget::DrawWindowBackground);
    return image;
}

}  // namespace skein
