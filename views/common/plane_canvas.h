// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/pane_row.h"
#include "views/common/scene/drawing/plane_view.h"
#include "views/common/scene_view.h"

#include <QTimer>

#include <optional>

namespace skein {

/// A picture of a plane that is moved and zoomed, or several beside each other that are moved and zoomed as
/// one. The last picture follows the pointer at once, whatever it shows, until the one of the new place has
/// come. Pictures that take long may be simpler while they move.
class PlaneCanvas : public SceneView {
    Q_OBJECT

public:
    PlaneCanvas(const ViewContext& context, const QString& title, QWidget* parent);

    /// What is shown of the plane; 0 pixels: all.
    const PlaneView& view() const { return view_; }
    void setView(const PlaneView& view);
    void showAll() { setView({}); }
    /// What is selected fills the picture, with some of what is around it; where nothing of it is here the
    /// picture stays. False: so.
    bool showSelected();
    std::vector<KeyHint> keyHints() const override;
    bool upToDate() const override { return !moving_ && SceneView::upToDate(); }

    /// A view that was not moved for so long is at rest.
    static constexpr int kRestMs = 150;

Q_SIGNALS:
    void viewChanged();

protected:
    /// How many pictures of the same part of the plane lie beside each other.
    virtual int panes() const { return 1; }
    /// Where the plane is for this view on the canvas of one pane.
    virtual PlaneFrame frameOf(const PlaneView& view, const Canvas& canvas) const = 0;

    /// The part of the plane in which what is selected lies, with some room around it; nullopt: nothing of
    /// it is here.
    virtual std::optional<PlaneBox> selectedPart() const { return std::nullopt; }

    /// Calls `use` with the canvas of one pane.
    template <typename Use>
    auto onPane(Use use) const
    {
        return onCanvas([&](const Canvas& canvas) { return use(paneCanvas(canvas, panes())); });
    }
    int paneAt(Point point) const;
    /// A place on the canvas as the pane there has it, or that pane.
    Point inPane(Point point) const { return inPane(point, paneAt(point)); }
    Point inPane(Point point, int pane) const;
    double leftOf(int pane) const;

    /// The same for every pane, from its own upper left corner.
    PlaneFrame presentFrame() const;
    /// `point` as its pane has it.
    void zoomAt(Point point, double factor);

    /// What is drawn while the view moves; null: the same as at rest.
    virtual Maker movingMaker() const { return {}; }
    bool moving() const { return moving_; }

    Maker screenMaker() const override;
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
    void beginMoving();

    PlaneView view_;
    PlaneView startedView_, drawnView_;
    std::optional<PlanePoint> grabbed_;
    int grabbedPane_ = 0;
    bool moving_ = false;  ///< the view was moved a moment ago
    QTimer rest_;
};

}  // namespace skein
