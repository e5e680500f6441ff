// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene/color/color_stops.h"

#include <optional>

namespace skein {

/// The colours of all communication views from none to the greatest value, with stops that are dragged, or
/// moved with the keys. A double click on a stop or an end, or Enter, asks for its colour; a double click
/// elsewhere puts all back.
class ColorStopsStrip : public QWidget {
    Q_OBJECT

public:
    explicit ColorStopsStrip(QWidget* parent = nullptr);

    const ColorStops& stops() const { return stops_; }
    void setStops(const ColorStops& stops);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// Where the anchor of a colour is, in pixels from the left: nothing, the stops, the greatest value.
    double placeOf(std::size_t anchor) const;
    /// Opens a dialog for the colour of an anchor, which is seen in the strip while it is chosen. Returns at
    /// once.
    void askForColor(std::size_t anchor);

Q_SIGNALS:
    /// The user has moved a stop and let it go, or has chosen a colour.
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
    std::optional<std::size_t> anchorAt(double x) const;
    bool isDark() const;

    ColorStops stops_, pressed_;  ///< as they are, and as they were when the mouse was pressed
    std::optional<std::size_t> grabbed_;
    std::size_t chosen_ = 2;  ///< the anchor that keys change
};

}  // namespace skein
