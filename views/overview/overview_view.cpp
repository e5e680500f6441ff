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
    : SceneView(context, tr("Drawing the overview"), parent),
      held_([this](int key, double steps) { move(key, steps); })
{
    setAccessibleName(tr("Overview"));
    setAccessibleDescription(
        tr("The whole execution: messages, and groups of regions or depth of calls, over time. The arrow "
           "keys move the window that the other views show."));
    makeDepthAction();
    selection().listen(
        this, [this](const ViewChange& change) { hear(change.parts); }, SelectionModel::Steps::All);
}

void OverviewView::setSession(SessionPtr session)
{
    tasks().drop("overview index");
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

void OverviewView::moveWindow(TimeSpan window)
{
    selection().moveVisible(visibleOf(windowWithin(window, data_->clock.extent), data_->clock.extent), this);
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
    else moveWindow(now);
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
    moveWindow(zoomedWindow(now, std::pow(kZoomStep, -turns), part, data_->clock.extent));
    event->accept();
}

/// So many steps of a key that moves the window, its edges or its length. What a step of a frame cannot move
/// because a nanosecond is the least is kept for the next one.
void OverviewView::move(int key, double steps)
{
    if (!data_) return;
    const TimeSpan whole = data_->clock.extent;
    const TimeSpan now = window();
    if (key == Qt::Key_W || key == Qt::Key_Up)
        return moveWindow(zoomedWindow(now, std::pow(kZoomStep, -steps), 0.5, whole));
    if (key == Qt::Key_S || key == Qt::Key_Down)
        return moveWindow(zoomedWindow(now, std::pow(kZoomStep, steps), 0.5, whole));
    const bool left = key == Qt::Key_Left || key == Qt::Key_A;
    const double step = std::max(1.0, static_cast<double>(now.lengthNs()) * kKeyStep) * steps;
    const double wanted = (left ? -step : step) + moveRest_;
    const auto by = static_cast<TimeNs>(std::llround(wanted));
    moveRest_ = wanted - static_cast<double>(by);
    if (by != 0) moveWindow(draggedWindow(now, heldGrip_, 0, by, whole));
}

/// True where a key moves for as long as it is held.
bool OverviewView::holdKey(int key, Qt::KeyboardModifiers modifiers)
{
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_A || key == Qt::Key_Right || key == Qt::Key_D;
    const bool zooms = key == Qt::Key_W || key == Qt::Key_Up || key == Qt::Key_S || key == Qt::Key_Down;
    if (!sideways && !(zooms && modifiers == Qt::NoModifier)) return false;
    if (!held_.any()) moveRest_ = 0;
    if (sideways)
        heldGrip_ = modifiers & Qt::ControlModifier ? WindowGrip::Begin
            : modifiers & Qt::ShiftModifier         ? WindowGrip::End
                                                    : WindowGrip::Whole;
    held_.press(key);
    return true;
}

bool OverviewView::pressKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (modifiers != Qt::NoModifier) return false;
    switch (key) {
    case Qt::Key_Z:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selection().state().brushed) showWindow(*selection().state().brushed);
        return true;
    case Qt::Key_Home: showWindow(data_->clock.extent); return true;
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
    // What the keyboard repeats by itself has no say, see HeldKeys.
    if (data_ && event->isAutoRepeat() && held_.holds(event->key())) return;
    if (!data_ || !(holdKey(event->key(), modifiers) || pressKey(event->key(), modifiers)))
        SceneView::keyPressEvent(event);
}

void OverviewView::keyReleaseEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat()) held_.release(event->key());
    SceneView::keyReleaseEvent(event);
}

void OverviewView::focusOutEvent(QFocusEvent* event)
{
    held_.releaseAll();
    SceneView::focusOutEvent(event);
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
