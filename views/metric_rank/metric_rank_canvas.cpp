// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <fmt/format.h>

namespace skein {

MetricRankCanvas::MetricRankCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the ranks"), parent)
{
    setObjectName("metric_rank.canvas");
    setAccessibleName(tr("Metric rank"));
    setAccessibleDescription(tr("Values of a metric as bars, the greatest first."));
}

void MetricRankCanvas::setList(MetricRankListPtr list, bool logarithmic, const QString& message)
{
    // What was chosen of the same list stays so.
    const bool same = list && list == picture_.list;
    picture_ = {std::move(list), same ? picture_.first : 0, same ? picture_.end : 0, logarithmic,
                picture_.stops};
    message_ = message;
    redraw();
}

void MetricRankCanvas::setStops(const ColorStops& stops)
{
    if (picture_.stops == stops) return;
    picture_.stops = stops;
    redraw();
}

void MetricRankCanvas::setRange(std::size_t first, std::size_t end)
{
    picture_.first = first;
    picture_.end = end;
    redraw();
}

MetricRankLayout MetricRankCanvas::sceneLayout() const
{
    return onCanvas([](const Canvas& canvas) { return metricRankLayout(canvas); });
}

SceneView::Maker MetricRankCanvas::maker() const
{
    if (!ready()) return {};
    return [picture = picture_](const Canvas& canvas, const Task& task) {
        return metricRankScene(picture, canvas, task);
    };
}

std::optional<std::size_t> MetricRankCanvas::placeAt(const QPointF& position) const
{
    return ready() ? rankedPlaceAt(picture_, sceneLayout(), toDevice(position)) : std::nullopt;
}

std::vector<std::string> MetricRankCanvas::toolTipAt(Point point) const
{
    if (!ready()) return {};
    const auto place = rankedPlaceAt(picture_, sceneLayout(), point);
    if (!place) return {};
    const RankedValue& value = picture_.list->values[*place];
    return {fmt::format("{}. {}", *place + 1, rankedName(*picture_.list, *place)),
            rankedText(*picture_.list, static_cast<double>(value.value)),
            fmt::format("{:.1f} % of the sum up to here", 100 * value.cumulativeShare)};
}

void MetricRankCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    pressed_ = placeAt(event->position());
    if (pressed_) Q_EMIT chosen(*pressed_, *pressed_ + 1);
}

void MetricRankCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const auto now = placeAt(event->position());
    if (!pressed_ || !now || !(event->buttons() & Qt::LeftButton)) return SceneView::mouseMoveEvent(event);
    Q_EMIT chosen(std::min(*pressed_, *now), std::max(*pressed_, *now) + 1);
}

void MetricRankCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) Q_EMIT chosen(0, 0);
    else SceneView::keyPressEvent(event);
}

std::vector<KeyHint> MetricRankCanvas::keyHints() const
{
    return {{tr("Drag"), tr("Choose ranks: all communication views follow")}, {tr("Esc"), tr("Choose none")}};
}

}  // namespace skein
