// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flame/flame_canvas.h"

#include "core/select/translate.h"
#include "core/session/experiment_titles.h"
#include "views/common/selection_model.h"
#include "views/common/source_opener.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace skein {

FlameCanvas::FlameCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the flame graph"), parent)
{
    setObjectName("flame.canvas");
    setAccessibleName(tr("Flame graph"));
    setAccessibleDescription(tr("Bars as wide as what calls took, on the bars of their callers. The call "
                                "tree is the same as a table."));
    setFocusPolicy(Qt::StrongFocus);
}

void FlameCanvas::setSession(SessionPtr session)
{
    session_ = std::move(session);
    options_.focus = kNoFrame;
    options_.scroll = 0;
    setFlame(nullptr, {});
}

void FlameCanvas::setFlame(FlamePtr flame, const QString& message)
{
    // The frame that fills the width stays the same call path.
    const bool same =
        flame && flame_ && flame->order == flame_->order && options_.focus < flame_->frames.size();
    const std::size_t row = same ? flame_->frames[options_.focus].row : 0;
    const bool keeps = same && flame->rows.rows.size() == flame_->rows.rows.size();
    options_.focus = keeps ? flame->frameOf(row) : kNoFrame;
    flame_ = std::move(flame);
    timeline_.reset();
    message_ = message;
    scrollBy(0);
}

void FlameCanvas::setTimeline(TimelineDataPtr timeline, TimeSpan span, const QString& message)
{
    timeline_ = std::move(timeline);
    flame_.reset();
    span_ = span;
    message_ = message;
    redraw();
}

void FlameCanvas::redraw()
{
    hits_.reset();
    SceneView::redraw();
}

void FlameCanvas::setRoot(FlameRoot root)
{
    options_.root = root;
    options_.scroll = 0;
    redraw();
}

void FlameCanvas::setSearch(const std::string& text)
{
    options_.search = text;
    redraw();
}

FlameLayout FlameCanvas::sceneLayout() const
{
    if (!flame_) return {};
    return onCanvas([this](const Canvas& canvas) { return flameLayout(*flame_, options_, canvas); });
}

FlameTimeOptions FlameCanvas::timeOptions() const
{
    return {flameLocation(*timeline_, selection().state()), span_, options_};
}

SceneView::Maker FlameCanvas::maker() const
{
    if (timeline_) {
        const FlameTimeOptions options = timeOptions();
        if (!options.location.valid() || options.span.end <= options.span.begin) return {};
        return
            [data = timeline_, state = selection().state(), options](const Canvas& canvas, const Task& task) {
                return flameTimeScene(*data, state, options, canvas, task);
            };
    }
    if (!flame_ || flame_->frames.empty()) return {};
    return [flame = flame_, selected = selection().state().selected, options = options_](
               const Canvas& canvas, const Task&) { return flameScene(*flame, selected, options, canvas); };
}

std::string FlameCanvas::caption() const
{
    std::string text;
    if (!session_) return text;
    for (const std::string& title : experimentTitles(*session_)) text += (text.empty() ? "" : ", ") + title;
    return text;
}

HitId FlameCanvas::timeHitAt(Point point) const
{
    const Maker make = maker();
    if (!timeline_ || !make) return {};
    if (!hits_) hits_ = onCanvas([&make](const Canvas& canvas) { return make(canvas, Task()); });
    return hitTest(*hits_, point);
}

std::vector<std::string> FlameCanvas::toolTipAt(Point point) const
{
    if (timeline_) return flameTimeTooltip(*timeline_, timeHitAt(point));
    if (!flame_) return {};
    const auto frame = frameAt(*flame_, options_, sceneLayout(), point);
    return frame ? frameTooltip(*flame_, *frame) : std::vector<std::string>();
}

void FlameCanvas::selectFrame(std::uint32_t frame, Qt::KeyboardModifiers modifiers)
{
    const auto refs = callPathsOf(flame_->rows, flame_->frames[frame].row);
    Selection chosen;
    if (!refs.empty()) chosen = skein::select(*session_, refs);
    const bool adds = modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
    selection().setSelected(adds ? united(selection().state().selected, chosen) : chosen, this);
    redraw();
}

void FlameCanvas::choose(Point point, Qt::KeyboardModifiers modifiers)
{
    if (!session_) return;
    if (timeline_) {
        const HitId hit = timeHitAt(point);
        Selection chosen;
        if (hit.kind == 2)
            chosen = skein::select(*session_, CallPathRef{hit.experiment, CallPathId(hit.item)});
        if (hit.kind == 2) chosen.locations = {timeOptions().location};
        selection().setSelected(chosen, this);
        return redraw();
    }
    if (!flame_) return;
    if (const auto frame = frameAt(*flame_, options_, sceneLayout(), point))
        return selectFrame(*frame, modifiers);
    selection().setSelected({}, this);
    redraw();
}

void FlameCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return SceneView::mousePressEvent(event);
    choose(toDevice(event->position()), event->modifiers());
}

void FlameCanvas::zoomTo(std::uint32_t frame)
{
    options_.focus = frame;
    redraw();
}

void FlameCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !flame_) return;
    const auto frame = frameAt(*flame_, options_, sceneLayout(), toDevice(event->position()));
    if (frame) zoomTo(*frame);
}

void FlameCanvas::zoomOut()
{
    if (flame_ && options_.focus < flame_->frames.size()) zoomTo(flame_->frames[options_.focus].parent);
}

std::optional<std::uint32_t> FlameCanvas::selectedFrame() const
{
    if (!flame_) return std::nullopt;
    for (const CallPathRef& ref : selection().state().selected.callPaths) {
        const std::int64_t row = flame_->rows.rowOf(ref.experiment, ref.id);
        if (row < 0) continue;
        const std::uint32_t frame = flame_->frameOf(static_cast<std::size_t>(row));
        if (frame != kNoFrame) return frame;
    }
    return std::nullopt;
}

void FlameCanvas::zoomToSelected()
{
    if (const auto frame = selectedFrame()) zoomTo(*frame);
    else selection().say(tr("Select a frame to zoom to it."));
}

void FlameCanvas::openSource()
{
    if (!session_) return;
    const auto& regions = selection().state().selected.regions;
    selection().say(openSourceOf(*session_, regions.empty() ? RegionRef() : regions.front()));
}

void FlameCanvas::scrollBy(double devicePixels)
{
    const double most = flame_ ? sceneLayout().maximumScroll : 1e9;
    options_.scroll = std::clamp(options_.scroll + devicePixels, 0.0, most);
    redraw();
}

void FlameCanvas::wheelEvent(QWheelEvent* event)
{
    const double turns = event->angleDelta().y() / 120.0;
    scrollBy((options_.root == FlameRoot::Top ? -1 : 1) * turns * 60.0 * devicePixelRatioF());
    event->accept();
}

/// Towards the root and away from it, and to neighbours of the same depth.
void FlameCanvas::step(int key)
{
    const auto now = selectedFrame();
    if (!flame_ || flame_->frames.empty()) return;
    if (!now) return selectFrame(0, {});
    const auto& frames = flame_->frames;
    const bool outwards = (key == Qt::Key_Up) == (options_.root == FlameRoot::Top);
    std::uint32_t found = kNoFrame;
    if ((key == Qt::Key_Up || key == Qt::Key_Down) && outwards) found = frames[*now].parent;
    else {
        for (std::uint32_t frame = 0; frame < frames.size(); ++frame) {
            const FlameFrame& one = frames[frame];
            const bool below = (key == Qt::Key_Up || key == Qt::Key_Down) && one.parent == *now;
            const bool right =
                key == Qt::Key_Right && one.depth == frames[*now].depth && one.begin > frames[*now].begin;
            const bool left =
                key == Qt::Key_Left && one.depth == frames[*now].depth && one.begin < frames[*now].begin;
            if (!below && !right && !left) continue;
            const bool nearer = found == kNoFrame
                || (below ? one.width > frames[found].width
                          : (right ? one.begin < frames[found].begin : one.begin > frames[found].begin));
            if (nearer) found = frame;
        }
    }
    if (found != kNoFrame) selectFrame(found, {});
}

void FlameCanvas::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: return step(event->key());
    case Qt::Key_Return:
    case Qt::Key_Enter: return zoomToSelected();
    case Qt::Key_Backspace: return zoomOut();
    case Qt::Key_Home: return zoomTo(kNoFrame);
    case Qt::Key_PageDown: return scrollBy(height() * devicePixelRatioF() / 2);
    case Qt::Key_PageUp: return scrollBy(-height() * devicePixelRatioF() / 2);
    case Qt::Key_Escape: selection().setSelected({}, this); return redraw();
    default: SceneView::keyPressEvent(event);
    }
}

void FlameCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    choose(toDevice(event->pos()), {});
    Q_EMIT menuWanted(event->globalPos());
}

}  // namespace skein
