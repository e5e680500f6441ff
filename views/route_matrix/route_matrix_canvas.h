// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/plane_canvas.h"
#include "views/route_matrix/route_matrix_scene.h"

namespace skein {

/// The picture of the route matrix.
class RouteMatrixCanvas : public PlaneCanvas {
    Q_OBJECT

public:
    /// What dragging with the left button does, or moving the pointer.
    enum class Mode { Rectangle, Hand, Lens };

    RouteMatrixCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Null: `message` says why there is nothing.
    void setPicture(RouteMatrixPicturePtr picture, const QString& message);
    const RouteMatrixPicturePtr& shown() const { return picture_; }
    void setMode(Mode mode);
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// A link, or a route, was clicked; nothing of both: what is neither.
    void linksChosen(const std::vector<skein::LinkRef>& links, bool add);
    void routeChosen(std::uint32_t route, bool add);
    void nothingChosen();

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    PlaneFrame frameOf(const PlaneView& view, const Canvas& canvas) const override;
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void click(Point point, bool add);
    void zoomTo(Point from, Point to);

    RouteMatrixPicturePtr picture_;
    QString message_;
    Mode mode_ = Mode::Rectangle;
    std::optional<Point> pressed_, pointer_;
};

}  // namespace skein
