// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/time_frame.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kNarrowestLabels = 48;  ///< logical pixels
constexpr double kWidestLabels = 0.2;    ///< of the picture

/// Draws what lies over a body of time.
class TimeOverlay {
public:
    TimeOverlay(DrawList& list, const ViewState& state, const TimeFrame& frame, const Canvas& canvas)
        : list_(list),
          state_(state),
          theme_(canvas.theme()),
          frame_(frame),
          canvas_(canvas),
          line_(canvas.px(1))
    {
    }

    void draw()
    {
        drawMarks();
        drawBrush();
        drawPointerTime();
    }

private:
    double x(TimeNs time) const { return frame_.scale.toX(time); }

    /// Lines at the marks, their spans tinted; at their heads as many notes as have room.
    void drawMarks()
    {
        const Rect& body = frame_.body;
        double free = body.x;
        for (const Mark& mark : state_.marks) {
            const double from = x(mark.span.begin);
            const double to = x(mark.span.end);
            if (to < body.x || from >= body.right()) continue;
            const double left = std::clamp(from, body.x, body.right());
            const double right = std::clamp(to, body.x, body.right());
            if (right - left >= 1)
                list_.fillRect({left, body.y, right - left, body.height}, withAlpha(theme_.text, 18));
            for (const double at : {from, to})
                if (at >= body.x && at < body.right())
                    list_.fillRect({std::floor(at), body.y, line_, body.height}, withAlpha(theme_.text, 150));
            drawNote(mark, left, free);
        }
    }

    void drawNote(const Mark& mark, double left, double& free)
    {
        const Rect& body = frame_.body;
        const double pad = canvas_.px(5);
        const double height = std::round(canvas_.lineHeight() + canvas_.px(4));
        std::string text = mark.note;
        if (text.empty())
            text = mark.span.lengthNs() > 0 ? formatDuration(static_cast<double>(mark.span.lengthNs()))
                                            : exactTime(mark.span.begin);
        const double most = std::min(body.right() - left, canvas_.px(240)) - 2 * pad;
        text = elideMiddle(text, most, FontStyle::Small, canvas_.measure);
        if (text.empty() || left < free) return;
        const Rect box{std::round(left), body.bottom() - frame_.notesHeight - height,
                       std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 2 * pad, height};
        list_.fillRect(box, theme_.tooltip);
        list_.strokeRect(box, withAlpha(theme_.text, 150), line_);
        list_.text({box.x + pad, box.y, box.width - 2 * pad + 1, box.height}, text, theme_.tooltipText,
                   FontStyle::Small);
        free = box.right() + line_;
    }

    void drawBrush()
    {
        if (!state_.brushed) return;
        const Rect& body = frame_.body;
        if (x(state_.brushed->end) < body.x || x(state_.brushed->begin) > body.right()) return;
        const double from = std::clamp(x(state_.brushed->begin), body.x, body.right());
        const double to = std::clamp(x(state_.brushed->end), body.x, body.right());
        const double top = frame_.ruler.y;
        // Where all that is seen is marked the ruler tells it: data keeps its colours.
        const bool everything = from <= body.x && to >= body.right();
        const double width = std::max(to - from, line_);
        const bool allRows = frame_.markedRows.empty();
        list_.fillRect({from, top, width, (everything || !allRows ? body.y : body.bottom()) - top},
                       theme_.selectionFill);
        for (const auto& [rowTop, rowBottom] : frame_.markedRows) {
            const double above = std::max(rowTop, body.y), below = std::min(rowBottom, body.bottom());
            if (above < below) list_.fillRect({from, above, width, below - above}, theme_.selectionFill);
        }
        list_.fillRect({std::floor(from), top, line_, body.bottom() - top}, theme_.accent);
        list_.fillRect({std::floor(to), top, line_, body.bottom() - top}, theme_.accent);
        drawDuration(from, to);
    }

    /// Just below the ruler, so that its labels stay readable; over the span where it fits and beside it
    /// where not.
    void drawDuration(double from, double to)
    {
        const std::string text = formatDuration(static_cast<double>(state_.brushed->lengthNs()));
        const double width = std::round(canvas_.measure.width(text, FontStyle::Bold) + canvas_.px(16));
        const Rect& body = frame_.body;
        double left = (from + to - width) / 2;
        if (to - from < width) left = to + width < body.right() ? to : from - width;
        left = std::clamp(left, body.x, std::max(body.x, body.right() - width));
        const double height = std::round(canvas_.lineHeight(FontStyle::Bold) + canvas_.px(6));
        const Rect box{std::round(left), body.y + canvas_.px(4), width, height};
        list_.items.push_back(RectItem{box, theme_.accent, {0, 0, 0, 0}, 1, canvas_.px(3), {}});
        list_.text(box, text, theme_.accentText, FontStyle::Bold, Align::Center);
    }

    void drawPointerTime()
    {
        if (!state_.hover.time) return;
        const double at = x(*state_.hover.time);
        if (at < frame_.body.x || at >= frame_.body.right()) return;
        const double tick = canvas_.px(6);
        list_.fillRect({std::floor(at), frame_.ruler.bottom() - tick, line_, tick}, theme_.accent);
        list_.fillRect({std::floor(at), frame_.body.y, line_, frame_.body.height},
                       withAlpha(theme_.hover, 60));
    }

    DrawList& list_;
    const ViewState& state_;
    const Theme& theme_;
    const TimeFrame& frame_;
    const Canvas& canvas_;
    double line_;
};

}  // namespace

double timeLabelsWidth(const TimelineData& data, double width, double scale, const TextMeasure& measure)
{
    const double longest = measure.width(data.longestLabel, FontStyle::Small) + 32 * scale;
    return std::ceil(std::min(std::max(longest, kNarrowestLabels * scale), width * kWidestLabels));
}

TimeFrame timeFrame(const TimelineData& data, const ViewState& state, double top, const Canvas& canvas)
{
    const double labels = timeLabelsWidth(data, canvas.width, canvas.style.scale, canvas.measure);
    const double height = std::round(canvas.lineHeight() + canvas.px(12));
    const double width = std::max(1.0, canvas.width - labels);
    const double below = top + height;
    TimeFrame frame;
    frame.corner = {0, top, labels, height};
    frame.ruler = {labels, top, width, height};
    frame.labels = {0, below, labels, std::max(0.0, canvas.height - below)};
    frame.body = {labels, below, width, std::max(0.0, canvas.height - below)};
    frame.scale = {visibleSpan(data, state), labels, width};
    return frame;
}

void drawTimeRuler(DrawList& list, const TimeFrame& frame, const TimeAxis& axis, const Canvas& canvas)
{
    const Theme& theme = canvas.theme();
    const Rect& ruler = frame.ruler;
    const Rect& corner = frame.corner;
    const double line = canvas.px(1);
    list.fillRect({corner.x, ruler.y, corner.width + ruler.width, ruler.height}, theme.panel);
    list.pushClip(ruler);
    for (const AxisTick& tick : axis.ticks) {
        const double length = canvas.px(tick.label.empty() ? 4 : 9);
        const Color color = tick.label.empty() ? theme.frame : theme.secondaryText;
        list.fillRect({std::floor(tick.x), ruler.bottom() - length, line, length}, color);
        const double width = canvas.measure.width(tick.label, FontStyle::Small);
        const double x = tick.x + canvas.px(4);
        if (x + width <= ruler.right())
            list.text({x, ruler.y, width + 1, ruler.height}, tick.label, theme.text, FontStyle::Small);
    }
    list.popClip();
    const double pad = canvas.px(8);
    const Rect box{corner.x + pad, corner.y, corner.width - 2 * pad, corner.height};
    const std::string text = axis.base.empty() ? std::string("Time") : fmt::format("{} +", axis.base);
    list.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas.measure), theme.secondaryText,
              FontStyle::Small, Align::Right);
    list.fillRect({std::floor(corner.right() - 1), corner.y, line, corner.height}, theme.frame);
    list.fillRect({corner.x, ruler.bottom() - 1, corner.width + ruler.width, 1}, theme.frame);
}

void drawTimeOverlay(DrawList& list, const ViewState& state, const TimeFrame& frame, const Canvas& canvas)
{
    TimeOverlay(list, state, frame, canvas).draw();
}

const Mark* markAt(const ViewState& state, const TimeFrame& frame, Point point, double scale)
{
    if (point.x < frame.body.x || point.y < frame.ruler.y) return nullptr;
    const Mark* nearest = nullptr;
    double least = 4 * scale;
    for (const Mark& mark : state.marks) {
        const double distance = std::min(std::abs(point.x - frame.scale.toX(mark.span.begin)),
                                         std::abs(point.x - frame.scale.toX(mark.span.end)));
        if (distance > least) continue;
        least = distance;
        nearest = &mark;
    }
    return nearest;
}

}  // namespace skein
