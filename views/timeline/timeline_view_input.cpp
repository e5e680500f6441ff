// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline does with keys, mouse and wheel, and how it paints itself.
#include "core/select/translate.h"
#include "views/common/mark_actions.h"
#include "views/common/selection_model.h"
#include "views/common/theme.h"
#include "views/timeline/row_order_scene.h"
#include "views/timeline/timeline_view.h"
#include "views/timeline/timeline_waits_scene.h"
#include "views/timeline/timeline_workflow_scene.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace skein {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kPanStep = 0.15;      ///< of the visible time
constexpr double kScrollStep = 60;     ///< logical pixels a turn of the wheel

double turnsOf(int eighths) { return eighths / 120.0; }

}  // namespace

Point TimelineView::toDevice(const QPointF& position) const
{
    const double ratio = devicePixelRatioF();
    return {position.x() * ratio, position.y() * ratio};
}

TimeNs TimelineView::timeAt(const QPointF& position) const
{
    const TimeSpan span = layout_.scale.span;
    return std::clamp(layout_.scale.toTime(toDevice(position).x), span.begin, span.end);
}

Hover TimelineView::hitAt(const QPointF& position) const
{
    if (!data_ || layout_.rows.empty()) return {};
    static const VisibleMessages none;
    const bool current = picture_ && picture_->layout.scale.span == layout_.scale.span;
    const SceneFonts fonts(font(), options_.scale);
    return timelineHit(*data_, selection().state(), options_, layout_, current ? picture_->messages : none,
                       QtTextMeasure(fonts), toDevice(position));
}

void TimelineView::paintText(QPainter& painter, const QString& text) const
{
    painter.setPen(toQColor(options_.theme.secondaryText));
    painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, text);
}

/// The old picture is moved to where its time and rows are now; ruler and body together, labels only vertically.
void TimelineView::paintPicture(QPainter& painter) const
{
    const Picture& old = *picture_;
    const double ratio = devicePixelRatioF();
    painter.save();
    painter.scale(1 / ratio, 1 / ratio);
    if (old.frame == presentFrame()) {
        painter.drawImage(0, 0, old.image);
    } else {
        const double from = layout_.scale.toX(old.layout.scale.span.begin);
        const double to = layout_.scale.toX(old.layout.scale.span.end);
        const double stretch = old.layout.contentHeight > 0 ? layout_.contentHeight / old.layout.contentHeight : 1;
        const double top = layout_.body.y - options_.scrollY + old.frame.options.scrollY * stretch;
        const auto part = [&](const Rect& source, double x, double y, double width, double height) {
            painter.drawImage(QRectF(x, y, width, height), old.image, QRectF(source.x, source.y, source.width, source.height));
        };
        part(old.layout.ruler, from, layout_.ruler.y, to - from, layout_.ruler.height);
        painter.setClipRect(QRectF(0, layout_.body.y, layout_.body.right(), layout_.body.height));
        part(old.layout.body, from, top, to - from, old.layout.body.height * stretch);
        part(old.layout.labels, 0, top, layout_.labels.width, old.layout.labels.height * stretch);
        painter.setClipping(false);
        part(old.layout.corner, 0, layout_.corner.y, layout_.corner.width, layout_.corner.height);
    }
    painter.restore();
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const bool complete = picture_ && picture_->frame == presentFrame();
    if (!complete) painter.fillRect(rect(), toQColor(options_.theme.background));
    if (!data_) return paintText(painter, preparing_ ? tr("Preparing the timeline …")
                                                     : tr("Open an archive, or drop one here, to see what happened when."));
    if (picture_) paintPicture(painter);
    const SceneFonts fonts(font(), options_.scale);
    paintDrawList(painter, timelineOverlay(*data_, selection().state(), options_, layout_, QtTextMeasure(fonts)), fonts);
    if (!hasFocus() || !QApplication::activeWindow()) return;
    painter.setPen(toQColor(options_.theme.accent));
    painter.drawLine(0, 0, width(), 0);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    layoutAgain();
    refresh();
}

void TimelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        options_.theme = themeFor(palette());
        layoutAgain();
        refresh();
    }
    View::changeEvent(event);
}

bool TimelineView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !data_) return View::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    const Hover hit = hitAt(help->pos());
    std::vector<std::string> lines = timelineTooltip(*data_, hit);
    if (options_.waits && !hit.message.valid())
        if (std::string wait = waitTooltip(*data_, *options_.waits, hit.interval); !wait.empty()) lines.push_back(std::move(wait));
    if (options_.io && hit.time && !hit.message.valid())
        if (std::string io = ioTooltip(*data_, *options_.io, hit.location, *hit.time); !io.empty()) lines.push_back(std::move(io));
    if (const auto handOver = handOverAt(*data_, options_, layout_, toDevice(help->pos())))
        lines = handOverTooltip(*data_, options_.handOvers->handOvers[*handOver]);
    for (const std::string& line : lines) text += (text.isEmpty() ? "" : "\n") + QString::fromStdString(line);
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint eighths = event->angleDelta();
    const Point at = toDevice(event->position());
    const double vertical = turnsOf(eighths.y() != 0 ? eighths.y() : eighths.x());
    if (event->modifiers() & Qt::ControlModifier) zoom(std::pow(kZoomStep, -vertical), at.x);
    else if (event->modifiers() & Qt::ShiftModifier) setRowZoom(std::pow(kZoomStep, vertical), at.y);
    else {
        if (eighths.x() != 0) panBy(-turnsOf(eighths.x()) * kScrollStep * options_.scale);
        if (eighths.y() != 0) scrollBy(-turnsOf(eighths.y()) * kScrollStep * options_.scale);
    }
    event->accept();
}

bool TimelineView::pressPlainKey(int key)
{
    const double pan = layout_.body.width * kPanStep;
    const double at = pointer_ ? toDevice(*pointer_).x : layout_.body.x + layout_.body.width / 2;
    switch (key) {
    case Qt::Key_W: zoom(1 / kZoomStep, at); return true;
    case Qt::Key_S: zoom(kZoomStep, at); return true;
    case Qt::Key_A:
    case Qt::Key_Left: panBy(-pan); return true;
    case Qt::Key_D:
    case Qt::Key_Right: panBy(pan); return true;
    case Qt::Key_Up: scrollBy(-kScrollStep * options_.scale); return true;
    case Qt::Key_Down: scrollBy(kScrollStep * options_.scale); return true;
    case Qt::Key_PageUp: scrollBy(-layout_.body.height * 0.9); return true;
    case Qt::Key_PageDown: scrollBy(layout_.body.height * 0.9); return true;
    case Qt::Key_Z:
    case Qt::Key_Enter:
    case Qt::Key_Return: zoomToBrush(); return true;
    case Qt::Key_F: zoomToSelection(); return true;
    case Qt::Key_Home: showEverything(); return true;
    case Qt::Key_P:
        for (const LocationRef& location : selection().state().selected.locations)
            arrange(withPinToggled(selection().state().rows, location));
        return true;
    case Qt::Key_Period: stepCall(Direction::Forward); return true;
    case Qt::Key_Comma: stepCall(Direction::Backward); return true;
    case Qt::Key_O: goToOtherEnd(); return true;
    case Qt::Key_M: pinMark(selection(), this); return true;
    case Qt::Key_Backspace: selection().goBack(); return true;
    default: return false;
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (modifiers == Qt::NoModifier && event->key() == Qt::Key_Escape) {
        if (selection().state().brushed) selection().setBrushed(std::nullopt, this);
        else selection().setSelected({}, this);
        return refresh();
    }
    if (modifiers == Qt::NoModifier && pressPlainKey(event->key())) return;
    if (modifiers == Qt::ShiftModifier && event->key() == Qt::Key_M) return pinMarkWithNote(selection(), this);
    if (modifiers == Qt::AltModifier && event->key() == Qt::Key_Left) return selection().goBack();
    if (modifiers == Qt::AltModifier && event->key() == Qt::Key_Right) return selection().goForward();
    View::keyPressEvent(event);
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (!data_) return;
    pressed_ = last_ = event->position();
    dragged_ = false;
    panRest_ = 0;
    const bool middle = event->button() == Qt::MiddleButton;
    const bool left = event->button() == Qt::LeftButton;
    if (middle || (left && event->modifiers() & Qt::ShiftModifier)) drag_ = Drag::Pan;
    else if (left && toDevice(pressed_).x >= layout_.body.x) drag_ = Drag::Brush;
    else if (left) drag_ = Drag::Row;
    brushFrom_ = timeAt(pressed_);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    pointer_ = event->position();
    if (drag_ != Drag::None && !dragged_)
        dragged_ = (event->position() - pressed_).manhattanLength() >= QApplication::startDragDistance() / 2.0;
    if (dragged_ && drag_ == Drag::Brush) dragBrush(event->position());
    if (dragged_ && drag_ == Drag::Pan) dragPan(event->position());
    if (drag_ == Drag::Pan || (dragged_ && drag_ == Drag::Row)) setCursor(Qt::ClosedHandCursor);
    else selection().setHover(hitAt(event->position()), this);
    update();
}

void TimelineView::dragBrush(const QPointF& position)
{
    const TimeNs now = timeAt(position);
    selection().setBrushed(TimeSpan{std::min(now, brushFrom_), std::max(now, brushFrom_)}, this);
}

void TimelineView::dragPan(const QPointF& position)
{
    const double ratio = devicePixelRatioF();
    panBy((last_.x() - position.x()) * ratio);
    if (layout_.maximumScroll > 0) scrollBy((last_.y() - position.y()) * ratio);
    last_ = position;
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool click = event->button() == Qt::LeftButton && !dragged_ && data_ && drag_ != Drag::Pan;
    const bool drop = dragged_ && drag_ == Drag::Row && data_;
    drag_ = Drag::None;
    dragged_ = false;
    unsetCursor();
    if (drop) return dropRow(event->position());
    const auto row = click ? rowAt(event->position()) : std::nullopt;
    const bool onNames = toDevice(event->position()).x < layout_.body.x;
    if (row && row->kind != TimelineRowKind::Location && (isHeader(*row) || onNames)) return toggleGroup(row->group);
    if (click) select(hitAt(event->position()), event->modifiers());
}

void TimelineView::select(const Hover& hit, Qt::KeyboardModifiers modifiers)
{
    Selection chosen;
    if (hit.message.valid()) chosen = skein::select(data_->session, hit.message);
    else if (hit.interval.valid()) chosen = skein::select(data_->session, hit.interval);
    else if (hit.location.valid()) chosen = skein::select(data_->session, hit.location);
    if (modifiers & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    else if (chosen.empty()) selection().setBrushed(std::nullopt, this);
    selection().setSelected(chosen, this);
    refresh();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const Point at = toDevice(event->position());
    if (layout_.ruler.contains(at) || layout_.corner.contains(at)) return showEverything();
    mousePressEvent(event);
}

void TimelineView::leaveEvent(QEvent*)
{
    pointer_.reset();
    selection().setHover({}, this);
    update();
}

std::vector<KeyHint> TimelineView::keyHints() const
{
    return {{tr("Ctrl+wheel, W / S"), tr("Zoom in and out at the pointer")},
            {tr("A / D, arrows, Shift+drag, middle drag"), tr("Move along the time")},
            {tr("Wheel, Page Up / Down"), tr("Scroll through the rows")},
            {tr("Shift+wheel"), tr("Height of the rows")},
            {tr("Drag"), tr("Mark a span; its length is shown")},
            {tr("Click on a group's name"), tr("Collapse the group to one row, or expand it")},
            {tr("Drag a location's name"), tr("Move its row to another place")},
            {tr("P"), tr("Pin the selected location's row to the top, or let it go")},
            {tr("Enter, Z"), tr("Zoom to the marked span")},
            {tr("F"), tr("Zoom to the selection")},
            {tr("M, Shift+M"), tr("Mark the span, or the moment under the pointer; with a note")},
            {tr(". and ,"), tr("Next and previous call of the selected call's region")},
            {tr("O"), tr("The other end of the selected message, or of the selected call's")},
            {tr("Home, double click on the ruler"), tr("Show the whole time")},
            {tr("Backspace, Alt+Left / Right"), tr("Earlier and later views")},
            {tr("Click, Ctrl+click"), tr("Select a call or a message; add it to the selection")},
            {tr("Right click"), tr("Filter in or out what is under the pointer, and more")},
            {tr("Esc"), tr("Clear the span, then the selection")}};
}

}  // namespace skein
