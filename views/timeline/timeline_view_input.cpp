// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline does with keys, mouse and wheel beyond what all views of time do.
#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/behavior_model.h"
#include "views/common/selection_model.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"
#include "views/timeline/row_order_scene.h"
#include "views/timeline/timeline_changes_scene.h"
#include "views/timeline/timeline_clusters_scene.h"
#include "views/timeline/timeline_view.h"
#include "views/timeline/timeline_waits_scene.h"
#include "views/timeline/timeline_workflow_scene.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::size_t kLinesBesideWait = 4;  ///< of the call and of its collective
constexpr double kRowZoomStep = 1.25;

}  // namespace

Hover TimelineView::hitAt(Point point) const
{
    if (!data() || layout_.rows.empty()) return {};
    static const VisibleMessages none;
    const bool current = picture_ && picture_->plan.layout.scale.span == layout_.scale.span;
    return onCanvas([&](const Canvas& canvas) {
        return timelineHit(*data(), selection().state(), options_, layout_,
                           current ? picture_->plan.messages : none, canvas.measure, point);
    });
}

bool TimelineView::waitedInSight(IntervalRef call) const
{
    return options_.waits
        && waitPasses(data()->session, *options_.waits, call, selection().state().filters,
                      *data()->messageFilters);
}

std::vector<std::string> TimelineView::toolTipAt(Point point) const
{
    if (!data()) return {};
    if (const auto change = changeAt(point)) return changeText(*behaviorWhere(showsChanges_), *change);
    if (const auto cluster = clusterAt(point)) return clusterText(*behaviorWhere(showsClusters_), *cluster);
    if (const auto handOver = handOverAt(*data(), options_, layout_, point))
        return handOverTooltip(*data(), options_.handOvers->handOvers[*handOver]);
    const Hover hit = hitAt(point);
    std::vector<std::string> lines =
        hit.location.valid() || hit.message.valid() ? timelineTooltip(*data(), hit) : groupTooltip(point);
    const bool current =
        picture_ && showsSame(picture_->frame, presentFrame()) && layout_.body.contains(point);
    const std::string wait = !hit.message.valid() && waitedInSight(hit.interval)
        ? waitSummary(data()->session, *options_.waits, hit.interval)
        : std::string();
    if (const PlacedCollective* collective =
            current && !hit.message.valid() ? collectiveAt(picture_->plan.collectives, point) : nullptr)
        for (std::string& line : collectiveTooltip(*data(), *collective, options_.inferred))
            lines.push_back(std::move(line));
    // It says the same as who was last in the collective, whose line gives way: what a tooltip covers is
    // sent.
    if (!wait.empty()) {
        if (lines.size() > kLinesBesideWait) lines.resize(kLinesBesideWait);
        lines.push_back(wait);
    }
    if (hit.time && !hit.message.valid())
        if (std::string flush = flushTooltip(*data(), layout_.scale, hit.location, *hit.time); !flush.empty())
            lines.push_back(std::move(flush));
    if (options_.io && hit.time && !hit.message.valid())
        if (std::string io = ioTooltip(*data(), *options_.io, hit.location, *hit.time); !io.empty())
            lines.push_back(std::move(io));
    return lines;
}

/// How far the component that is dragged has come. Rounded to what a pixel can tell.
TimeNs TimelineView::draggedNs() const
{
    return static_cast<TimeNs>(std::llround((shifting_->to - shifting_->from) * layout_.scale.nsPerPixel()));
}

/// Its rows, as they will be; what crosses into other components waits for the next picture.
void TimelineView::paintDragged(QPainter& painter) const
{
    const double by = std::round(shifting_->to - shifting_->from);
    const Rect& body = layout_.body;
    painter.save();
    painter.setClipRect(QRectF(body.x, body.y, body.width, body.height));
    for (const PlacedRow& place : layout_.places) {
        const TimelineRow& row = layout_.rows[place.row];
        if ((isHeader(row) ? row.group.experiment : row.location.experiment) != shifting_->experiment)
            continue;
        const double top = std::round(place.y);
        const QRectF strip(body.x, top, body.width, std::round(place.y + place.height) - top);
        painter.fillRect(strip, toQColor(style().theme.background));
        painter.drawImage(strip.translated(by, 0), picture_->image, strip);
    }
    painter.restore();
}

/// Alt, or Ctrl, and the left button on a component's header take the component along the time. Many window
/// managers keep a drag with Alt for themselves.
void TimelineView::mousePressEvent(QMouseEvent* event)
{
    const Point at = toDevice(event->position());
    const auto row = data() ? rowAt(at) : std::nullopt;
    const bool header = row && row->kind == TimelineRowKind::Experiment;
    if (!header || event->button() != Qt::LeftButton
        || !(event->modifiers() & (Qt::AltModifier | Qt::ControlModifier)))
        return TimeView::mousePressEvent(event);
    shifting_ = ComponentDrag{row->group.experiment, at.x, at.x};
    setCursor(Qt::SizeHorCursor);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (!shifting_) return TimeView::mouseMoveEvent(event);
    shifting_->to = toDevice(event->position()).x;
    const TimeNs by = draggedNs();
    const QString amount = QString::fromStdString(formatDuration(static_cast<double>(std::abs(by))));
    QToolTip::showText(event->globalPosition().toPoint(), (by < 0 ? QString("−") : QString("+")) + amount,
                       this);
    update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!shifting_) return TimeView::mouseReleaseEvent(event);
    shifting_->to = toDevice(event->position()).x;
    const TimeNs by = draggedNs();
    const std::uint32_t experiment = shifting_->experiment;
    shifting_.reset();
    unsetCursor();
    QToolTip::hideText();
    update();
    if (by == 0 || !data()) return;
    std::vector<TimeNs> shifts = selection().state().clockShiftsNs;
    shifts.resize(data()->session.experiments.size(), 0);
    shifts[experiment] += by;
    if (std::all_of(shifts.begin(), shifts.end(), [](TimeNs shift) { return shift == 0; })) shifts.clear();
    selection().setClockShifts(shifts, nullptr);
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint eighths = event->angleDelta();
    const bool rows = event->modifiers() == Qt::ShiftModifier && shiftWheel() == ShiftWheel::RowHeight;
    if (!data() || !rows) return TimeView::wheelEvent(event);
    // Some platforms turn a wheel with Shift sideways.
    const double turns = (eighths.y() != 0 ? eighths.y() : eighths.x()) / 120.0;
    setRowZoom(std::pow(kRowZoomStep, turns), toDevice(event->position()).y);
    event->accept();
}

bool TimelineView::pressPlainKey(int key)
{
    switch (key) {
    case Qt::Key_P:
        for (const LocationRef& location : selection().state().selected.locations)
            arrange(withPinToggled(selection().state().rows, location));
        return true;
    case Qt::Key_O: goToOtherEnd(); return true;
    default: return TimeView::pressPlainKey(key);
    }
}

void TimelineView::clicked(Point point, Qt::KeyboardModifiers modifiers)
{
    if (const auto cluster = clusterAt(point)) {
        const Selection chosen = selectCluster(data()->session, *behaviorWhere(showsClusters_), *cluster);
        const bool more = modifiers.testFlag(Qt::ControlModifier);
        selection().setSelected(more ? united(selection().state().selected, chosen) : chosen, this);
        return redraw();
    }
    const auto row = rowAt(point);
    const bool onNames = point.x < layout_.body.x;
    if (row && row->kind != TimelineRowKind::Location && (isHeader(*row) || onNames))
        return toggleGroup(row->group);
    if (const auto change = changeAt(point)) return selectChange(*change);
    // A band lies over the rows between its ends; a call or a message under the pointer comes first.
    const Hover hit = hitAt(point);
    if (!hit.message.valid() && !hit.interval.valid() && layout_.body.contains(point))
        if (const auto handOver = handOverAt(*data(), options_, layout_, point))
            return selectHandOver(*handOver);
    TimeView::clicked(point, modifiers);
}

void TimelineView::selectHandOver(std::uint32_t number)
{
    selection().setSelected(
        skein::select(data()->session, options_.handOvers->handOvers[number], HandOverRef{number}), nullptr);
}

/// What the behaviour panels of the window have found of this session; null where they have not been looked
/// at.
SessionBehaviorPtr TimelineView::behaviorWhere(bool shown) const
{
    return shown ? behavior_.present() : nullptr;
}

/// Every move of the mouse draws them again, and asks which is below it.
std::shared_ptr<const TimelineClusters> TimelineView::clusters() const
{
    const SessionBehaviorPtr behavior = behaviorWhere(showsClusters_);
    if (!behavior) return nullptr;
    return clusters_.get({behavior, layouts_, layout_.scale.span}, [&] {
        return onCanvas([&](const Canvas& canvas) { return layOutClusters(*behavior, layout_, canvas); });
    });
}

std::optional<std::uint32_t> TimelineView::clusterAt(Point point) const
{
    const std::shared_ptr<const TimelineClusters> laidOut = clusters();
    if (!laidOut) return std::nullopt;
    return onCanvas(
        [&](const Canvas& canvas) { return timelineClusterAt(*laidOut, layout_, canvas, point); });
}

std::optional<std::size_t> TimelineView::changeAt(Point point) const
{
    const SessionBehaviorPtr behavior = behaviorWhere(showsChanges_);
    if (!behavior) return std::nullopt;
    return onCanvas([&](const Canvas& canvas) {
        return timelineChangeAt(placedChanges(*behavior, selection().state(), layout_, canvas), layout_,
                                point, options_.scale);
    });
}

/// The window stays where it is: one may look at what lies around the change.
void TimelineView::selectChange(std::size_t change)
{
    const SessionBehaviorPtr behavior = behaviorWhere(showsChanges_);
    Selection chosen;
    chosen.changePoints = {changeRef(*behavior, change)};
    selection().setSelected(chosen, this);
    selection().say(toQString(changeText(*behavior, change).front()));
    redraw();
}

std::vector<KeyHint> TimelineView::keyHints() const
{
    std::vector<KeyHint> hints = TimeView::keyHints();
    const std::vector<KeyHint> own{
        {tr("Shift+wheel"), tr("Height of the rows")},
        {tr("Click on a group's name"), tr("Collapse the group to one row, or expand it")},
        {tr("Drag a location's name"), tr("Move its row to another place")},
        {tr("Ctrl+drag, Alt+drag a component's header"), tr("Shift the component in time")},
        {tr("P"), tr("Pin the selected location's row to the top, or let it go")},
        {tr("O"), tr("The other end of the selected message, or of the selected call's")},
        {tr("Click on a change's number"), tr("Select the change of behaviour: who moved, and by how much")},
        {tr("Click on a colour beside a name, or on its number above"),
         tr("Select the cluster of those that behave alike")},
        {tr("Right click"), tr("Filter in or out what is under the pointer, and more")}};
    hints.insert(hints.end(), own.begin(), own.end());
    return hints;
}

}  // namespace skein
