// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/location_detail/location_detail_view.h"

#include "core/base/units.h"
#include "views/common/scene/call_tooltip.h"
#include "views/common/selection_model.h"

namespace skein {

LocationDetailView::LocationDetailView(const ViewContext& context, QWidget* parent)
    : TimeView(context, tr("Drawing the location"), parent)
{
    setObjectName("location_detail");
    setAccessibleName(tr("Location detail"));
    setAccessibleDescription(tr("The calls of the selected location, a row for each depth of the call stack. The details "
                                "of the selection say the same in words."));
}

LocationDetailLayout LocationDetailView::sceneLayout() const
{
    if (!data()) return {};
    return onCanvas([this](const Canvas& canvas) { return locationDetailLayout(*data(), selection().state(), scroll(), canvas); });
}

SceneView::Maker LocationDetailView::maker() const
{
    if (!data() || !detailLocation(*data(), selection().state()).valid()) return {};
    ViewState state = selection().state();
    state.hover = {};
    state.hits = {};
    return [data = data(), state, scroll = scroll()](const Canvas& canvas, const Task& task) {
        return locationDetailScene(*data, state, scroll, canvas, task);
    };
}

QString LocationDetailView::emptyText() const
{
    if (!session()) return tr("Open a trace and select a location to see its calls here.");
    if (!data()) return tr("Preparing the calls …");
    if (data()->clock.extent.empty()) return tr("Nothing here has times of events. Open a trace to see when calls happened.");
    return tr("The filters hide every location. Remove one of them to see calls again.");
}

DrawList LocationDetailView::overlay(const Canvas& canvas) const
{
    if (!data()) return {};
    const ViewState& state = selection().state();
    return locationDetailOverlay(*data(), state, locationDetailLayout(*data(), state, scroll(), canvas), canvas);
}

std::string LocationDetailView::caption() const
{
    const LocationRef location = detailLocation(*data(), selection().state());
    const TimeSpan span = visibleSpan(*data(), selection().state());
    return detailTitle(data()->session, location) + " · " +
           formatDuration(static_cast<double>(span.lengthNs())) + " from " + formatDuration(static_cast<double>(span.begin));
}

std::vector<std::string> LocationDetailView::toolTipAt(Point point) const
{
    if (!data()) return {};
    const Hover hit = hitAt(point);
    if (!hit.interval.valid()) return {};
    return callTooltip(*data(), hit.interval);
}

Hover LocationDetailView::hitAt(Point point) const
{
    return locationDetailHit(*data(), selection().state(), sceneLayout(), point);
}

}  // namespace skein
