// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/execution_stack/execution_stack_canvas.h"

#include "core/select/translate.h"
#include "views/common/selection_model.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr double kStackDragBeginsPx = 3, kGripPx = 5;

}  // namespace

ExecutionStackCanvas::ExecutionStackCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the execution stack"), parent)
{
    setObjectName("execution_stack.picture");
    setAccessibleName(tr("Execution stack"));
    setAccessibleDescription(
        tr("The calls in the selected executions over time, with lines to the peers of their messages. The "
           "table holds the same calls."));
    setFocusPolicy(Qt::StrongFocus);
}

void ExecutionStackCanvas::setData(ExecutionStackDataPtr stack, const QString& message)
{
    const auto shows = [](const ExecutionStackDataPtr& of) {
        std::vector<IntervalRef> calls;
        if (of)
            for (const StackedExecution& each : of->executions) calls.push_back(each.of);
        return calls;
    };
    if (shows(stack) != shows(data_)) window_.reset();
    data_ = std::move(stack);
    message_ = message;
    drag_.reset();
    redraw();
}

void ExecutionStackCanvas::setFocusWindow(const std::optional<TimeSpan>& window)
{
    if (!data_) return;
    const TimeSpan whole = wholeOfStack(*data_);
    window_ = window ? visibleOf(windowWithin(*window, whole), whole) : std::nullopt;
    redraw();
}

SceneView::Maker ExecutionStackCanvas::maker() const
{
    if (!data_ || data_->executions.empty()) return {};
    ViewState state;
    state.selected.intervals = selection().state().selected.intervals;
    state.selected.messages = selection().state().selected.messages;
    state.grouping = selection().state().grouping;
    return [data = data_, window = window_, state](const Canvas& canvas, const Task& task) {
        return executionStackScene(*data, window, state, canvas, task);
    };
}

ExecutionStackLayout ExecutionStackCanvas::sceneLayout() const
{
    if (!data_) return {};
    return onCanvas([this](const Canvas& canvas) { return executionStackLayout(*data_, window_, canvas); });
}

TimeSpan ExecutionStackCanvas::presentWindow() const { return window_.value_or(wholeOfStack(*data_)); }

std::vector<std::string> ExecutionStackCanvas::toolTipAt(Point point) const
{
    if (!data_) return {};
    return onCanvas([&](const Canvas& canvas) {
        return executionStackTooltip(*data_, executionStackAt(*data_, window_, canvas, point));
    });
}

void ExecutionStackCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !data_ || data_->executions.empty()) return;
    const ExecutionStackLayout layout = sceneLayout();
    Drag drag{toDevice(event->position()), presentWindow()};
    drag.inContext = layout.context.contains(drag.from);
    const double reach = kGripPx * devicePixelRatioF();
    const double left = layout.whole.toX(drag.before.begin), right = layout.whole.toX(drag.before.end);
    if (drag.inContext) {
        if (std::abs(drag.from.x - left) <= reach) drag.grip = WindowGrip::Begin;
        else if (std::abs(drag.from.x - right) <= reach) drag.grip = WindowGrip::End;
        else if (!window_ || drag.from.x < left || drag.from.x > right) drag.grip = WindowGrip::New;
    }
    drag_ = drag;
}

void ExecutionStackCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!drag_ || !(event->buttons() & Qt::LeftButton)) return SceneView::mouseMoveEvent(event);
    const Point at = toDevice(event->position());
    drag_->moved = drag_->moved
        || std::hypot(at.x - drag_->from.x, at.y - drag_->from.y) > kStackDragBeginsPx * devicePixelRatioF();
    if (drag_->moved) dragTo(at);
}

void ExecutionStackCanvas::dragTo(Point point)
{
    const ExecutionStackLayout layout = sceneLayout();
    const TimeSpan whole = wholeOfStack(*data_);
    if (drag_->inContext) {
        const TimeNs from = layout.whole.toTime(drag_->from.x), to = layout.whole.toTime(point.x);
        return setFocusWindow(draggedWindow(drag_->before, drag_->grip, from, to, whole));
    }
    const double perPixel = static_cast<double>(drag_->before.lengthNs()) / std::max(1.0, layout.focus.width);
    setFocusWindow(
        movedWindow(drag_->before, static_cast<TimeNs>((drag_->from.x - point.x) * perPixel), whole));
}

void ExecutionStackCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !drag_) return SceneView::mouseReleaseEvent(event);
    const Drag drag = *std::exchange(drag_, std::nullopt);
    if (!drag.moved && !drag.inContext) click(drag.from, event->modifiers());
}

void ExecutionStackCanvas::click(Point point, Qt::KeyboardModifiers modifiers)
{
    const StackHit hit =
        onCanvas([&](const Canvas& canvas) { return executionStackAt(*data_, window_, canvas, point); });
    Selection chosen;
    if (hit.message) chosen = select(*session_, *hit.message);
    else if (hit.call) chosen = select(*session_, *hit.call);
    else return;
    if (modifiers & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    // The panel's own listener is not told: the executions stay.
    selection().setSelected(chosen, parentWidget());
    redraw();
}

void ExecutionStackCanvas::wheelEvent(QWheelEvent* event)
{
    if (!data_ || data_->executions.empty()) return;
    const ExecutionStackLayout layout = sceneLayout();
    const double turns = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
    const TimeSpan now = presentWindow();
    const double at = (toDevice(event->position()).x - layout.body.x) / std::max(1.0, layout.body.width);
    setFocusWindow(
        zoomedWindow(now, std::pow(kZoomStep, -turns), std::clamp(at, 0.0, 1.0), wholeOfStack(*data_)));
    event->accept();
}

void ExecutionStackCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!data_ || data_->executions.empty()) return SceneView::keyPressEvent(event);
    const TimeSpan whole = wholeOfStack(*data_), now = presentWindow();
    const TimeNs step = now.lengthNs() / 6;
    switch (event->key()) {
    case Qt::Key_Left: return setFocusWindow(movedWindow(now, -step, whole));
    case Qt::Key_Right: return setFocusWindow(movedWindow(now, step, whole));
    case Qt::Key_Plus:
    case Qt::Key_Equal: return setFocusWindow(zoomedWindow(now, 1 / kZoomStep, 0.5, whole));
    case Qt::Key_Minus: return setFocusWindow(zoomedWindow(now, kZoomStep, 0.5, whole));
    case Qt::Key_Home:
    case Qt::Key_Escape: return setFocusWindow(std::nullopt);
    default: SceneView::keyPressEvent(event);
    }
}

std::vector<KeyHint> ExecutionStackCanvas::keyHints() const
{
    return {{tr("Wheel, + / −"), tr("Show less or more of the time")},
            {tr("Drag, ← / →"), tr("Move along the time")},
            {tr("Drag in the strip on top"), tr("Choose what is in focus")},
            {tr("Home"), tr("Show all of it")},
            {tr("Click, Ctrl+click"), tr("Select a call or a message; add it")}};
}

}  // namespace skein
