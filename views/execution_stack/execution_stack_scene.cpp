// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/execution_stack/execution_stack_scene.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/scene/axes/time_window.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kStackContextPx = 34, kHighestLevelPx = 26, kLowestLevelPx = 2, kPeerRowPx = 18;
constexpr double kNamedCallPx = 30, kOutlinedCallPx = 5;
constexpr double kPeersShare = 0.4;  ///< of the height of a band, at most

std::string stackTitle(const ExecutionStackData& data, const StackedExecution& execution)
{
    std::string text = fmt::format("{}, {} from {}", callTitle(*data.session, execution.of),
                                   formatDuration(static_cast<double>(execution.span.lengthNs())),
                                   formatDuration(static_cast<double>(execution.span.begin)));
    if (execution.messages.size() < execution.allMessages)
        text += fmt::format(" · {} of {} messages",
                            formatGrouped(static_cast<std::int64_t>(execution.messages.size())),
                            formatGrouped(static_cast<std::int64_t>(execution.allMessages)));
    return text;
}

std::size_t peerRows(const StackedExecution& execution)
{
    return execution.peers.size() + (execution.otherPeers ? 1 : 0);
}

/// Where there is room for all.
double bandHeight(const StackedExecution& execution, const Canvas& canvas)
{
    const auto peers = static_cast<double>(peerRows(execution));
    return canvas.lineHeight(FontStyle::Bold) + execution.levels * canvas.px(kHighestLevelPx)
        + peers * canvas.px(kPeerRowPx) + canvas.px(peers > 0 ? 28 : 18);
}

StackBand stackBand(const StackedExecution& execution, const Rect& room, const Canvas& canvas)
{
    StackBand band;
    const double title = canvas.lineHeight(FontStyle::Bold) + canvas.px(2);
    band.title = {canvas.px(8), room.y, room.right() - canvas.px(16), title};
    const double below = std::max(1.0, room.height - title - canvas.px(6));
    const auto peers = static_cast<double>(peerRows(execution));
    double forPeers =
        std::min(peers * canvas.px(kPeerRowPx),
                 std::floor(below * std::max(kPeersShare, peers / (peers + 2.0 * execution.levels))));
    if (peers > 0 && forPeers / peers < canvas.px(3)) forPeers = 0;
    const double gap = forPeers > 0 ? canvas.px(10) : 0;
    const double levels = execution.levels;
    band.rowHeight = std::clamp(std::floor((below - forPeers - gap) / levels), canvas.px(kLowestLevelPx),
                                canvas.px(kHighestLevelPx));
    const double high = std::min(below - forPeers - gap, band.rowHeight * levels);
    band.calls = {room.x, room.y + title, room.width, std::max(1.0, high)};
    band.peers = {room.x, band.calls.bottom() + gap, room.width, forPeers};
    band.peerHeight = peers > 0 ? forPeers / peers : 1;
    return band;
}

/// Pixels of a call in a band; nullopt: not in the window.
std::optional<Rect> stackBar(const ExecutionStackLayout& layout, const StackBand& band,
                             const StackedExecution& execution, const CallIntervals& calls,
                             std::uint32_t call)
{
    const double from = layout.focus.toX(calls.begin[call] - execution.span.begin);
    const double to = layout.focus.toX(calls.end[call] - execution.span.begin);
    if (to < layout.body.x || from >= layout.body.right()) return std::nullopt;
    const double level = calls.depth[call] - calls.depth[execution.of.index];
    const double left = std::max(layout.body.x, std::floor(from));
    return Rect{left, band.calls.y + level * band.rowHeight,
                std::max(1.0, std::min(layout.body.right(), std::ceil(to)) - left), band.rowHeight};
}

Point stackEnd(const ExecutionStackLayout& layout, const StackBand& band, const StackMessage& message,
               bool here)
{
    if (here)
        return {layout.focus.toX(message.time),
                std::min(band.calls.y + (message.level + 0.5) * band.rowHeight, band.calls.bottom() - 1)};
    return {layout.focus.toX(message.otherTime), band.peerY(message.peer)};
}

class StackPainter {
public:
    StackPainter(const ExecutionStackData& data, const std::optional<TimeSpan>& window,
                 const ViewState& state, const Canvas& canvas)
        : data_(data),
          state_(state),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(executionStackLayout(data, window, canvas)),
          palettes_(palettesOf(RegionGroups(*data.session, state.grouping), canvas.theme()))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        drawRuler();
        for (std::size_t i = 0; i < layout_.bands.size() && !task.stopRequested(); ++i) {
            const StackBand& band = layout_.bands[i];
            const StackedExecution& execution = data_.executions[i];
            list_.text(
                band.title,
                elideMiddle(stackTitle(data_, execution), band.title.width, FontStyle::Bold, canvas_.measure),
                theme_.text, FontStyle::Bold);
            drawPeerRows(band, execution);
            drawCalls(band, execution, task);
            drawMessages(band, execution);
        }
        if (!task.stopRequested()) drawContext(task);
        return std::move(list_);
    }

private:
    Color colorOfCall(const StackedExecution& execution, const CallIntervals& calls, std::uint32_t call) const
    {
        const Experiment& experiment = *data_.session->experiments[execution.of.experiment];
        const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[call]));
        return region.valid() ? palettes_[execution.of.experiment].color(region) : theme_.secondaryText;
    }

    void drawRuler()
    {
        const TimeAxis axis = timeAxis(layout_.focus, FontStyle::Small, canvas_.measure);
        const double line = canvas_.lineHeight();
        const std::string from = axis.base.empty() ? "begin +" : axis.base + " +";
        list_.text(
            {canvas_.px(8), layout_.ruler.y, layout_.labels.width - canvas_.px(12), line},
            elideMiddle(from, layout_.labels.width - canvas_.px(12), FontStyle::Small, canvas_.measure),
            theme_.secondaryText, FontStyle::Small);
        for (const AxisTick& tick : axis.ticks) {
            if (tick.label.empty()) continue;
            list_.fillRect({std::floor(tick.x), layout_.body.y, canvas_.px(1), layout_.body.height},
                           theme_.grid);
            const double width = std::ceil(canvas_.measure.width(tick.label, FontStyle::Small)) + 1;
            const double left = std::clamp(tick.x - width / 2, layout_.ruler.x,
                                           std::max(layout_.ruler.x, layout_.ruler.right() - width));
            list_.text({left, layout_.ruler.y, width, line}, tick.label, theme_.secondaryText,
                       FontStyle::Small);
        }
    }

    void drawPeerRows(const StackBand& band, const StackedExecution& execution)
    {
        if (band.peers.empty()) return;
        const double line = canvas_.lineHeight(), pad = canvas_.px(8);
        double free = band.peers.y - line;
        for (std::uint32_t peer = 0; peer < peerRows(execution); ++peer) {
            const double y = band.peerY(peer);
            list_.fillRect({band.peers.x, std::floor(y), band.peers.width, canvas_.px(1)}, theme_.grid);
            if (y - line / 2 < free) continue;
            const double width = layout_.labels.width - pad - canvas_.px(4);
            list_.text(
                {pad, y - line / 2, width, line},
                elideMiddle(stackPeerName(data_, execution, peer), width, FontStyle::Small, canvas_.measure),
                theme_.secondaryText, FontStyle::Small, Align::Right);
            free = y + line / 2;
        }
        list_.text({pad, band.calls.y, layout_.labels.width - pad - canvas_.px(4), line}, "Stack",
                   theme_.secondaryText, FontStyle::Small, Align::Right);
    }

    /// A pixel of a level is drawn once.
    void drawCalls(const StackBand& band, const StackedExecution& execution, const Task& task)
    {
        const CallIntervals& calls = callsOfStack(data_, execution);
        std::vector<double> drawnTo(execution.levels, -1.0);
        list_.pushClip(band.calls);
        for (std::uint32_t call = execution.of.index; call < execution.end; ++call) {
            if (call % kCallsBetweenQuestions == 0 && task.stopRequested()) break;
            const auto bar = stackBar(layout_, band, execution, calls, call);
            if (!bar) continue;
            const auto level = static_cast<std::size_t>(calls.depth[call] - calls.depth[execution.of.index]);
            const AnomalyLabel label =
                labelOf(execution.odd, {execution.of.experiment, execution.of.location, call});
            const bool odd = label == AnomalyLabel::Anomaly;
            if (bar->right() <= drawnTo[level] && !odd) continue;
            drawnTo[level] = std::max(drawnTo[level], bar->right());
            drawCall(execution, calls, call, *bar, odd);
        }
        list_.popClip();
    }

    void drawCall(const StackedExecution& execution, const CallIntervals& calls, std::uint32_t call, Rect bar,
                  bool odd)
    {
        const Color color = colorOfCall(execution, calls, call);
        const bool low = bar.height < canvas_.px(4);
        if (!low) bar.height -= canvas_.px(1);
        if (odd) bar.width = std::max(bar.width, canvas_.px(3));
        const IntervalRef reference{execution.of.experiment, execution.of.location, call};
        const auto& chosen = state_.selected.intervals;
        const bool selected =
            call != execution.of.index && std::binary_search(chosen.begin(), chosen.end(), reference);
        const bool outlined = bar.width >= canvas_.px(kOutlinedCallPx) && !low;
        Color edge = outlined ? mix(color, theme_.background, 0.45) : color;
        if (odd) edge = theme_.text;
        if (selected) edge = theme_.accent;
        list_.items.push_back(RectItem{bar, color, edge, canvas_.px(odd || selected ? 2 : 1), 0, {}});
        const double pad = canvas_.px(4), width = bar.width - 2 * pad;
        if (bar.width < canvas_.px(kNamedCallPx) || bar.height < canvas_.lineHeight() - 1) return;
        const Session& session = *data_.session;
        const RegionRef region = regionOf(session, callPathOf(session, reference));
        if (!region.valid()) return;
        const std::string text =
            elideName(displayName(session.experiments[region.experiment]->definitions.region(region.id)),
                      width, FontStyle::Small, canvas_.measure);
        list_.text({bar.x + pad, bar.y, width, bar.height}, text, textColorOn(color), FontStyle::Small);
    }

    void drawMessages(const StackBand& band, const StackedExecution& execution)
    {
        if (band.peers.empty()) return;
        list_.pushClip(
            {layout_.body.x, band.calls.y, layout_.body.width, band.peers.bottom() - band.calls.y});
        const auto& chosen = state_.selected.messages;
        for (const StackMessage& message : execution.messages) {
            const Point here = stackEnd(layout_, band, message, true),
                        there = stackEnd(layout_, band, message, false);
            if (std::max(here.x, there.x) < layout_.body.x
                || std::min(here.x, there.x) > layout_.body.right())
                continue;
            const bool selected = std::binary_search(chosen.begin(), chosen.end(), message.message);
            const Color color = selected ? theme_.messageSelected : theme_.message;
            list_.line(here, there, color, canvas_.px(selected ? 2 : 1));
            // A square sends, a diamond receives.
            const double size = canvas_.px(3);
            const auto mark = [&](Point at, bool sends) {
                if (sends) return list_.fillRect({at.x - size, at.y - size, 2 * size, 2 * size}, color);
                list_.items.push_back(PolygonItem{{{at.x, at.y - size - 1},
                                                   {at.x + size + 1, at.y},
                                                   {at.x, at.y + size + 1},
                                                   {at.x - size - 1, at.y}},
                                                  color,
                                                  {0, 0, 0, 0},
                                                  1,
                                                  {}});
            };
            mark(here, message.sent);
            mark(there, !message.sent);
        }
        list_.popClip();
    }

    /// How deep the stack of each execution is over all of the time, and what of it is in focus.
    void drawContext(const Task& task)
    {
        const Rect& area = layout_.context;
        list_.fillRect(area, theme_.panel);
        const double each =
            area.height / static_cast<double>(std::max<std::size_t>(1, data_.executions.size()));
        for (std::size_t i = 0; i < data_.executions.size(); ++i) {
            const StackedExecution& execution = data_.executions[i];
            const CallIntervals& calls = callsOfStack(data_, execution);
            const double top = area.y + static_cast<double>(i) * each;
            const double level = each / execution.levels;
            std::vector<double> drawnTo(execution.levels, -1.0);
            for (std::uint32_t call = execution.of.index; call < execution.end; ++call) {
                if (call % kCallsBetweenQuestions == 0 && task.stopRequested()) return;
                const auto depth =
                    static_cast<std::size_t>(calls.depth[call] - calls.depth[execution.of.index]);
                const double from = std::floor(layout_.whole.toX(calls.begin[call] - execution.span.begin));
                const double to = std::ceil(layout_.whole.toX(calls.end[call] - execution.span.begin));
                if (to <= drawnTo[depth]) continue;
                drawnTo[depth] = to;
                list_.fillRect({from, std::floor(top + static_cast<double>(depth) * level),
                                std::max(1.0, to - from), std::max(1.0, std::ceil(level))},
                               colorOfCall(execution, calls, call));
            }
        }
        const double left = std::clamp(layout_.whole.toX(layout_.focus.span.begin), area.x, area.right());
        const double right = std::clamp(layout_.whole.toX(layout_.focus.span.end), area.x, area.right());
        const Color veil = withAlpha(theme_.background, 150);
        list_.fillRect({area.x, area.y, left - area.x, area.height}, veil);
        list_.fillRect({right, area.y, area.right() - right, area.height}, veil);
        list_.items.push_back(RectItem{{left, area.y, std::max(canvas_.px(3), right - left), area.height},
                                       {0, 0, 0, 0},
                                       theme_.accent,
                                       canvas_.px(1.5),
                                       0,
                                       {}});
        list_.text({canvas_.px(8), area.y, layout_.labels.width - canvas_.px(12), area.height}, "All of it",
                   theme_.secondaryText, FontStyle::Small, Align::Right);
    }

    const ExecutionStackData& data_;
    const ViewState& state_;
    const Canvas& canvas_;
    const Theme& theme_;
    ExecutionStackLayout layout_;
    std::vector<RegionPalette> palettes_;
    DrawList list_;
};

}  // namespace

TimeSpan wholeOfStack(const ExecutionStackData& data)
{
    const TimeNs margin = data.longestNs / 50 + 1;
    return {-margin, data.longestNs + margin};
}

ExecutionStackLayout executionStackLayout(const ExecutionStackData& data,
                                          const std::optional<TimeSpan>& window, const Canvas& canvas)
{
    ExecutionStackLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight(), left = canvas.px(84);
    layout.caption = {pad, 0, canvas.width - 2 * pad, canvas.style.caption.empty() ? 0 : line + pad};
    const double width = std::max(1.0, canvas.width - left - pad);
    layout.context = {left, layout.caption.bottom() + canvas.px(4), width, canvas.px(kStackContextPx)};
    layout.ruler = {left, layout.context.bottom() + canvas.px(4), width, line};
    const double top = layout.ruler.bottom() + canvas.px(4);
    layout.body = {left, top, width, std::max(1.0, canvas.height - top - canvas.px(4))};
    layout.labels = {0, top, left, layout.body.height};
    layout.whole = {wholeOfStack(data), layout.context.x, layout.context.width};
    layout.focus = {window.value_or(layout.whole.span), layout.body.x, layout.body.width};
    double wanted = 0;
    for (const StackedExecution& execution : data.executions) wanted += bandHeight(execution, canvas);
    double y = top;
    const double share = wanted > 0 ? std::min(1.0, layout.body.height / wanted) : 1.0;
    for (const StackedExecution& execution : data.executions) {
        const double height = std::floor(bandHeight(execution, canvas) * share);
        layout.bands.push_back(stackBand(execution, {left, y, width, height}, canvas));
        y += height;
    }
    return layout;
}

DrawList executionStackScene(const ExecutionStackData& data, const std::optional<TimeSpan>& window,
                             const ViewState& state, const Canvas& canvas, const Task& task)
{
    return StackPainter(data, window, state, canvas).draw(task);
}

StackHit executionStackAt(const ExecutionStackData& data, const std::optional<TimeSpan>& window,
                          const Canvas& canvas, Point point)
{
    StackHit hit;
    const ExecutionStackLayout layout = executionStackLayout(data, window, canvas);
    if (point.x < layout.body.x || point.x >= layout.body.right()) return hit;
    for (std::size_t i = 0; i < layout.bands.size(); ++i) {
        const StackBand& band = layout.bands[i];
        const StackedExecution& execution = data.executions[i];
        const double bottom = band.peers.empty() ? band.calls.bottom() : band.peers.bottom() + canvas.px(4);
        if (point.y < band.calls.y || point.y >= bottom) continue;
        double nearest = canvas.px(4);
        for (const StackMessage& message : execution.messages) {
            if (band.peers.empty()) break;
            const double away = distanceToLine(stackEnd(layout, band, message, true),
                                               stackEnd(layout, band, message, false), point);
            if (away >= nearest) continue;
            nearest = away;
            hit.message = message.message;
        }
        if (hit.message || !band.calls.contains(point)) return hit;
        const CallIntervals& calls = callsOfStack(data, execution);
        const auto level = static_cast<std::uint32_t>((point.y - band.calls.y) / band.rowHeight);
        for (std::uint32_t call = execution.of.index; call < execution.end; ++call) {
            if (calls.depth[call] - calls.depth[execution.of.index] != static_cast<int>(level)) continue;
            const auto bar = stackBar(layout, band, execution, calls, call);
            if (bar && bar->contains(point))
                hit.call = IntervalRef{execution.of.experiment, execution.of.location, call};
        }
        return hit;
    }
    return hit;
}

std::vector<std::string> executionStackTooltip(const ExecutionStackData& data, const StackHit& hit)
{
    const Session& session = *data.session;
    const auto time = [](TimeNs ns) { return formatDuration(static_cast<double>(ns)); };
    if (hit.message && exists(session, *hit.message)) {
        const Experiment& experiment = *session.experiments[hit.message->experiment];
        const Message& message = experiment.trace->messages[hit.message->index];
        return {fmt::format("{} → {}", displayName(experiment.definitions, message.sender),
                            displayName(experiment.definitions, message.receiver)),
                fmt::format("{}, tag {}", formatBytes(static_cast<double>(message.bytes)), message.tag),
                fmt::format("Sent at {}, {} under way", time(message.sendTime),
                            time(message.receiveTime - message.sendTime))};
    }
    if (!hit.call || !exists(session, *hit.call)) return {};
    const CallIntervals& calls =
        session.experiments[hit.call->experiment]->trace->locations[hit.call->location.index()].intervals;
    const TimeNs begin = calls.begin[hit.call->index], end = calls.end[hit.call->index];
    std::vector<std::string> lines{callTitle(session, *hit.call),
                                   fmt::format("{} long, from {}", time(end - begin), time(begin))};
    for (const StackedExecution& execution : data.executions) {
        const AnomalyLabel label = labelOf(execution.odd, *hit.call);
        if (label == AnomalyLabel::Normal) continue;
        lines.emplace_back(name(label));
        break;
    }
    return lines;
}

}  // namespace skein
