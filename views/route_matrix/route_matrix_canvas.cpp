// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/route_matrix/route_matrix_canvas.h"

#include "views/common/selection_model.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <cmath>
#include <numeric>
#include <utility>

namespace skein {
namespace {

constexpr double kMatrixDragPx = 4;

}  // namespace

RouteMatrixCanvas::RouteMatrixCanvas(const ViewContext& context, QWidget* parent)
    : PlaneCanvas(context, tr("Drawing the route matrix"), parent)
{
    setObjectName("route_matrix.matrix");
    setAccessibleName(tr("Route matrix"));
    setAccessibleDescription(
        tr("Which nodes are adjacent, and the ways of routes from node to node. The table holds the same."));
}

void RouteMatrixCanvas::setPicture(RouteMatrixPicturePtr picture, const QString& message,
                                   RouteMatrixPicturePtr beside)
{
    const bool otherRoom = (beside != nullptr) != (beside_ != nullptr);
    if (otherRoom || (picture && picture_ && picture->side() != picture_->side())) showAll();
    picture_ = std::move(picture);
    beside_ = std::move(beside);
    message_ = message;
    redraw();
}

void RouteMatrixCanvas::setMode(Mode mode)
{
    mode_ = mode;
    pressed_.reset();
    update();
}

SceneView::Maker RouteMatrixCanvas::maker() const
{
    if (!picture_) return {};
    return [picture = picture_, beside = beside_, view = view()](const Canvas& canvas, const Task& task) {
        return besideEachOther(canvas, beside ? 2 : 1, [&](int pane, const Canvas& own) {
            return routeMatrixScene(pane == 0 ? *picture : *beside, view, own, task);
        });
    };
}

PlaneFrame RouteMatrixCanvas::frameOf(const PlaneView& view, const Canvas& canvas) const
{
    return routeMatrixLayout(*picture_, view, canvas);
}

/// The cells of the selected links, and the rows and columns of selected nodes.
std::optional<PlaneBox> RouteMatrixCanvas::selectedPart() const
{
    constexpr double kRoom = 8;  ///< positions
    if (!picture_) return std::nullopt;
    std::vector<PlanePoint> cells;
    for (const LinkRef& link : picture_->selected)
        cells.push_back({picture_->middleOf(picture_->topology().target(link.index)),
                         picture_->middleOf(picture_->topology().source(link.index))});
    for (const NodeRef& node : selection().state().selected.nodes)
        if (node.index < picture_->positionOf.size())
            cells.push_back({picture_->middleOf(node.index), picture_->middleOf(node.index)});
    std::vector<std::size_t> all(cells.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return boxAround(cells, all, kRoom);
}

DrawList RouteMatrixCanvas::overlay(const Canvas& canvas) const
{
    DrawList list;
    if (!picture_ || !pointer_) return list;
    const int pane = paneAt(*pointer_);
    const Canvas own = paneCanvas(canvas, panes());
    const RouteMatrixLayout layout = routeMatrixLayout(pictureOf(pane), view(), own);
    const Point at = inPane(*pointer_, pane);
    if (mode_ == Mode::Lens && layout.body.contains(at)) {
        drawRouteLens(list, pictureOf(pane), layout, at, own);
        moveRight(list, leftOf(pane));
    }
    if (mode_ == Mode::Rectangle && pressed_) {
        const Rect box{std::min(pressed_->x, pointer_->x), std::min(pressed_->y, pointer_->y),
                       std::abs(pressed_->x - pointer_->x), std::abs(pressed_->y - pointer_->y)};
        list.fillRect(box, canvas.theme().selectionFill);
        list.strokeRect(box, canvas.theme().accent, canvas.px(1));
    }
    return list;
}

std::vector<std::string> RouteMatrixCanvas::toolTipAt(Point point) const
{
    if (!picture_) return {};
    const RouteMatrixPicture& picture = pictureOf(paneAt(point));
    return onPane([&](const Canvas& canvas) {
        return routeMatrixTooltip(picture, routeMatrixLayout(picture, view(), canvas), inPane(point), canvas);
    });
}

void RouteMatrixCanvas::mousePressEvent(QMouseEvent* event)
{
    PlaneCanvas::mousePressEvent(event);
    if (event->button() != Qt::LeftButton || !picture_ || panning()) return;
    pressed_ = pointer_ = toDevice(event->position());
}

void RouteMatrixCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const Point now = toDevice(event->position());
    if (mode_ == Mode::Hand && pressed_ && pointer_ && event->buttons() & Qt::LeftButton) {
        const PlaneFrame frame = presentFrame();
        const PlanePoint before = frame.toPlane(*pointer_), after = frame.toPlane(now);
        setView({{frame.view.center.x + before.x - after.x, frame.view.center.y + before.y - after.y},
                 frame.view.pixels});
    }
    pointer_ = now;
    if (mode_ == Mode::Lens || pressed_) update();
    PlaneCanvas::mouseMoveEvent(event);
}

void RouteMatrixCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    PlaneCanvas::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton || !pressed_) return;
    const Point from = *std::exchange(pressed_, std::nullopt), to = toDevice(event->position());
    update();
    const bool dragged = std::hypot(from.x - to.x, from.y - to.y) > kMatrixDragPx * devicePixelRatioF();
    if (!dragged) return click(from, event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier));
    if (mode_ == Mode::Rectangle) zoomTo(from, to);
}

void RouteMatrixCanvas::zoomTo(Point from, Point to)
{
    const PlaneFrame frame = presentFrame();
    const int pane = paneAt(from);
    const PlanePoint a = frame.toPlane(inPane(from, pane)), b = frame.toPlane(inPane(to, pane));
    constexpr double kMostPixels = 400;
    setView(fittedView({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)},
                       frame.body, 0, kMostPixels));
}

/// A cell of adjacent nodes is a link; else the route whose line is there.
void RouteMatrixCanvas::click(Point point, bool add)
{
    if (!picture_) return;
    const int pane = paneAt(point);
    const RouteMatrixPicture& picture = pictureOf(pane);
    const auto [cell, route] = onPane([&](const Canvas& canvas) {
        const RouteMatrixLayout layout = routeMatrixLayout(picture, view(), canvas);
        const Point at = inPane(point, pane);
        return std::pair(routeCellAt(picture, layout, at), matrixRouteAt(picture, layout, at, canvas));
    });
    std::vector<LinkRef> links;
    if (cell) {
        const auto [first, last] = picture_->topology().parallelLinks(cell->first, cell->second);
        for (LinkIndex link = first; link < last; ++link) links.push_back({link});
    }
    if (!links.empty()) return Q_EMIT linksChosen(links, add);
    if (route) return Q_EMIT routeChosen(picture, *route, add);
    Q_EMIT nothingChosen();
}

void RouteMatrixCanvas::leaveEvent(QEvent* event)
{
    pointer_.reset();
    update();
    PlaneCanvas::leaveEvent(event);
}

void RouteMatrixCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape) return PlaneCanvas::keyPressEvent(event);
    pressed_.reset();
    Q_EMIT nothingChosen();
}

std::vector<KeyHint> RouteMatrixCanvas::keyHints() const
{
    std::vector<KeyHint> hints{{tr("Click, Shift+click"), tr("Select a link or a route; add it")},
                               {tr("Drag"), tr("Zoom to a rectangle, or as the mode says")},
                               {tr("Esc"), tr("Clear the selection")}};
    for (KeyHint& hint : PlaneCanvas::keyHints()) hints.push_back(std::move(hint));
    return hints;
}

}  // namespace skein
