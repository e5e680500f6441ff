// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/structure/structure_canvas.h"

#include "views/common/selection_model.h"

#include <QMouseEvent>

#include <utility>

namespace skein {

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

void StructureCanvas::mouseReleaseEvent(QMouseEvent* event)
{
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
    return {{tr("Click a node, Ctrl+click"), tr("Select its call; add it")}};
}

}  // namespace skein
