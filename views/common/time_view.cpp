// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/time_view.h"

#include "core/select/translate.h"
#include "views/common/behavior_model.h"
#include "views/common/mark_actions.h"
#include "views/common/scene/axes/time_window.h"
#include "views/common/scene/calls/call_stack.h"
#include "views/common/scene/calls/selected_span.h"
#include "views/common/scene/data/selected_findings.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace skein {
namespace {

constexpr double kPanStep = 0.15;   ///< of the visible time
constexpr double kPanGrid = 6;      ///< logical pixels: the period of textures and columns
constexpr double kPageStep = 0.9;   ///< of the height
constexpr double kScrollStep = 60;  ///< logical pixels a turn of the wheel

bool movesByKey(int key)
{
    constexpr int kKeys[] = {Qt::Key_W,    Qt::Key_S,     Qt::Key_A,  Qt::Key_D,
                             Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down};
    return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

/// What moves along the time: the body, and the ruler where it lies at its edge.
Rect withRuler(const TimeFrame& frame)
{
    const Rect &body = frame.body, &ruler = frame.ruler;
    const bool above = std::abs(ruler.bottom() - body.y) < 1, below = std::abs(ruler.y - body.bottom()) < 1;
    if (ruler.x != body.x || ruler.width != body.width || !(above || below)) return body;
    const double top = std::min(body.y, ruler.y);
    return {body.x, top, body.width, std::max(body.bottom(), ruler.bottom()) - top};
}

}  // namespace

TimeView::TimeView(const ViewContext& context, QString title, QWidget* parent)
    : SceneView(context, std::move(title), parent), held_([this](int key, double steps) { move(key, steps); })
{
    bar_ = new QScrollBar(Qt::Vertical, this);
    bar_->setAccessibleName(tr("Rows"));
    bar_->setCursor(Qt::ArrowCursor);
    bar_->hide();
    connect(bar_, &QScrollBar::valueChanged, this, [this](int value) { scrollBy(value - scroll_); });
    selection().listen(
        this, [this](const ViewChange& change) { hear(change.parts); }, SelectionModel::Steps::All);
}

/// What can be scrolled is known when the picture is laid out, which may be while it is painted.
void TimeView::paintEvent(QPaintEvent* event)
{
    SceneView::paintEvent(event);
    if (fittingBar_) return;
    fittingBar_ = true;
    QTimer::singleShot(0, this, &TimeView::fitScrollBar);
}

void TimeView::fitScrollBar()
{
    fittingBar_ = false;
    const double most = data_ ? maximumScroll() : 0;
    bar_->setVisible(most >= 1);
    if (most < 1) return;
    const Rect body = frame().body;
    const double ratio = devicePixelRatioF();
    const int thick = bar_->sizeHint().width();
    const QSignalBlocker quiet(bar_);
    bar_->setGeometry(width() - thick, static_cast<int>(body.y / ratio), thick,
                      static_cast<int>(body.height / ratio));
    bar_->setRange(0, static_cast<int>(std::ceil(most)));
    bar_->setPageStep(static_cast<int>(body.height));
    bar_->setSingleStep(static_cast<int>(kScrollStep * ratio));
    bar_->setValue(static_cast<int>(std::lround(scroll_)));
}

void TimeView::setSession(SessionPtr session)
{
    tasks().drop(objectName() + " index");
    session_ = session;
    data_ = nullptr;
    scroll_ = 0;
    drag_ = Drag::None;
    endFirstPicture();
    dataChanged();
    redraw();
    if (!session) return;
    expectPicture();
    tasks().run<TimelineDataPtr>(
        {objectName() + " index", tr("Preparing %1").arg(accessibleName())}, this,
        [session, results = results()](const Task& task) { return timelineDataOf(*results, *session, task); },
        [this](Result<TimelineDataPtr> prepared) {
            if (!prepared) return endFirstPicture();
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
    if (parts.has(ViewParts::kVisible | ViewParts::kFilters | ViewParts::kClocks | drawnParts())) {
        layoutAgain();
        redraw();
    }
    if (parts.has(ViewParts::kSelected) && data_) selectedElsewhere();
    updateOverlay();
}

void TimeView::showSpan(TimeSpan span)
{
    if (!data_) return;
    const TimeSpan whole = data_->clock.extent;
    selection().setVisible(visibleOf(windowWithin(span, whole), whole), this);
    redraw();
}

void TimeView::moveTo(TimeSpan span)
{
    const TimeSpan whole = data_->clock.extent;
    selection().moveVisible(visibleOf(windowWithin(span, whole), whole), this);
    redraw();
}

void TimeView::zoom(double factor, double atX)
{
    if (!data_) return;
    const TimeFrame now = frame();
    const double part = std::clamp((atX - now.body.x) / now.body.width, 0.0, 1.0);
    moveTo(zoomedWindow(now.scale.span, factor, part, data_->clock.extent));
}

void TimeView::panBy(double devicePixels)
{
    if (!data_) return;
    const TimeFrame now = frame();
    const double wanted = devicePixels * now.scale.nsPerPixel() + panRest_;
    const auto by = static_cast<TimeNs>(std::llround(wanted));
    panRest_ = wanted - static_cast<double>(by);
    moveTo(movedWindow(now.scale.span, by, data_->clock.extent));
}

void TimeView::panByKey(double devicePixels)
{
    const double grid = kPanGrid * devicePixelRatioF();
    const double wanted = devicePixels + keyRest_;
    const double whole = std::round(wanted / grid) * grid;
    keyRest_ = wanted - whole;
    if (whole != 0) panBy(whole);
}

void TimeView::setScroll(double devicePixels) { scroll_ = std::clamp(devicePixels, 0.0, maximumScroll()); }

void TimeView::scrollBy(double devicePixels)
{
    const double before = scroll_;
    setScroll(before + devicePixels);
    if (scroll_ == before) return;
    layoutAgain();
    redraw();
}

void TimeView::zoomToBrush()
{
    if (const auto span = selection().state().brushed) showSpan(*span);
}

void TimeView::showEverything()
{
    if (data_) showSpan(keptSpan(selection().state().filters).value_or(data_->clock.extent));
}

void TimeView::wheelEvent(QWheelEvent* event)
{
    if (!data_) return;
    const double ratio = devicePixelRatioF();
    const double vertical = event->angleDelta().y() / 120.0;
    const double sideways = event->angleDelta().x() / 120.0;
    if (event->modifiers() & Qt::ControlModifier)
        zoom(std::pow(kZoomStep, -(vertical != 0 ? vertical : sideways)), toDevice(event->position()).x);
    else if (event->modifiers() & Qt::ShiftModifier && shiftWheel() == ShiftWheel::Time)
        panBy(-(vertical != 0 ? vertical : sideways) * kScrollStep * ratio);
    else {
        if (sideways != 0) panBy(-sideways * kScrollStep * ratio);
        if (vertical != 0) scrollBy(-vertical * kScrollStep * ratio);
    }
    event->accept();
}

/// So many steps of a key that moves or zooms; false: the key does something else.
bool TimeView::move(int key, double steps)
{
    if (!data_) return false;
    const TimeFrame now = frame();
    const double pan = now.body.width * kPanStep * steps;
    const auto& hovered = selection().state().hover.time;
    const double at = hovered && now.scale.span.contains(*hovered) ? now.scale.toX(*hovered)
                                                                   : now.body.x + now.body.width / 2;
    const double scrolled = kScrollStep * devicePixelRatioF() * steps;
    switch (key) {
    case Qt::Key_W: zoom(std::pow(kZoomStep, -steps), at); return true;
    case Qt::Key_S: zoom(std::pow(kZoomStep, steps), at); return true;
    case Qt::Key_A:
    case Qt::Key_Left: panByKey(-pan); return true;
    case Qt::Key_D:
    case Qt::Key_Right: panByKey(pan); return true;
    case Qt::Key_Up: scrollBy(-scrolled); return true;
    case Qt::Key_Down: scrollBy(scrolled); return true;
    default: return false;
    }
}

bool TimeView::pressPlainKey(int key)
{
    const double page = frame().body.height * kPageStep;
    switch (key) {
    case Qt::Key_PageUp: scrollBy(-page); return true;
    case Qt::Key_PageDown: scrollBy(page); return true;
    case Qt::Key_Z:
    case Qt::Key_Enter:
    case Qt::Key_Return: zoomToBrush(); return true;
    case Qt::Key_M:
        pinMark(selection(), this);
        updateOverlay();
        return true;
    case Qt::Key_F: zoomToSelection(); return true;
    case Qt::Key_Period: stepCall(Direction::Forward); return true;
    case Qt::Key_Comma: stepCall(Direction::Backward); return true;
    case Qt::Key_Home: showEverything(); return true;
    case Qt::Key_Backspace: selection().goBack(); return true;
    default: return false;
    }
}

void TimeView::keyPressEvent(QKeyEvent* event)
{
    if (!data_) return SceneView::keyPressEvent(event);
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (modifiers == Qt::ShiftModifier && event->key() == Qt::Key_M)
        return pinMarkWithNote(selection(), this);
    if (modifiers == Qt::AltModifier && event->key() == Qt::Key_Left) return selection().goBack();
    if (modifiers == Qt::AltModifier && event->key() == Qt::Key_Right) return selection().goForward();
    if (modifiers == Qt::NoModifier && event->key() == Qt::Key_Escape) {
        const ViewState& state = selection().state();
        if (state.brushed || !state.markedLocations.empty()) selection().setBrushed(std::nullopt, this);
        else if (!state.hits.empty()) selection().setHits({}, this);
        else selection().setSelected({}, this);
        return redraw();
    }
    if (modifiers == Qt::NoModifier && movesByKey(event->key())) {
        // What the keyboard repeats by itself has no say: it begins late and comes in its own time.
        if (!event->isAutoRepeat()) held_.press(event->key());
        return;
    }
    if (modifiers != Qt::NoModifier || !pressPlainKey(event->key())) SceneView::keyPressEvent(event);
}

void TimeView::keyReleaseEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat()) held_.release(event->key());
    SceneView::keyReleaseEvent(event);
}

void TimeView::focusOutEvent(QFocusEvent* event)
{
    held_.releaseAll();
    SceneView::focusOutEvent(event);
}

/// Where the new picture's time lies is known when it is asked for: the body has moved by whole pixels, or
/// is another one.
std::pair<int, Rect> TimeView::pictureShift()
{
    if (!data_) return {};
    const TimeFrame now = frame();
    const TimeSpan before = std::exchange(drawnSpan_, now.scale.span);
    if (before.lengthNs() != now.scale.span.lengthNs() || before == now.scale.span) return {};
    const double moved = static_cast<double>(before.begin - now.scale.span.begin) / now.scale.nsPerPixel();
    return {static_cast<int>(std::lround(moved)), withRuler(now)};
}

void TimeView::zoomToSelection()
{
    if (!data_) return;
    const Selection& selected = selection().state().selected;
    const SessionBehaviorPtr behavior = BehaviorModel::of({selection(), tasks(), results()}).present();
    auto around = spanOfSelected(*data_, selected);
    if (const auto changes = spanOfChanges(behavior, selected))
        around = around ? around->united(*changes) : changes;
    // A change moves some rows most, a cluster has some: which they are the behaviour knows alone.
    const std::vector<LocationRef> found = locationsOfFindings(behavior, selected);
    if (!around) zoomToBrush();
    else {
        const TimeNs margin = std::max<TimeNs>(around->lengthNs() / 20, 1);
        showSpan({around->begin - margin, around->end + margin});
    }
    bringRowsIntoSight(found.empty() ? rowsOf(*session_, selected) : found);
}

void TimeView::stepCall(Direction direction)
{
    if (!data_) return;
    const auto& calls = selection().state().selected.intervals;
    if (calls.empty() || !canBeDrawn(*data_, calls.front()))
        return selection().say(tr("Select a call first: click on one"));
    const IntervalRef next = neighbourCall(data_->session, calls.front(), direction);
    if (!next.valid() || !canBeDrawn(*data_, next))
        return selection().say(toQString(noOtherCall(data_->session, calls.front(), direction)));
    selection().setSelected(skein::select(data_->session, next), this);
    bringIntoView({next.experiment, next.location}, spanOf(*data_, next));
}

/// A call that is longer than the window is shown from its begin.
void TimeView::bringIntoView(LocationRef, TimeSpan span)
{
    const TimeSpan window = frame().scale.span;
    const bool inside = window.begin <= span.begin && span.begin < window.end
        && (span.end <= window.end || span.lengthNs() >= window.lengthNs());
    if (!inside) {
        const TimeNs center = span.begin + std::min(span.lengthNs(), window.lengthNs()) / 2;
        const TimeNs begin = center - window.lengthNs() / 2;
        showSpan({begin, begin + window.lengthNs()});
    }
    redraw();
}

void TimeView::mousePressEvent(QMouseEvent* event)
{
    if (!data_) return;
    pressed_ = last_ = event->position();
    dragged_ = false;
    panRest_ = 0;
    keyRest_ = 0;
    const bool left = event->button() == Qt::LeftButton;
    const TimeFrame now = frame();
    const Point at = toDevice(pressed_);
    if (event->button() == Qt::MiddleButton || (left && event->modifiers() & Qt::ShiftModifier))
        drag_ = Drag::Pan;
    else if (left) drag_ = at.x >= now.body.x ? Drag::Brush : Drag::Label;
    brushFrom_ = std::clamp(now.scale.toTime(at.x), now.scale.span.begin, now.scale.span.end);
}

void TimeView::mouseMoveEvent(QMouseEvent* event)
{
    if (!data_) return;
    if (drag_ != Drag::None && !dragged_)
        dragged_ =
            (event->position() - pressed_).manhattanLength() >= QApplication::startDragDistance() / 2.0;
    if (dragged_) drag(toDevice(std::exchange(last_, event->position())), toDevice(event->position()));
    if (drag_ == Drag::Pan || (dragged_ && drag_ == Drag::Label)) setCursor(Qt::ClosedHandCursor);
    else selection().setHover(hitAt(toDevice(event->position())), this);
    updateOverlay();
}

void TimeView::drag(Point from, Point to)
{
    if (drag_ == Drag::Brush) {
        const TimeScale scale = frame().scale;
        const TimeNs now = std::clamp(scale.toTime(to.x), scale.span.begin, scale.span.end);
        const Point pressed = toDevice(pressed_);
        const bool onRuler = frame().ruler.contains(pressed);
        selection().setBrushed(TimeSpan{std::min(now, brushFrom_), std::max(now, brushFrom_)},
                               onRuler ? std::vector<LocationRef>() : rowsBetween(pressed.y, to.y), this);
    }
    if (drag_ == Drag::Label) labelDragged(toDevice(pressed_), to);
    if (drag_ != Drag::Pan) return;
    panBy(from.x - to.x);
    scrollBy(from.y - to.y);
}

void TimeView::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag ended = std::exchange(drag_, Drag::None);
    const bool moved = std::exchange(dragged_, false);
    unsetCursor();
    if (!data_ || event->button() != Qt::LeftButton) return;
    const Point at = toDevice(event->position());
    if (moved && ended == Drag::Label) labelDropped(toDevice(pressed_), at);
    if (!moved && ended != Drag::Pan) clicked(at, event->modifiers());
}

void TimeView::clicked(Point point, Qt::KeyboardModifiers modifiers)
{
    const Hover hit = hitAt(point);
    Selection chosen;
    if (hit.message.valid()) chosen = select(data_->session, hit.message);
    else if (hit.interval.valid()) chosen = select(data_->session, hit.interval);
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
    if (now.ruler.contains(at) || now.corner.contains(at)) return showEverything();
    mousePressEvent(event);
}

void TimeView::leaveEvent(QEvent*)
{
    selection().setHover({}, this);
    updateOverlay();
}

std::vector<KeyHint> TimeView::keyHints() const
{
    return {
        {tr("Ctrl+wheel, W / S"), tr("Zoom in and out at the pointer")},
        {tr("A / D, arrows, Shift+drag, middle drag"), tr("Move along the time")},
        {tr("Wheel, Page Up / Down"), tr("Scroll through the rows")},
        {tr("Drag"), tr("Mark a span on the rows that are dragged over; on the ruler: on all rows")},
        {tr("Enter, Z"), tr("Zoom to the marked span")},
        {tr("F"), tr("Zoom to the selection: calls, messages, the periods around a change; show its rows")},
        {tr(". and ,"), tr("Next and previous call of the selected call's region")},
        {tr("M, Shift+M"), tr("Mark the span, or the moment under the pointer; with a note")},
        {tr("Home, double click on the ruler"), tr("Show the whole time")},
        {tr("Backspace, Alt+Left / Right"), tr("Earlier and later views")},
        {tr("Click, Ctrl+click"), tr("Select what is there; add it to the selection")},
        {tr("Esc"), tr("Clear the span, then the selection")}};
}

}  // namespace skein
