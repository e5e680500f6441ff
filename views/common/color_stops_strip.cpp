// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/color_stops_strip.h"

#include "views/common/theme.h"

#include <QColorDialog>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace skein {
namespace {

constexpr int kStripWidth = 150, kStripMargin = 6, kStripReach = 9;
constexpr double kStopKeyStep = 0.02;

/// The number of the stop at an anchor; the ends have none.
std::optional<std::size_t> stopOf(std::size_t anchor)
{
    return anchor > 0 && anchor + 1 < ColorStops::kColors ? std::optional(anchor - 1) : std::nullopt;
}

}  // namespace

ColorStopsStrip::ColorStopsStrip(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Colours of all communication views: positions and colours of the stops"));
    setToolTip(tr("Colours of all communication views, from nothing to the greatest value. Drag the stops, "
                  "double-click one or an end for its colour; ↑ and ↓ choose one, ← and → move it, Enter "
                  "asks for its colour. A double click between them puts all back."));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize ColorStopsStrip::sizeHint() const
{
    return {kStripWidth + 2 * kStripMargin, fontMetrics().height() + 6};
}

double ColorStopsStrip::placeOf(std::size_t anchor) const
{
    const auto stop = stopOf(anchor);
    const double part = stop ? stops_.at[*stop] : anchor == 0 ? 0.0 : 1.0;
    return kStripMargin + part * (width() - 2 * kStripMargin);
}

void ColorStopsStrip::setStops(const ColorStops& stops)
{
    stops_ = stops;
    setAccessibleDescription(QString::fromStdString(stops.text()));
    update();
}

void ColorStopsStrip::take(const ColorStops& stops)
{
    if (stops == stops_) return;
    setStops(stops);
    Q_EMIT moved(stops);
}

bool ColorStopsStrip::isDark() const { return palette().color(QPalette::Base).lightness() < 128; }

void ColorStopsStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool dark = isDark();
    const int wide = width() - 2 * kStripMargin, tall = height() - 8;
    for (int x = 0; x < wide; ++x)
        painter.fillRect(kStripMargin + x, 2, 1, tall,
                         toQColor(stops_.color(dark, (x + 0.5) / std::max(1, wide))));
    for (std::size_t anchor = 0; anchor < ColorStops::kColors; ++anchor) {
        const double x = placeOf(anchor);
        const bool chosen = hasFocus() && anchor == chosen_;
        painter.setPen(QPen(palette().color(QPalette::Base), 1));
        painter.setBrush(palette().color(chosen ? QPalette::Highlight : QPalette::Text));
        // What cannot be moved is smaller.
        const double half = stopOf(anchor) ? 5 : 3;
        painter.drawPolygon(QPolygonF(
            {QPointF(x, tall - 4), QPointF(x - half, height() - 1.0), QPointF(x + half, height() - 1.0)}));
    }
}

std::optional<std::size_t> ColorStopsStrip::anchorAt(double x) const
{
    double nearest = kStripReach;
    std::optional<std::size_t> found;
    for (std::size_t anchor = 0; anchor < ColorStops::kColors; ++anchor) {
        const double away = std::abs(placeOf(anchor) - x);
        if (away >= nearest) continue;
        nearest = away;
        found = anchor;
    }
    return found;
}

void ColorStopsStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    grabbed_ = anchorAt(event->position().x());
    if (grabbed_) chosen_ = *grabbed_;
    pressed_ = stops_;
    update();
}

void ColorStopsStrip::mouseMoveEvent(QMouseEvent* event)
{
    const auto stop = grabbed_ ? stopOf(*grabbed_) : std::nullopt;
    if (!stop) return;
    ColorStops stops = stops_;
    stops.move(*stop, (event->position().x() - kStripMargin) / std::max(1, width() - 2 * kStripMargin));
    setStops(stops);
}

void ColorStopsStrip::mouseReleaseEvent(QMouseEvent*)
{
    if (!grabbed_) return;
    grabbed_.reset();
    if (stops_ != pressed_) Q_EMIT moved(stops_);
}

void ColorStopsStrip::mouseDoubleClickEvent(QMouseEvent* event)
{
    grabbed_.reset();
    if (const auto anchor = anchorAt(event->position().x())) return askForColor(*anchor);
    take(ColorStops());
}

void ColorStopsStrip::askForColor(std::size_t anchor)
{
    chosen_ = anchor;
    const ColorStops before = stops_;
    auto* dialog = new QColorDialog(toQColor(stops_.anchor(isDark(), anchor)), window());
    dialog->setObjectName("color_stops.color");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QColorDialog::DontUseNativeDialog);
    const auto with = [before, anchor](const QColor& color) {
        ColorStops stops = before;
        stops.own[anchor] =
            Color{static_cast<std::uint8_t>(color.red()), static_cast<std::uint8_t>(color.green()),
                  static_cast<std::uint8_t>(color.blue())};
        return stops;
    };
    connect(dialog, &QColorDialog::currentColorChanged, this,
            [this, with](const QColor& color) { setStops(with(color)); });
    connect(dialog, &QColorDialog::rejected, this, [this, before] { setStops(before); });
    connect(dialog, &QColorDialog::colorSelected, this, [this, with](const QColor& color) {
        setStops(with(color));
        Q_EMIT moved(stops_);
    });
    dialog->open();
}

void ColorStopsStrip::keyPressEvent(QKeyEvent* event)
{
    ColorStops stops = stops_;
    const auto stop = stopOf(chosen_);
    switch (event->key()) {
    case Qt::Key_Left:
        if (stop) stops.move(*stop, stops.at[*stop] - kStopKeyStep);
        break;
    case Qt::Key_Right:
        if (stop) stops.move(*stop, stops.at[*stop] + kStopKeyStep);
        break;
    case Qt::Key_Up: chosen_ = (chosen_ + 1) % ColorStops::kColors; break;
    case Qt::Key_Down: chosen_ = (chosen_ + ColorStops::kColors - 1) % ColorStops::kColors; break;
    case Qt::Key_Home: stops = {}; break;
    case Qt::Key_Return:
    case Qt::Key_Enter: return askForColor(chosen_);
    default: return QWidget::keyPressEvent(event);
    }
    update();
    take(stops);
}

}  // namespace skein
