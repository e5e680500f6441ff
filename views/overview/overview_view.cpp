// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overview_view.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/experiment_titles.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

#include <QAction>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kKeyStep = 0.1;   ///< of the window
constexpr double kDragBegins = 3;  ///< device pixels

}  // namespace

OverviewView::OverviewView(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the overview"), parent)
{
    setAccessibleName(tr("Overview"));
    setAccessibleDescription(
        tr("The whole execution: messages, and groups of regions or depth of calls, over time. The arrow "
           "keys move the window that the other views show."));
    makeDepthAction();
    selection().listen(this, [this](const ViewChange& change) { hear(change.parts); });
}

void OverviewView::setSession(SessionPtr session)
{
    session_ = session;
    data_ = nullptr;
    drag_.reset();
    drawn_.reset();
    redraw();
    if (!session) return;
    tasks().run<TimelineDataPtr>(
        {"overview index", tr("Preparing the overview")}, this,
        [session, results = results()](const Task& task) { return timelineDataOf(*results, *session, task); },
        [this](Result<TimelineDataPtr> prepared) {
            if (!prepared) return;
            data_ = withClockOf(*prepared, selection().state());
            layoutAgain();
            redraw();
        });
}

void OverviewView::makeDepthAction()
{
    auto* depth = new QAction(tr("Show Call Depth in the Overview"), this);
    depth->setObjectName("overview.depth");
    depth->setCheckable(true);
    depth->setToolTip(tr("Show how deep calls are in place of the groups of regions"));
    connect(depth, &QAction::toggled, this, [this](bool on) {
        content_ = on ? OverviewContent::Depth : OverviewContent::Groups;
        redraw();
    });
    addAction(depth);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

OverviewOptions OverviewView::options() const { return {content_, selection().state().grouping, filters()}; }

void OverviewView::hear(ViewParts parts)
{
    if (parts.has(ViewParts::kClocks)) data_ = withClockOf(data_, selection().state());
    if (parts.has(ViewParts::kClocks | ViewParts::kFilters | ViewParts::kColors)) {
        layoutAgain();
        redraw();
    }
    updateOverlay();
}

void OverviewView::layoutAgain()
{
    if (data_)
        layout_ =
            onCanvas([this](const Canvas& canvas) { return overviewLayout(*data_, canvas, filters()); });
}

SceneView::Maker OverviewView::maker() const
{
    if (!data_ || data_->clock.extent.empty()) return {};
    return [data = data_, options = options()](const Canvas& canvas, const Task& task) {
        return overviewScene(*data, options, canvas, task);
    };
}

QString OverviewView::emptyText() const
{
    if (!session_) return tr("Open an archive to see its whole execution here.");
    if (!data_) return tr("Preparing the overview …");
    return tr("Nothing here has times of events. Open a trace to see what happened when.");
}

DrawList OverviewView::overlay(const Canvas& canvas) const
{
    if (!data_) return {};
    return overviewOverlay(*data_, selection().state(), overviewLayout(*data_, canvas, filters()), drawn_,
                           canvas);
}

std::vector<std::string> OverviewView::toolTipAt(Point point) const
{
    if (!data_ || drag_) return {};
    return overviewTooltip(*data_, layout_, point);
}

void OverviewView::showWindow(TimeSpan window)
{
    selection().setVisible(visibleOf(windowWithin(window, data_->clock.extent), data_->clock.extent), this);
    updateOverlay();
}

void OverviewView::showCursor(Point point)
{
    const auto grip = onCanvas([&](const Canvas& canvas) {
        return overviewGrip(*data_, selection().state(), layout_, canvas, point);
    });
    if (!grip) return unsetCursor();
    const bool edge = *grip == WindowGrip::Begin || *grip == WindowGrip::End;
    setCursor(edge ? Qt::SizeHorCursor : *grip == WindowGrip::Whole ? Qt::OpenHandCursor : Qt::CrossCursor);
}

void OverviewView::mousePressEvent(QMouseEvent* event)
{
    if (!data_ || event->button() != Qt::LeftButton) return;
    const Point at = toDevice(event->position());
    const auto grip = onCanvas(
        [&](const Canvas& canvas) { return overviewGrip(*data_, selection().state(), layout_, canvas, at); });
    if (!grip) return;
    const bool wantsNew = event->modifiers() & Qt::ShiftModifier;
    drag_ = Drag{wantsNew ? WindowGrip::New : *grip, layout_.scale.toTime(at.x), window(), at.x, false};
}

void OverviewView::mouseMoveEvent(QMouseEvent* event)
{
    if (!data_) return;
    const Point at = toDevice(event->position());
    if (!drag_) {
        showCursor(at);
        Hover hover;
        hover.location = overviewLocation(layout_, at);
        if (at.x >= layout_.body.x && at.x < layout_.body.right()) hover.time = layout_.scale.toTime(at.x);
        selection().setHover(hover, this);
        return updateOverlay();
    }
    drag_->moved = drag_->moved || std::abs(at.x - drag_->x) >= kDragBegins;
    if (!drag_->moved) return;
    const TimeSpan now = draggedWindow(drag_->before, drag_->grip, drag_->from, layout_.scale.toTime(at.x),
                                       data_->clock.extent);
    if (drag_->grip == WindowGrip::New) drawn_ = now;
    else showWindow(now);
    updateOverlay();
}

void OverviewView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!drag_) return;
    const bool moved = drag_->moved;
    drag_.reset();
    if (drawn_) showWindow(*std::exchange(drawn_, std::nullopt));
    if (!moved) click(toDevice(event->position()));
}

/// A click brings the window to the place, and selects the location whose row is there.
void OverviewView::click(Point point)
{
    if (selection().state().visible) {
        const TimeNs half = window().lengthNs() / 2;
        const TimeNs middle = layout_.scale.toTime(point.x);
        if (!window().contains(middle)) showWindow({middle - half, middle - half + window().lengthNs()});
    }
    if (const LocationRef location = overviewLocation(layout_, point); location.valid())
        selection().setSelected(select(data_->session, location), this);
}

void OverviewView::mouseDoubleClickEvent(QMouseEvent*)
{
    if (data_) showWindow(data_->clock.extent);
}

void OverviewView::wheelEvent(QWheelEvent* event)
{
    if (!data_) return;
    const double turns = event->angleDelta().y() / 120.0;
    const TimeNs at = layout_.scale.toTime(toDevice(event->position()).x);
    const TimeSpan now = window();
    const double part =
        std::clamp(static_cast<double>(at - now.begin) / static_cast<double>(now.lengthNs()), 0.0, 1.0);
    showWindow(zoomedWindow(now, std::pow(kZoomStep, -turns), part, data_->clock.extent));
    event->accept();
}

bool OverviewView::pressKey(int key, Qt::KeyboardModifiers modifiers)
{
    const TimeSpan whole = data_->clock.extent;
    const TimeSpan now = window();
    const bool left = key == Qt::Key_Left || key == Qt::Key_A;
    const bool right = key == Qt::Key_Right || key == Qt::Key_D;
    if (left || right) {
        const auto step = static_cast<TimeNs>(std::max(1.0, static_cast<double>(now.lengthNs()) * kKeyStep))
            * (left ? -1 : 1);
        const WindowGrip grip = modifiers & Qt::ControlModifier ? WindowGrip::Begin
            : modifiers & Qt::ShiftModifier                     ? WindowGrip::End
                                                                : WindowGrip::Whole;
        showWindow(draggedWindow(now, grip, 0, step, whole));
        return true;
    }
    if (modifiers != Qt::NoModifier) return false;
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Up: showWindow(zoomedWindow(now, 1 / kZoomStep, 0.5, whole)); return true;
    case Qt::Key_S:
    case Qt::Key_Down: showWindow(zoomedWindow(now, kZoomStep, 0.5, whole)); return true;
    case Qt::Key_Z:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selection().state().brushed) showWindow(*selection().state().brushed);
        return true;
    case Qt::Key_Home: showWindow(whole); return true;
    case Qt::Key_Backspace: selection().goBack(); return true;
    default: return false;
    }
}

void OverviewView::keyPressEvent(QKeyEvent* event)
{
    if (data_ && event->key() == Qt::Key_Escape && drag_) {
        if (drag_->grip != WindowGrip::New) showWindow(drag_->before);
        drag_.reset();
        drawn_.reset();
        return update();
    }
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (!data_ || !pressKey(event->key(), modifiers)) SceneView::keyPressEvent(event);
}

void OverviewView::leaveEvent(QEvent*)
{
    selection().setHover({}, this);
    updateOverlay();
}

std::vector<KeyHint> OverviewView::keyHints() const
{
    return {{tr("Drag the frame or its edges"), tr("Move the window, or resize it")},
            {tr("Drag elsewhere, Shift+drag"), tr("Draw a new window")},
            {tr("Click"), tr("Bring the window there; select the location")},
            {tr("Left / Right, A / D"), tr("Move the window")},
            {tr("Ctrl+Left / Right, Shift+Left / Right"), tr("Move its left edge, its right edge")},
            {tr("Wheel, W / S, Up / Down"), tr("Make the window shorter and longer")},
            {tr("Home, double click"), tr("Show the whole time")},
            {tr("Enter, Z"), tr("Show the marked span")},
            {tr("Backspace"), tr("The window before")}};
}

}  // namespace skein
