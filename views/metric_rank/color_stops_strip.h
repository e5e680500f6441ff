// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene/color/color_stops.h"

#include <optional>

namespace skein {

/// The colours of all communication views from none to the greatest value, with stops that are dragged, or
/// moved with the keys; a double click puts them back.
class ColorStopsStrip : public QWidget {
    Q_OBJECT

public:
    explicit ColorStopsStrip(QWidget* parent = nullptr);

    const ColorStops& stops() const { return stops_; }
    void setStops(const ColorStops& stops);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// Where the stop is, in pixels from the left.
    double placeOf(std::size_t stop) const;

Q_SIGNALS:
    /// The user has moved a stop and let it go.
    void moved(const skein::ColorStops& stops);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void take(const ColorStops& stops);

    ColorStops stops_;
    std::optional<std::size_t> grabbed_;
    std::size_t chosen_ = 1;  ///< that keys move
};

}  // namespace skein
