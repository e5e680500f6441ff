// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reroute/reroute_canvas.h"

namespace skein {

RerouteCanvas::RerouteCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the rerouting"), parent)
{
    setObjectName("reroute.canvas");
    setAccessibleName(tr("Loads before and after rerouting"));
}

void RerouteCanvas::setPlan(RerouteBasePtr base, ReroutePlanPtr plan, const QString& message)
{
    base_ = std::move(base);
    plan_ = std::move(plan);
    message_ = message;
    redraw();
}

SceneView::Maker RerouteCanvas::maker() const
{
    if (!base_) return {};
    return [base = base_, plan = plan_](const Canvas& canvas, const Task& task) {
        return reroutePlanScene(*base, plan.get(), canvas, task);
    };
}

}  // namespace skein
