// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/structure/structure_canvas.h"

#include "views/common/selection_model.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr double kNodeDragBeginsPx = 4;

}  // namespace

StructureCanvas::StructureCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the structure"), parent)
{
    setObjectName("structure.trees");
    setAccessibleName(tr("Structure of executions"));
    setAccessibleDescription(
        tr("The calls in the selected executions beside those of a normal one. The table holds the same."));
    setFocusPolicy(Qt::StrongFocus);
}

void StructureCanvas::setPicture(StructurePicturePtr picture, const QString& message)
{
    if (!picture || picture != picture_) grabbed_.reset();
    picture_ = std::move(picture);
    message_ = message;
    redraw();
}

SceneView::Maker StructureCanvas::maker() const
{
    if (!picture_ || picture_->placed.empty()) return {};
    ViewState state;
    state.selected.intervals = selection().state().selected.intervals;
    state.grouping = selection().state().grouping;
    return [picture = picture_, state](const Canvas& canvas, const Task&) {
        return structureScene(*picture, state, canvas);
    };
}

StructureLayout StructureCanvas::sceneLayout() const
{
    if (!picture_) return {};
    return onCanvas([this](const Canvas& canvas) { return structureLayout(*picture_, canvas); });
}

std::optional<StructureHit> StructureCanvas::hitAt(Point point) const
{
    if (!picture_) return std::nullopt;
    return onCanvas([&](const Canvas& canvas) { return structureNodeAt(*picture_, canvas, point); });
}

std::vector<std::string> StructureCanvas::toolTipAt(Point point) const
{
    const auto hit = hitAt(point);
    return hit ? structureTooltip(*picture_, *hit) : std::vector<std::string>();
}

void StructureCanvas::mousePressEvent(QMouseEvent* event)
{
    const auto hit = hitAt(toDevice(event->position()));
    if (event->button() != Qt::LeftButton || !hit) return SceneView::mousePressEvent(event);
    grabbed_ = Grabbed{*hit, toDevice(event->position())};
}

void StructureCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!grabbed_ || !picture_ || !(event->buttons() & Qt::LeftButton))
        return SceneView::mouseMoveEvent(event);
    const Point at = toDevice(event->position());
    const double scale = devicePixelRatioF(), x = at.x - grabbed_->at.x, y = at.y - grabbed_->at.y;
    if (!grabbed_->dragged && std::hypot(x, y) < kNodeDragBeginsPx * scale) return;
    grabbed_->dragged = true;
    grabbed_->at = at;
    picture_ = withDragged(*picture_, grabbed_->node.execution, grabbed_->node.node, {x / scale, y / scale});
    redraw();
}

/// Nodes where the layout has them.
void StructureCanvas::putBack()
{
    if (!picture_ || picture_->draggedPx.empty()) return;
    auto laidOut = std::make_shared<StructurePicture>(*picture_);
    laidOut->draggedPx.clear();
    picture_ = std::move(laidOut);
    redraw();
}

void StructureCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Home || event->key() == Qt::Key_0) return putBack();
    SceneView::keyPressEvent(event);
}

void StructureCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const auto grabbed = std::exchange(grabbed_, std::nullopt);
    if (grabbed && grabbed->dragged) return;
    const auto hit = hitAt(toDevice(event->position()));
    if (event->button() != Qt::LeftButton || !hit) return SceneView::mouseReleaseEvent(event);
    const ComparedExecution& execution = picture_->data->executions[hit->execution];
    auto call = callOfNode(execution, hit->side, hit->node);
    if (!call)
        call = callOfNode(execution,
                          hit->side == StructureSide::Twin ? StructureSide::Execution : StructureSide::Twin,
                          hit->node);
    if (call) Q_EMIT callChosen(*call, event->modifiers() & Qt::ControlModifier);
}

std::vector<KeyHint> StructureCanvas::keyHints() const
{
    return {{tr("Click a node, Ctrl+click"), tr("Select its call; add it")},
            {tr("Drag a node"), tr("Move it, in both trees")},
            {tr("Home, 0"), tr("Put all nodes back")}};
}

}  // namespace skein
