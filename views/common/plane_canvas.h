// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/plane_view.h"
#include "views/common/scene_view.h"

#include <optional>

namespace skein {

/// A picture of a plane that is moved and zoomed. The last picture follows the pointer at once, whatever it
/// shows, until the one of the new place has come.
class PlaneCanvas : public SceneView {
    Q_OBJECT

public:
    PlaneCanvas(const ViewContext& context, const QString& title, QWidget* parent);

    /// What is shown of the plane; 0 pixels: all.
    const PlaneView& view() const { return view_; }
    void setView(const PlaneView& view);
    void showAll() { setView({}); }
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    void viewChanged();

protected:
    /// Where the plane is for this view on this canvas.
    virtual PlaneFrame frameOf(const PlaneView& view, const Canvas& canvas) const = 0;

    PlaneFrame presentFrame() const;
    void zoomAt(Point point, double factor);

    void paintPicture(QPainter& painter) const override;
    void pictureStarts() override { startedView_ = view_; }
    void pictureCame() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool panning() const { return grabbed_.has_value(); }

private:
    void move(double right, double down);

    PlaneView view_;
    PlaneView startedView_, drawnView_;
    std::optional<PlanePoint> grabbed_;
};

}  // namespace skein
