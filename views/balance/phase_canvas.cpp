// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/phase_canvas.h"

#include "views/common/selection_model.h"

#include <QMouseEvent>

namespace skein {

PhaseCanvas::PhaseCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the efficiencies"), parent)
{
    setObjectName("balance.curves");
    setAccessibleName(tr("Efficiencies by phase"));
    setAccessibleDescription(
        tr("Parallel efficiency, load balance and communication efficiency as curves over phases. The table "
           "holds the same."));
    setFocusPolicy(Qt::StrongFocus);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kVisible)) updateOverlay();
    });
}

void PhaseCanvas::setPhases(BalancePhasesPtr phases, const QString& message)
{
    phases_ = std::move(phases);
    message_ = message;
    redraw();
}

PhaseLayout PhaseCanvas::sceneLayout() const
{
    if (!phases_) return {};
    return onCanvas([this](const Canvas& canvas) { return phaseLayout(*phases_, canvas); });
}

SceneView::Maker PhaseCanvas::maker() const
{
    if (!phases_) return {};
    return [phases = phases_](const Canvas& canvas, const Task& task) {
        return phaseCurvesScene(*phases, canvas, task);
    };
}

DrawList PhaseCanvas::overlay(const Canvas& canvas) const
{
    if (!phases_) return {};
    return phaseCurvesOverlay(*phases_, selection().state().visible, phaseLayout(*phases_, canvas), canvas);
}

std::vector<std::string> PhaseCanvas::toolTipAt(Point point) const
{
    if (!phases_) return {};
    const auto place = phaseAt(*phases_, sceneLayout(), point);
    return place ? phaseTooltip(*phases_, *place) : std::vector<std::string>();
}

void PhaseCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!phases_ || event->button() != Qt::LeftButton) return;
    if (const auto place = phaseAt(*phases_, sceneLayout(), toDevice(event->position())))
        Q_EMIT phaseChosen(*place);
}

std::vector<KeyHint> PhaseCanvas::keyHints() const
{
    return {{tr("Click"), tr("Zoom to the phase; the panel keeps the scope that it shows")}};
}

}  // namespace skein
