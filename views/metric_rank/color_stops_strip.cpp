// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/color_stops_strip.h"

#include "views/common/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace skein {
namespace {

constexpr int kStripWidth = 150, kStripMargin = 6, kStripReach = 9;
constexpr double kStopKeyStep = 0.02;

}  // namespace

ColorStopsStrip::ColorStopsStrip(QWidget* parent) : QWidget(parent)
{
    setObjectName("metric_rank.stops");
    setAccessibleName(tr("Colours of all communication views: positions of the stops"));
    setToolTip(tr("Colours of all communication views, from nothing to the greatest value. Drag the stops; "
                  "↑ and ↓ choose one, ← and → move it; a double click puts all back."));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize ColorStopsStrip::sizeHint() const
{
    return {kStripWidth + 2 * kStripMargin, fontMetrics().height() + 6};
}

double ColorStopsStrip::placeOf(std::size_t stop) const
{
    return kStripMargin + stops_.at[stop] * (width() - 2 * kStripMargin);
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

void ColorStopsStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    const int wide = width() - 2 * kStripMargin, tall = height() - 8;
    for (int x = 0; x < wide; ++x)
        painter.fillRect(kStripMargin + x, 2, 1, tall,
                         toQColor(stops_.color(dark, (x + 0.5) / std::max(1, wide))));
    for (std::size_t stop = 0; stop < stops_.at.size(); ++stop) {
        const double x = placeOf(stop);
        const bool chosen = hasFocus() && stop == chosen_;
        painter.setPen(QPen(palette().color(QPalette::Base), 1));
        painter.setBrush(palette().color(chosen ? QPalette::Highlight : QPalette::Text));
        painter.drawPolygon(QPolygonF(
            {QPointF(x, tall - 4), QPointF(x - 5, height() - 1.0), QPointF(x + 5, height() - 1.0)}));
    }
}

void ColorStopsStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    double nearest = kStripReach;
    grabbed_.reset();
    for (std::size_t stop = 0; stop < stops_.at.size(); ++stop) {
        const double away = std::abs(placeOf(stop) - event->position().x());
        if (away >= nearest) continue;
        nearest = away;
        grabbed_ = chosen_ = stop;
    }
    update();
}

void ColorStopsStrip::mouseMoveEvent(QMouseEvent* event)
{
    if (!grabbed_) return;
    ColorStops stops = stops_;
    stops.move(*grabbed_, (event->position().x() - kStripMargin) / std::max(1, width() - 2 * kStripMargin));
    setStops(stops);
}

void ColorStopsStrip::mouseReleaseEvent(QMouseEvent*)
{
    if (!grabbed_) return;
    grabbed_.reset();
    Q_EMIT moved(stops_);
}

void ColorStopsStrip::mouseDoubleClickEvent(QMouseEvent*) { take(ColorStops()); }

void ColorStopsStrip::keyPressEvent(QKeyEvent* event)
{
    ColorStops stops = stops_;
    switch (event->key()) {
    case Qt::Key_Left: stops.move(chosen_, stops.at[chosen_] - kStopKeyStep); break;
    case Qt::Key_Right: stops.move(chosen_, stops.at[chosen_] + kStopKeyStep); break;
    case Qt::Key_Up: chosen_ = (chosen_ + 1) % stops.at.size(); break;
    case Qt::Key_Down: chosen_ = (chosen_ + stops.at.size() - 1) % stops.at.size(); break;
    case Qt::Key_Home: stops = {}; break;
    default: return QWidget::keyPressEvent(event);
    }
    update();
    take(stops);
}

}  // namespace skein
