// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/time_frame.h"
#include "views/common/scene/calls/call_stack.h"
#include "views/common/scene/color/lane_table.h"
#include "views/common/scene/drawing/cause_arrows.h"
#include "views/timeline/collapsed_places_scene.h"
#include "views/timeline/timeline_bars_scene.h"
#include "views/timeline/timeline_notes_scene.h"
#include "views/timeline/timeline_path_scene.h"
#include "views/timeline/timeline_scene.h"
#include "views/timeline/timeline_waits_scene.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::size_t kMostCauses = 50;

class Overlay {
public:
    Overlay(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
            const TimelineLayout& layout, const TextMeasure& measure)
        : data_(data),
          state_(state),
          options_(options),
          theme_(options.theme),
          layout_(layout),
          measure_(measure),
          lanes_(lanesOf(data, options, layout, measure))
    {
    }

    DrawList draw()
    {
        markSelectedLocations();
        const SceneStyle style{theme_, options_.scale, {}};
        const Canvas canvas{0, 0, style, measure_};
        if (options_.criticalPath) drawCriticalPath(list_, data_, *options_.criticalPath, layout_, canvas);
        list_.pushClip(layout_.body);
        const auto selected = [&](const IntervalRef& call) {
            return std::binary_search(state_.selected.intervals.begin(), state_.selected.intervals.end(),
                                      call);
        };
        for (const IntervalRef& interval : state_.hits)
            if (!selected(interval)) markHit(interval, 4, theme_.background, theme_.accent);
        for (const IntervalRef& interval : state_.selected.intervals) outline(interval, theme_.accent, 2);
        for (const IntervalRef& interval : state_.hits)
            if (selected(interval)) markHit(interval, 7, theme_.accent, theme_.background);
        if (options_.waits && state_.selected.intervals.size() <= kMostCauses)
            for (const IntervalRef& interval : state_.selected.intervals) drawCause(interval);
        for (const MessageRef& message : state_.selected.messages)
            drawMessage(message, theme_.messageSelected, 2);
        if (const CauseLinks* causes = shownCauses(state_))
            drawCauseArrows(list_,
                            causeArrows(*causes, [this](const CauseLink& link) { return endsOf(link); }),
                            layout_.body, theme_, options_.scale, measure_);
        if (state_.hover.message.valid()) drawMessage(state_.hover.message, theme_.hover, 1.5);
        else if (state_.hover.interval.valid()) outline(state_.hover.interval, theme_.hover, 1);
        list_.popClip();
        TimeFrame frame = frameOf(layout_);
        frame.markedRows = markedRows();
        frame.notesHeight = timelineNotesHeight(state_, layout_, options_, measure_);
        drawTimeOverlay(list_, state_, frame, canvas);
        Rect room = layout_.body;
        room.height -= frame.notesHeight;
        if (const CauseLinks* causes = shownCauses(state_))
            drawCausesText(list_, *causes, room, theme_, options_.scale, measure_);
        if (options_.criticalPath)
            drawCriticalPathText(list_, data_.session, *options_.criticalPath, room, canvas);
        return std::move(list_);
    }

private:
    double x(TimeNs time) const { return layout_.scale.toX(time); }

    /// Runs of rows of which all locations are marked.
    std::vector<std::pair<double, double>> markedRows() const
    {
        std::vector<std::pair<double, double>> runs;
        if (state_.markedLocations.empty()) return runs;
        const auto isMarked = [&](LocationRef location) {
            return std::binary_search(state_.markedLocations.begin(), state_.markedLocations.end(), location);
        };
        for (const PlacedRow& place : layout_.places) {
            bool all = !isHeader(layout_.rows[place.row]);
            forEachLocation(layout_.rows[place.row],
                            [&](LocationRef location) { all = all && isMarked(location); });
            if (!all) continue;
            if (!runs.empty() && std::abs(runs.back().second - place.y) < 1)
                runs.back().second = place.y + place.height;
            else runs.emplace_back(place.y, place.y + place.height);
        }
        // Marked rows that are scrolled out still mark no others.
        if (runs.empty()) runs.emplace_back(0, 0);
        return runs;
    }

    void markSelectedLocations()
    {
        list_.pushClip(layout_.labels);
        for (const LocationRef& location : state_.selected.locations)
            if (const PlacedRow* place = placeOrCollapsed(layout_, location))
                list_.fillRect(
                    {layout_.labels.right() - 4 * options_.scale, std::round(place->y), 4 * options_.scale,
                     std::max(1.0, std::round(place->height) - rowGap(layout_.rowHeight, options_.scale))},
                    theme_.accent);
        list_.popClip();
    }

    /// The call's bar; at least 3 pixels wide, so that what is selected is seen at every zoom.
    std::optional<Rect> barOf(IntervalRef interval) const
    {
        if (!canBeDrawn(data_, interval)) return std::nullopt;
        const PlacedRow* place = placeOrCollapsed(layout_, {interval.experiment, interval.location});
        if (!place) return std::nullopt;
        const TimeSpan span = spanOf(data_, interval);
        const double least = 3 * options_.scale;
        const double from = std::clamp(x(span.begin), layout_.body.x - 8, layout_.body.right() + 8);
        const double to = std::clamp(x(span.end), layout_.body.x - 8, layout_.body.right() + 8);
        const auto stack = visibleStack(data_, state_, interval);
        const bool together = !layout_.rows[place->row].folded.empty();
        const auto lane = static_cast<std::uint32_t>(
            std::min<std::size_t>(stack.empty() || together ? 0 : stack.size() - 1, lanes_.count() - 1));
        const double top = std::round(place->y) + lanes_.tops[lane];
        const double bottom = std::max(
            std::round(place->y + place->height) - rowGap(layout_.rowHeight, options_.scale), top + 1);
        const double width = std::max(to - from, least);
        return Rect{std::floor(from), top, std::ceil(width), bottom - top};
    }

    /// A call that a search has found: its outline, and a triangle over it that is seen however short the
    /// call is. That of the one that is selected is large and filled: among hundreds of them it is the one
    /// that one steps from.
    void markHit(IntervalRef interval, double halfWidth, Color fill, Color edge)
    {
        const auto bar = barOf(interval);
        if (!bar) return;
        list_.strokeRect(*bar, theme_.accent, std::round(options_.scale));
        const double size = halfWidth * options_.scale;
        const double middle = bar->x + bar->width / 2;
        list_.items.push_back(
            PolygonItem{{{middle - size, bar->y}, {middle + size, bar->y}, {middle, bar->y + 1.5 * size}},
                        fill,
                        edge,
                        1,
                        {}});
    }

    void outline(IntervalRef interval, Color color, double width)
    {
        const auto bar = barOf(interval);
        if (!bar) return;
        list_.strokeRect(*bar, color, std::round(width * options_.scale));
    }

    /// From the end of a wait to the call that it waited for, whose outline has the colour of its kind.
    void drawCause(IntervalRef interval)
    {
        if (!waitPasses(data_.session, *options_.waits, interval, state_.filters, *data_.messageFilters))
            return;
        const WaitState* state = waitOf(data_.session, *options_.waits, interval);
        const auto waiting = barOf(interval);
        if (!waiting || state->causeInterval == kNoInterval) return;
        const IntervalRef reference{interval.experiment, state->cause, state->causeInterval};
        const auto cause = barOf(reference);
        if (!cause) return;
        const Color color = waitColor(state->kind, theme_.dark);
        outline(reference, color, 2);
        const double end = std::clamp(x(data_.clock.toSession(interval.experiment, state->end)), waiting->x,
                                      waiting->right());
        list_.line({end, waiting->y + waiting->height / 2}, {cause->x, cause->y + cause->height / 2}, color,
                   std::round(2 * options_.scale));
    }

    /// Where a chain of causes goes from and to; a ring where the cause lies on the location that lost time.
    std::optional<std::pair<Point, Point>> endsOf(const CauseLink& link) const
    {
        const auto cause = barOf(link.cause);
        if (!cause) return std::nullopt;
        const auto at = [&](const Rect& bar, TimeNs time) {
            const double when = x(data_.clock.toSession(link.cause.experiment, time));
            return Point{std::clamp(when, bar.x, bar.right()), bar.y + bar.height / 2};
        };
        const Point middle{cause->x + cause->width / 2, cause->y + cause->height / 2};
        if (link.cause.location == link.waiting.location) return std::pair(middle, middle);
        const auto waiting = barOf(link.waiting);
        if (!waiting) return std::nullopt;
        return std::pair(at(*cause, link.span.end), at(*waiting, link.span.end));
    }

    void drawMessage(MessageRef reference, Color color, double width)
    {
        if (reference.experiment >= data_.session.experiments.size() || !data_.indexes[reference.experiment])
            return;
        const auto& messages = data_.session.experiments[reference.experiment]->trace->messages;
        if (reference.index >= messages.size() || !messages[reference.index].matched()) return;
        const Message& message = messages[reference.index];
        const PlacedRow* sender = placeOrCollapsed(layout_, {reference.experiment, message.sender});
        const PlacedRow* receiver = placeOrCollapsed(layout_, {reference.experiment, message.receiver});
        if (!sender || !receiver) return;
        const Point from{x(data_.clock.toSession(reference.experiment, message.sendTime)),
                         sender->y + sender->height / 2};
        const Point to{x(data_.clock.toSession(reference.experiment, message.receiveTime)),
                       receiver->y + receiver->height / 2};
        list_.line(from, to, color, width * options_.scale);
        // Shape tells source and destination apart, not colour alone: a square sends, a diamond receives.
        const double size = 4 * options_.scale;
        list_.fillRect({from.x - size / 2, from.y - size / 2, size, size}, color);
        list_.items.push_back(
            PolygonItem{{{to.x, to.y - size}, {to.x + size, to.y}, {to.x, to.y + size}, {to.x - size, to.y}},
                        color,
                        {0, 0, 0, 0},
                        1,
                        {}});
    }

    const TimelineData& data_;
    const ViewState& state_;
    const TimelineOptions& options_;
    const Theme& theme_;
    const TimelineLayout& layout_;
    const TextMeasure& measure_;
    LaneLayout lanes_;
    DrawList list_;
};

MessageRef messageAt(const VisibleMessages& messages, Point point, double reach)
{
    MessageRef nearest;
    double least = reach;
    for (const PlacedMessage& placed : messages.drawn) {
        const double distance = distanceToLine(placed.from, placed.to, point);
        if (distance > least) continue;
        least = distance;
        nearest = placed.message;
    }
    return nearest;
}

/// The call in the pixel column of the point that is drawn at its height; near edges that of the same column.
IntervalRef intervalAt(const TimelineData& data, const ViewState& state, LocationRef location,
                       const LaneLayout& lanes, double yInRow, TimeNs sessionTime)
{
    const std::uint32_t inner =
        skipOf(data, location)
            .innermostAt(callsOf(data, location), data.clock.toExperiment(location.experiment, sessionTime));
    if (inner == kNoInterval) return {};
    const auto stack = visibleStack(data, state, {location.experiment, location.id, inner});
    if (stack.empty()) return {};
    const std::uint32_t lane = lanes.laneAt(yInRow);
    const std::size_t level =
        lane + 1 == lanes.count() ? stack.size() - 1 : std::min<std::size_t>(lane, stack.size() - 1);
    return {location.experiment, location.id, stack[level]};
}

}  // namespace

DrawList timelineOverlay(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                         const TimelineLayout& layout, const TextMeasure& measure)
{
    if (layout.rows.empty()) return {};
    return Overlay(data, state, options, layout, measure).draw();
}

Hover timelineHit(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                  const TimelineLayout& layout, const VisibleMessages& messages, const TextMeasure& measure,
                  Point point)
{
    Hover hover;
    const bool overTime = point.x >= layout.body.x && point.x < layout.body.right()
        && point.y >= layout.ruler.y && point.y < layout.body.bottom();
    if (overTime && !layout.rows.empty()) hover.time = layout.scale.toTime(point.x);
    const auto row = layout.rowAt(point.y);
    if (!row || layout.rows[*row].kind != TimelineRowKind::Location) return hover;
    hover.location = layout.rows[*row].location;
    if (!hover.time) return hover;
    if (options.messages == MessageDisplay::Shown)
        hover.message = messageAt(messages, point, 4 * options.scale);
    const PlacedRow& place = layout.places[*row];
    hover.interval = intervalAt(data, state, hover.location, lanesOf(data, options, layout, measure),
                                point.y - std::round(place.y), *hover.time);
    if (!hover.interval.valid()) return hover;
    const Experiment& experiment = *data.session.experiments[hover.interval.experiment];
    const auto& calls = experiment.trace->locations[hover.interval.location.index()].intervals;
    hover.callPath = {hover.interval.experiment, CallPathId(calls.callPath[hover.interval.index])};
    hover.region = {hover.interval.experiment, experiment.callTree->region(hover.callPath.id)};
    return hover;
}

}  // namespace skein
