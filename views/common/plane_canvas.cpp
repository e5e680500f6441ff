// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plane_canvas.h"

#include "views/common/selection_model.h"
#include "views/common/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QRegion>
#include <QWheelEvent>
#include <QtMath>

#include <cmath>

namespace skein {
namespace {

constexpr double kPlaneKeyStep = 0.1;  ///< of the picture, that an arrow moves it by
constexpr double kEighthsATurn = 120;
constexpr double kLeastPixels = 1e-3, kMostPixels = 1e5;

bool pans(const QMouseEvent& event)
{
    return event.button() == Qt::MiddleButton
        || (event.button() == Qt::LeftButton && event.modifiers() & Qt::AltModifier);
}

}  // namespace

PlaneCanvas::PlaneCanvas(const ViewContext& context, const QString& title, QWidget* parent)
    : SceneView(context, title, parent)
{
    setFocusPolicy(Qt::StrongFocus);
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMs);
    connect(&rest_, &QTimer::timeout, this, [this] {
        moving_ = false;
        redraw();
    });
    // A panel that nobody sees stays as it was left.
    connect(&selection(), &SelectionModel::enlargeWanted, this, [this] {
        if (isVisible()) showSelected();
    });
}

bool PlaneCanvas::showSelected()
{
    const auto part = maker() ? selectedPart() : std::nullopt;
    if (!part) return false;
    setView(fittedView(part->low, part->high, presentFrame().body, 0, kMostPixels));
    return true;
}

PlaneFrame PlaneCanvas::presentFrame() const
{
    return onPane([this](const Canvas& canvas) { return frameOf(view_, canvas); });
}

int PlaneCanvas::paneAt(Point point) const
{
    return onCanvas([&](const Canvas& canvas) { return paneRow(canvas, panes()).at(point.x); });
}

double PlaneCanvas::leftOf(int pane) const
{
    return onCanvas([&](const Canvas& canvas) { return paneRow(canvas, panes()).left(pane); });
}

Point PlaneCanvas::inPane(Point point, int pane) const { return {point.x - leftOf(pane), point.y}; }

void PlaneCanvas::setView(const PlaneView& view)
{
    if (view == view_) return;
    view_ = view;
    beginMoving();
    redraw();
    // The last picture moves at once.
    update();
    Q_EMIT viewChanged();
}

/// The first picture, and those of what is quick, are at rest at once.
void PlaneCanvas::beginMoving()
{
    if (picture().isNull() || !movingMaker()) return;
    if (!moving_) stopDrawing();
    moving_ = true;
    rest_.start();
}

SceneView::Maker PlaneCanvas::screenMaker() const
{
    Maker quick = moving_ ? movingMaker() : Maker();
    return quick ? quick : maker();
}

void PlaneCanvas::pictureCame()
{
    drawnView_ = startedView_;
    update();
}

void PlaneCanvas::zoomAt(Point point, double factor)
{
    if (!maker()) return;
    const PlaneFrame frame = presentFrame();
    const PlanePoint under = frame.toPlane(point);
    const double pixels = std::clamp(frame.view.pixels * factor, kLeastPixels, kMostPixels);
    const double part = 1 - frame.view.pixels / pixels;
    // What is under the pointer stays there.
    setView({{frame.view.center.x + (under.x - frame.view.center.x) * part,
              frame.view.center.y + (under.y - frame.view.center.y) * part},
             pixels});
}

void PlaneCanvas::move(double right, double down)
{
    if (!maker()) return;
    const PlaneFrame frame = presentFrame();
    setView({{frame.view.center.x + right * frame.body.width / frame.view.pixels,
              frame.view.center.y + down * frame.body.height / frame.view.pixels},
             frame.view.pixels});
}

/// Every pixel once: at 4K the picture below, a background over it and the moved picture again would take
/// longer than a frame has.
void PlaneCanvas::paintPicture(QPainter& painter) const
{
    if (drawnView_ == view_ || picture().isNull() || !maker()) return SceneView::paintPicture(painter);
    const auto [before, now] = onPane([this](const Canvas& canvas) {
        return std::pair(frameOf(drawnView_, canvas), frameOf(view_, canvas));
    });
    const Point low = now.toCanvas(before.toPlane({before.body.x, before.body.y}));
    const Point high = now.toCanvas(before.toPlane({before.body.right(), before.body.bottom()}));
    QRegion around(0, 0, deviceWidth(), deviceHeight());
    for (int pane = 0; pane < panes(); ++pane) {
        const double left = leftOf(pane);
        const QRect body =
            QRectF(left + now.body.x, now.body.y, now.body.width, now.body.height).toAlignedRect();
        const QRectF from(left + before.body.x, before.body.y, before.body.width, before.body.height);
        QRectF to(left + low.x, low.y, high.x - low.x, high.y - low.y);
        // What is only moved stays on whole pixels.
        if (std::abs(to.width() - from.width()) < 0.5 && std::abs(to.height() - from.height()) < 0.5)
            to = QRectF(from.topLeft() + (to.topLeft() - from.topLeft()).toPoint(), from.size());
        around -= body;
        painter.save();
        painter.setClipRect(body);
        const QRectF seen = to & QRectF(body);
        const QRect covered(QPoint(qCeil(seen.left()), qCeil(seen.top())),
                            QPoint(qFloor(seen.right()) - 1, qFloor(seen.bottom()) - 1));
        for (const QRect& free : QRegion(body) - covered)
            painter.fillRect(free, toQColor(style().theme.background));
        painter.drawImage(to, picture(), from);
        painter.restore();
    }
    painter.save();
    painter.setClipRegion(around);
    SceneView::paintPicture(painter);
    painter.restore();
}

void PlaneCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!pans(*event) || !maker()) return;
    const Point at = toDevice(event->position());
    grabbedPane_ = paneAt(at);
    grabbed_ = presentFrame().toPlane(inPane(at, grabbedPane_));
    setCursor(Qt::ClosedHandCursor);
}

void PlaneCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!grabbed_ || !maker()) return;
    const PlaneFrame frame = presentFrame();
    const PlanePoint now = frame.toPlane(inPane(toDevice(event->position()), grabbedPane_));
    setView({{frame.view.center.x + grabbed_->x - now.x, frame.view.center.y + grabbed_->y - now.y},
             frame.view.pixels});
}

void PlaneCanvas::mouseReleaseEvent(QMouseEvent*)
{
    if (!grabbed_) return;
    grabbed_.reset();
    unsetCursor();
}

void PlaneCanvas::wheelEvent(QWheelEvent* event)
{
    zoomAt(inPane(toDevice(event->position())), std::pow(kZoomStep, event->angleDelta().y() / kEighthsATurn));
    event->accept();
}

void PlaneCanvas::keyPressEvent(QKeyEvent* event)
{
    const Point middle = onPane([](const Canvas& canvas) {
        return Point{canvas.width / 2.0, canvas.height / 2.0};
    });
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_W: return zoomAt(middle, kZoomStep);
    case Qt::Key_Minus:
    case Qt::Key_S: return zoomAt(middle, 1 / kZoomStep);
    case Qt::Key_Left:
    case Qt::Key_A: return move(-kPlaneKeyStep, 0);
    case Qt::Key_Right:
    case Qt::Key_D: return move(kPlaneKeyStep, 0);
    case Qt::Key_Up: return move(0, -kPlaneKeyStep);
    case Qt::Key_Down: return move(0, kPlaneKeyStep);
    case Qt::Key_Home:
    case Qt::Key_0: return showAll();
    case Qt::Key_F:
        if (!showSelected()) selection().say(tr("Nothing of what is selected is in this picture"));
        return;
    default: return SceneView::keyPressEvent(event);
    }
}

std::vector<KeyHint> PlaneCanvas::keyHints() const
{
    return {{tr("Wheel, + / −, W / S"), tr("Zoom at the pointer, or at the middle")},
            {tr("Middle drag, Alt+drag, arrows"), tr("Move the picture")},
            {tr("F"), tr("Zoom to what is selected")},
            {tr("Home, 0"), tr("Show all")}};
}

}  // namespace skein
