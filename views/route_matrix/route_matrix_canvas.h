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
    /// `beside` has the same positions and lies at the right; null: nothing.
    void setPicture(RouteMatrixPicturePtr picture, const QString& message,
                    RouteMatrixPicturePtr beside = nullptr);
    const RouteMatrixPicturePtr& shown() const { return picture_; }
    const RouteMatrixPicturePtr& besideIt() const { return beside_; }
    void setMode(Mode mode);
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// A link, or a route, was clicked; nothing of both: what is neither.
    void linksChosen(const std::vector<skein::LinkRef>& links, bool add);
    void routeChosen(const skein::RouteMatrixPicture& picture, std::uint32_t route, bool add);
    void nothingChosen();

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    int panes() const override { return beside_ ? 2 : 1; }
    PlaneFrame frameOf(const PlaneView& view, const Canvas& canvas) const override;
    std::optional<PlaneBox> selectedPart() const override;
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

    const RouteMatrixPicture& pictureOf(int pane) const { return pane == 0 ? *picture_ : *beside_; }

    RouteMatrixPicturePtr picture_, beside_;
    QString message_;
    Mode mode_ = Mode::Rectangle;
    std::optional<Point> pressed_, pointer_;
};

}  // namespace skein
