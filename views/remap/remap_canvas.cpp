// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/remap_canvas.h"

#include <QMouseEvent>

#include <fmt/format.h>

namespace skein {

RemapCanvas::RemapCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the remapping"), parent)
{
    setObjectName("remap.canvas");
    setAccessibleName(tr("Remapping"));
    setAccessibleDescription(tr("The search, loads before and after, and gain against moved ranks."));
}

void RemapCanvas::setPicture(RemapPicture picture, const QString& message)
{
    picture_ = std::move(picture);
    message_ = message;
    redraw();
}

SceneView::Maker RemapCanvas::maker() const
{
    if (!picture_.communication) return {};
    return [picture = picture_](const Canvas& canvas, const Task& task) {
        return remapScene(picture, canvas, task);
    };
}

std::optional<std::size_t> RemapCanvas::pointAt(Point point) const
{
    return onCanvas(
        [&](const Canvas& canvas) { return frontPointAt(picture_, remapLayout(canvas), canvas, point); });
}

std::vector<std::string> RemapCanvas::toolTipAt(Point point) const
{
    const auto found = pointAt(point);
    if (!found) return {};
    const RemapCandidate& candidate = *picture_.candidate;
    const MovedTradeOff& of = candidate.front[*found];
    const double gain = candidate.objectiveBefore == 0
        ? 0
        : 100 * static_cast<double>(candidate.objectiveBefore - of.objective)
            / static_cast<double>(candidate.objectiveBefore);
    return {fmt::format("{} ranks move: {:.2f} % less", of.moved, gain), "Click to take this placement"};
}

void RemapCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    if (const auto found = pointAt(toDevice(event->position()))) Q_EMIT picked(*found);
}

}  // namespace skein
