// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outlier_calls_canvas.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/selection_model.h"

#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace skein {

OutlierCallsCanvas::OutlierCallsCanvas(const ViewContext& context, QWidget* parent)
    : TimeView(context, tr("Drawing the outliers"), parent)
{
    setObjectName("outliers.calls");
    setAccessibleName(tr("Outliers"));
    setAccessibleDescription(tr("Calls much longer than their region's usual, by entry and duration. The "
                                "timeline marks the same calls."));
}

void OutlierCallsCanvas::setOutliers(OutlierDataPtr outliers, const QString& message)
{
    outliers_ = std::move(outliers);
    message_ = message;
    redraw();
}

OutlierCallsLayout OutlierCallsCanvas::sceneLayout() const
{
    if (!ready()) return {};
    return onCanvas(
        [this](const Canvas& canvas) { return outlierCallsLayout(*outliers_, selection().state(), canvas); });
}

SceneView::Maker OutlierCallsCanvas::maker() const
{
    if (!ready()) return {};
    ViewState state;
    state.visible = selection().state().visible;
    return [outliers = outliers_, state](const Canvas& canvas, const Task& task) {
        return outlierCallsScene(*outliers, state, canvas, task);
    };
}

DrawList OutlierCallsCanvas::overlay(const Canvas& canvas) const
{
    if (!ready()) return {};
    const ViewState& state = selection().state();
    return outlierCallsOverlay(*outliers_, state, outlierCallsLayout(*outliers_, state, canvas), canvas);
}

const OutlierPoint* OutlierCallsCanvas::pointAt(Point point) const
{
    return ready() ? outlierCallAt(*outliers_, sceneLayout(), point, devicePixelRatioF()) : nullptr;
}

std::vector<std::string> OutlierCallsCanvas::toolTipAt(Point point) const
{
    const OutlierPoint* found = pointAt(point);
    return found ? outlierTooltip(*outliers_->source, *found) : std::vector<std::string>();
}

Hover OutlierCallsCanvas::hitAt(Point point) const
{
    Hover hover;
    if (!ready()) return hover;
    const TimeFrame now = frame();
    if (point.x >= now.body.x && point.x < now.body.right()) hover.time = now.scale.toTime(point.x);
    if (const OutlierPoint* found = pointAt(point)) {
        hover.interval = found->call;
        hover.location = locationOf(found->call);
        hover.region = found->region;
    }
    return hover;
}

void OutlierCallsCanvas::clicked(Point point, Qt::KeyboardModifiers modifiers)
{
    if (!std::exchange(zoomed_, false)) TimeView::clicked(point, modifiers);
}

void OutlierCallsCanvas::mousePressEvent(QMouseEvent* event)
{
    zoomed_ = false;
    TimeView::mousePressEvent(event);
}

void OutlierCallsCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const OutlierPoint* found = pointAt(toDevice(event->position()));
    if (!found || event->button() != Qt::LeftButton) return TimeView::mouseDoubleClickEvent(event);
    zoomed_ = true;
    zoomTo(found->call);
}

bool OutlierCallsCanvas::pressPlainKey(int key)
{
    if (key != Qt::Key_F) return TimeView::pressPlainKey(key);
    zoomToSelected();
    return true;
}

void OutlierCallsCanvas::zoomToSelected()
{
    const auto& calls = selection().state().selected.intervals;
    if (!calls.empty() && exists(data()->session, calls.front())) zoomTo(calls.front());
}

void OutlierCallsCanvas::zoomTo(IntervalRef call)
{
    const auto& calls =
        data()->session.experiments[call.experiment]->trace->locations[call.location.index()].intervals;
    const TimeSpan span = data()->clock.toSession(call.experiment, calls.span(call.index));
    const TimeNs margin = std::max<TimeNs>(span.lengthNs() / 4, 1000);
    showSpan({span.begin - margin, span.end + margin});
}

std::vector<KeyHint> OutlierCallsCanvas::keyHints() const
{
    std::vector<KeyHint> hints = TimeView::keyHints();
    hints.push_back({tr("Double click on a dot, F"), tr("Zoom to the call; to the selected one")});
    return hints;
}

}  // namespace skein
