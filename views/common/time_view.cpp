// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/time_view.h"

#include "core/select/translate.h"
#include "views/common/mark_actions.h"
#include "views/common/scene/time_window.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kPanStep = 0.15;   ///< of the visible time
constexpr double kScrollStep = 60;  ///< logical pixels a turn of the wheel

}  // namespace

TimeView::TimeView(const ViewContext& context, QString title, QWidget* parent) : SceneView(context, std::move(title), parent)
{
    selection().listen(this, [this](const ViewChange& change) { hear(change.parts); });
}

void TimeView::setSession(SessionPtr session)
{
    session_ = session;
    data_ = nullptr;
    scroll_ = 0;
    drag_ = Drag::None;
    dataChanged();
    redraw();
    if (!session) return;
    tasks().run<TimelineDataPtr>({objectName() + " index", tr("Preparing %1").arg(accessibleName())}, this,
                                 [session, share = indexes()](const Task& task) { return share->dataOf(*session, task); },
                                 [this](Result<TimelineDataPtr> prepared) {
                                     if (!prepared) return;
                                     data_ = withClockOf(*prepared, selection().state());
                                     dataChanged();
                                     redraw();
                                 });
}

void TimeView::hear(ViewParts parts)
{
    if (parts.has(ViewParts::kClocks)) {
        data_ = withClockOf(data_, selection().state());
        dataChanged();
    }
    if (parts.has(ViewParts::kVisible | ViewParts::kFilters | ViewParts::kClocks | drawnParts())) redraw();
    update();
}

void TimeView::showSpan(TimeSpan span)
{
    if (!data_) return;
    const TimeSpan whole = data_->clock.extent;
    selection().setVisible(visibleOf(windowWithin(span, whole), whole), this);
    redraw();
}

void TimeView::zoom(double factor, double atX)
{
    const TimeFrame now = frame();
    const double part = std::clamp((atX - now.body.x) / now.body.width, 0.0, 1.0);
    showSpan(zoomedWindow(now.scale.span, factor, part, data_->clock.extent));
}

void TimeView::panBy(double devicePixels)
{
    const TimeFrame now = frame();
    const auto by = static_cast<TimeNs>(std::llround(devicePixels * now.scale.nsPerPixel()));
    showSpan(movedWindow(now.scale.span, by, data_->clock.extent));
}

void TimeView::scrollBy(double devicePixels)
{
    const double to = std::clamp(scroll_ + devicePixels, 0.0, maximumScroll());
    if (to == scroll_) return;
    scroll_ = to;
    redraw();
}

void TimeView::wheelEvent(QWheelEvent* event)
{
    if (!data_) return;
    const double ratio = devicePixelRatioF();
    const double vertical = event->angleDelta().y() / 120.0;
    const double sideways = event->angleDelta().x() / 120.0;
    if (event->modifiers() & Qt::ControlModifier) zoom(std::pow(kZoomStep, -vertical), toDevice(event->position()).x);
    else {
        if (sideways != 0) panBy(-sideways * kScrollStep * ratio);
        if (vertical != 0) scrollBy(-vertical * kScrollStep * ratio);
    }
    event->accept();
}

bool TimeView::pressPlainKey(int key)
{
    const TimeFrame now = frame();
    const double pan = now.body.width * kPanStep;
    const auto& hovered = selection().state().hover.time;
    const double at = hovered && now.scale.span.contains(*hovered) ? now.scale.toX(*hovered) : now.body.x + now.body.width / 2;
    const double step = kScrollStep * devicePixelRatioF();
    switch (key) {
    case Qt::Key_W: zoom(1 / kZoomStep, at); return true;
    case Qt::Key_S: zoom(kZoomStep, at); return true;
    case Qt::Key_A:
    case Qt::Key_Left: panBy(-pan); return true;
    case Qt::Key_D:
    case Qt::Key_Right: panBy(pan); return true;
    case Qt::Key_Up: scrollBy(-step); return true;
    case Qt::Key_Down: scrollBy(step); return true;
    case Qt::Key_Z:
    case Qt::Key_Enter:
    case Qt::Key_Return:
        if (selection().state().brushed) showSpan(*selection().state().brushed);
        return true;
    case Qt::Key_M: pinMark(selection(), this); update(); return true;
    case Qt::Key_Home: showSpan(data_->clock.extent); return true;
    case Qt::Key_Backspace: selection().goBack(); return true;
    default: return false;
    }
}

void TimeView::keyPressEvent(QKeyEvent* event)
{
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (data_ && modifiers == Qt::ShiftModifier && event->key() == Qt::Key_M) return pinMarkWithNote(selection(), this);
    if (!data_ || modifiers != Qt::NoModifier) return SceneView::keyPressEvent(event);
    if (event->key() == Qt::Key_Escape) {
        if (selection().state().brushed) selection().setBrushed(std::nullopt, this);
        else selection().setSelected({}, this);
        return redraw();
    }
    if (!pressPlainKey(event->key())) SceneView::keyPressEvent(event);
}

void TimeView::mousePressEvent(QMouseEvent* event)
{
    if (!data_) return;
    pressed_ = last_ = event->position();
    dragged_ = false;
    const bool left = event->button() == Qt::LeftButton;
    const TimeFrame now = frame();
    const Point at = toDevice(pressed_);
    if (event->button() == Qt::MiddleButton || (left && event->modifiers() & Qt::ShiftModifier)) drag_ = Drag::Pan;
    else if (left && at.x >= now.body.x) drag_ = Drag::Brush;
    brushFrom_ = std::clamp(now.scale.toTime(at.x), now.scale.span.begin, now.scale.span.end);
}

void TimeView::mouseMoveEvent(QMouseEvent* event)
{
    if (!data_) return;
    const Point at = toDevice(event->position());
    if (drag_ != Drag::None && !dragged_)
        dragged_ = (event->position() - pressed_).manhattanLength() >= QApplication::startDragDistance() / 2.0;
    if (dragged_ && drag_ == Drag::Brush) {
        const TimeScale scale = frame().scale;
        const TimeNs now = std::clamp(scale.toTime(at.x), scale.span.begin, scale.span.end);
        selection().setBrushed(TimeSpan{std::min(now, brushFrom_), std::max(now, brushFrom_)}, this);
    }
    if (dragged_ && drag_ == Drag::Pan) {
        const Point before = toDevice(last_);
        panBy(before.x - at.x);
        scrollBy(before.y - at.y);
        last_ = event->position();
    }
    if (drag_ != Drag::Pan) selection().setHover(hitAt(at), this);
    update();
}

void TimeView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool clicked = event->button() == Qt::LeftButton && !dragged_ && data_ && drag_ != Drag::Pan;
    drag_ = Drag::None;
    dragged_ = false;
    if (clicked) click(hitAt(toDevice(event->position())), event->modifiers());
}

void TimeView::click(const Hover& hit, Qt::KeyboardModifiers modifiers)
{
    Selection chosen;
    if (hit.interval.valid()) chosen = select(data_->session, hit.interval);
    else if (hit.location.valid()) chosen = select(data_->session, hit.location);
    if (modifiers & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    else if (chosen.empty()) selection().setBrushed(std::nullopt, this);
    selection().setSelected(chosen, this);
    redraw();
}

void TimeView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!data_) return;
    const TimeFrame now = frame();
    const Point at = toDevice(event->position());
    if (now.ruler.contains(at) || now.corner.contains(at)) return showSpan(data_->clock.extent);
    mousePressEvent(event);
}

void TimeView::leaveEvent(QEvent*)
{
    selection().setHover({}, this);
    update();
}

std::vector<KeyHint> TimeView::keyHints() const
{
    return {{tr("Ctrl+wheel, W / S"), tr("Zoom in and out at the pointer")},
            {tr("A / D, arrows, Shift+drag, middle drag"), tr("Move along the time")},
            {tr("Drag"), tr("Mark a span; its length is shown")},
            {tr("Enter, Z"), tr("Zoom to the marked span")},
            {tr("M, Shift+M"), tr("Mark the span, or the moment under the pointer; with a note")},
            {tr("Home, double click on the ruler"), tr("Show the whole time")},
            {tr("Esc"), tr("Clear the span, then the selection")}};
}

}  // namespace skein
