// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outlier_ranks_canvas.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/selection_model.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace skein {

OutlierRanksCanvas::OutlierRanksCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the outliers by location"), parent)
{
    setObjectName("outliers.ranks");
    setAccessibleName(tr("Outliers by location"));
    setAccessibleDescription(tr("How many calls of each location are much longer than usual, and the time "
                                "that they took beyond it."));
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected | ViewParts::kHover)) updateOverlay();
    });
}

void OutlierRanksCanvas::setOutliers(OutlierDataPtr outliers, const QString& message)
{
    outliers_ = std::move(outliers);
    message_ = message;
    redraw();
}

OutlierRanksLayout OutlierRanksCanvas::sceneLayout() const
{
    if (!ready()) return {};
    return onCanvas([this](const Canvas& canvas) { return outlierRanksLayout(*outliers_, canvas); });
}

SceneView::Maker OutlierRanksCanvas::maker() const
{
    if (!ready()) return {};
    return [outliers = outliers_](const Canvas& canvas, const Task& task) {
        return outlierRanksScene(*outliers, canvas, task);
    };
}

DrawList OutlierRanksCanvas::overlay(const Canvas& canvas) const
{
    return ready()
        ? outlierRanksOverlay(*outliers_, selection().state(), outlierRanksLayout(*outliers_, canvas), canvas)
        : DrawList();
}

const OutlierRank* OutlierRanksCanvas::rankAt(Point point) const
{
    return ready() ? outlierRankAt(*outliers_, sceneLayout(), point, devicePixelRatioF()) : nullptr;
}

std::vector<std::string> OutlierRanksCanvas::toolTipAt(Point point) const
{
    const OutlierRank* found = rankAt(point);
    return found ? outlierTooltip(*outliers_->source, *found) : std::vector<std::string>();
}

void OutlierRanksCanvas::mouseMoveEvent(QMouseEvent* event)
{
    Hover hover;
    if (const OutlierRank* found = rankAt(toDevice(event->position()))) hover.location = found->location;
    selection().setHover(hover, this);
    updateOverlay();
}

/// Where the picture is of selected regions alone, they stay selected: it would become another one under the
/// pointer.
void OutlierRanksCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!ready() || event->button() != Qt::LeftButton) return;
    const Session& session = outliers_->source->data->session;
    Selection chosen;
    if (const OutlierRank* found = rankAt(toDevice(event->position())))
        chosen = select(session, found->location);
    if (!outliers_->request.regions.empty())
        chosen = united(chosen, select(session, outliers_->request.regions));
    if (event->modifiers() & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    selection().setSelected(chosen, this);
    updateOverlay();
}

void OutlierRanksCanvas::leaveEvent(QEvent*)
{
    selection().setHover({}, this);
    updateOverlay();
}

void OutlierRanksCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) selection().setSelected({}, this);
    else if (event->key() == Qt::Key_Backspace) selection().goBack();
    else return SceneView::keyPressEvent(event);
    updateOverlay();
}

std::vector<KeyHint> OutlierRanksCanvas::keyHints() const
{
    return {{tr("Click, Ctrl+click"), tr("Select the location; add it to the selection")},
            {tr("Backspace"), tr("The window before")},
            {tr("Esc"), tr("Clear the selection")}};
}

}  // namespace skein
