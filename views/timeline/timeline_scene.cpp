// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_scene.h"

#include "core/base/units.h"
#include "core/session/experiment_titles.h"
#include "views/timeline/row_names_scene.h"
#include "views/timeline/timeline_bars_scene.h"
#include "views/timeline/timeline_collectives_scene.h"
#include "views/timeline/timeline_flushes_scene.h"
#include "views/timeline/timeline_notes_scene.h"
#include "views/timeline/timeline_waits_scene.h"
#include "views/timeline/timeline_workflow_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

/// Draws what surrounds the bars.
class Frame {
public:
    Frame(DrawList& list, const TimelineOptions& options, const TimelineLayout& layout,
          const TextMeasure& measure)
        : list_(list),
          options_(options),
          theme_(options.theme),
          layout_(layout),
          measure_(measure),
          axis_(timeAxis(layout.scale, FontStyle::Small, measure))
    {
    }

    void drawBehindBars()
    {
        list_.pushClip(layout_.body);
        if (layout_.rowHeight >= 6 * options_.scale) drawStripes();
        for (const AxisTick& tick : axis_.ticks)
            if (!tick.label.empty()) verticalLine(tick.x, layout_.body.y, layout_.body.bottom(), theme_.grid);
        list_.popClip();
    }

    /// What lies outside of the spans that filters keep is veiled.
    void veil(TimeSpan kept)
    {
        const Rect& body = layout_.body;
        const double from = std::clamp(std::round(layout_.scale.toX(kept.begin)), body.x, body.right());
        const double to = std::clamp(std::round(layout_.scale.toX(kept.end)), from, body.right());
        const Color color = withAlpha(theme_.background, 205);
        if (from > body.x) list_.fillRect({body.x, body.y, from - body.x, body.height}, color);
        if (to < body.right()) list_.fillRect({to, body.y, body.right() - to, body.height}, color);
    }

    /// Names of the rows, and headers over their data.
    void drawNames(const TimelineData& data)
    {
        drawLabels(data);
        drawHeaders();
    }

    void drawAround()
    {
        if (layout_.pinnedRows > 0)
            list_.fillRect({0, std::round(layout_.body.y + layout_.pinnedHeight) - 1, layout_.body.right(),
                            std::max(1.0, std::round(options_.scale))},
                           theme_.secondaryText);
        const SceneStyle style{theme_, options_.scale, {}};
        drawTimeRuler(list_, frameOf(layout_), axis_, {list_.width, list_.height, style, measure_});
        drawCaption();
    }

private:
    void verticalLine(double x, double top, double bottom, Color color)
    {
        list_.fillRect({std::floor(x), top, std::max(1.0, std::round(options_.scale)), bottom - top}, color);
    }

    void drawStripes()
    {
        std::size_t number = 0;
        for (const PlacedRow& place : layout_.places) {
            const bool location = layout_.rows[place.row].kind == TimelineRowKind::Location;
            number = location ? number + 1 : 0;
            if (location && number % 2 == 0)
                list_.fillRect(
                    {layout_.body.x, std::round(place.y), layout_.body.width, std::round(place.height)},
                    theme_.stripe);
        }
    }

    void drawHeaders()
    {
        list_.pushClip({0, layout_.body.y, layout_.body.right(), layout_.body.height});
        for (const PlacedRow& place : layout_.places) {
            const TimelineRow& row = layout_.rows[place.row];
            if (!isHeader(row) || place.y + place.height < layout_.body.y) continue;
            if (place.y > layout_.body.bottom()) break;
            drawHeader(row, {0, std::round(place.y), layout_.body.right(), std::round(place.height)});
        }
        list_.popClip();
    }

    void drawHeader(const TimelineRow& row, const Rect& box)
    {
        const HeaderTexts texts = headerTexts(row, layout_, options_.scale, measure_);
        const FontStyle style = row.kind == TimelineRowKind::Experiment ? FontStyle::Bold : FontStyle::Small;
        list_.fillRect(box, theme_.panel);
        list_.fillRect({box.x, box.y, box.width, std::max(1.0, std::round(options_.scale))}, theme_.frame);
        drawTriangle({6 * options_.scale, box.y + box.height / 2}, row);
        list_.text({texts.title, box.y, texts.titleWidth + 1, box.height}, row.label, theme_.text, style);
        list_.text({texts.members, box.y, box.width - texts.members, box.height}, texts.count,
                   theme_.secondaryText, FontStyle::Small);
    }

    /// Points down over what is unfolded and right at what is folded.
    void drawTriangle(Point left, const TimelineRow& row)
    {
        const double size = 4 * options_.scale;
        std::vector<Point> points{{left.x, left.y - size / 2},
                                  {left.x + 2 * size, left.y - size / 2},
                                  {left.x + size, left.y + size * 0.7}};
        if (!row.folded.empty())
            points = {{left.x + size / 2, left.y - size},
                      {left.x + size * 1.7, left.y},
                      {left.x + size / 2, left.y + size}};
        list_.items.push_back(PolygonItem{points, theme_.secondaryText, {0, 0, 0, 0}, 1, {}});
    }

    void drawLabels(const TimelineData& data)
    {
        const Rect& panel = layout_.labels;
        list_.pushClip(panel);
        list_.fillRect(panel, theme_.panel);
        drawRowNames(data);
        list_.popClip();
        verticalLine(panel.right() - 1, panel.y, panel.bottom(), theme_.frame);
    }

    void drawRowNames(const TimelineData& data)
    {
        for (const NamedPlace& named :
             namedPlaces(data, layout_, measure_.lineHeight(FontStyle::Small), options_.scale))
            drawRowName(layout_.places[named.place], named.top);
    }

    void drawRowName(const PlacedRow& place, double top)
    {
        const TimelineRow& row = layout_.rows[place.row];
        const double line = measure_.lineHeight(FontStyle::Small);
        const double pad = 8 * options_.scale;
        const double middle = place.y + (place.height - rowGap(layout_.rowHeight, options_.scale)) / 2;
        const double left = row.folded.empty() ? pad : pad + 12 * options_.scale;
        const Rect box{left, top, layout_.labels.width - pad - left, line};
        if (!row.folded.empty()) drawTriangle({pad - 2 * options_.scale, middle}, row);
        list_.text(
            box,
            elideMiddle(row.folded.empty() ? row.label : fmt::format("{} ({})", row.label, row.folded.size()),
                        box.width, FontStyle::Small, measure_),
            theme_.text, FontStyle::Small, Align::Right);
    }

    void drawCaption()
    {
        if (layout_.caption.empty()) return;
        const double pad = 8 * options_.scale;
        const Rect box{pad, layout_.caption.y, layout_.caption.width - 2 * pad, layout_.caption.height};
        list_.fillRect(layout_.caption, theme_.background);
        list_.text(box, elideMiddle(options_.caption, box.width, FontStyle::Bold, measure_), theme_.text,
                   FontStyle::Bold);
    }

    DrawList& list_;
    const TimelineOptions& options_;
    const Theme& theme_;
    const TimelineLayout& layout_;
    const TextMeasure& measure_;
    TimeAxis axis_;
};

void drawEmptyText(DrawList& list, const std::string& text, const TimelineOptions& options,
                   const TextMeasure& measure)
{
    const double line = measure.lineHeight(FontStyle::Normal);
    list.text({0, list.height / 2.0 - line, static_cast<double>(list.width), 2 * line}, text,
              options.theme.secondaryText, FontStyle::Normal, Align::Center);
}

}  // namespace

std::string timelineEmptyText(const TimelineData& data, const TimelineLayout& layout)
{
    if (data.session.experiments.empty())
        return "Open an archive, or drop one here, to see what happened when.";
    if (!anyTrace(data.session))
        return "This profile has no times of events. Open a trace to see when calls happened.";
    if (!layout.rows.empty()) return {};
    const TimelineData unfiltered = data;
    if (timelineRows(unfiltered, {}).empty()) return "The trace holds no events. The import report says why.";
    return "The filters hide every location. Remove one of them to see rows again.";
}

std::string timelineCaption(const TimelineData& data, const ViewState& state)
{
    std::string text;
    for (const std::string& title : experimentTitles(data.session))
        text += (text.empty() ? "" : ", ") + title;
    const TimeSpan span = visibleSpan(data, state);
    text += " · " + formatDuration(static_cast<double>(span.lengthNs()));
    text += span == data.clock.extent ? ", the whole run"
                                      : " from " + formatDuration(static_cast<double>(span.begin));
    for (const Filter& filter : state.filters) text += " · " + filter.label;
    return text;
}

TimelinePlan planTimeline(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                          int width, int height, const TextMeasure& measure)
{
    TimelinePlan plan{timelineLayout(data, state, options, width, height, measure), {}, {}};
    if (options.collectives == CollectiveDisplay::Shown)
        plan.collectives = visibleCollectives(data, plan.layout, options.inferred);
    if (options.messages == MessageDisplay::Shown)
        plan.messages = visibleMessages(data, plan.layout, state.filters);
    return plan;
}

DrawList timelineScene(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                       int width, int height, const TextMeasure& measure, const Task& task,
                       SampleKeeping keeping)
{
    return timelineScene(data, state, options, planTimeline(data, state, options, width, height, measure),
                         width, height, measure, task, keeping);
}

DrawList timelineScene(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                       const TimelinePlan& plan, int width, int height, const TextMeasure& measure,
                       const Task& task, SampleKeeping keeping)
{
    const auto& [layout, messages, collectives] = plan;
    DrawList list;
    list.width = width;
    list.height = height;
    list.background = options.theme.background;
    if (const std::string empty = timelineEmptyText(data, layout); !empty.empty()) {
        drawEmptyText(list, empty, options, measure);
        return list;
    }
    const std::vector<TimelineLayout> parts = partsOf(layout);
    const SessionWaitsPtr waits =
        options.waits ? waitsPassing(data.session, options.waits, state.filters) : nullptr;
    std::vector<TimelineBars> bars;
    bars.reserve(parts.size());
    for (const TimelineLayout& part : parts) {
        Frame(list, options, part, measure).drawBehindBars();
        bars.emplace_back(data, state, options, part, measure, keeping).draw(list, task);
        drawFlushes(list, data, options, part);
        if (options.io) drawIo(list, data, options, part);
        if (waits) drawWaits(list, data, *waits, options, part);
    }
    if (options.collectives == CollectiveDisplay::Shown)
        drawCollectives(list, collectives, layout, options, state.colors);
    if (options.messages == MessageDisplay::Shown) drawMessages(list, messages, layout, options);
    for (TimelineBars& part : bars) part.drawLabels(list);
    drawTimelineNotes(list, messages, collectives, state, layout, options, measure);
    Frame frame(list, options, layout, measure);
    if (const auto kept = keptSpan(state.filters)) frame.veil(*kept);
    for (const TimelineLayout& part : parts) Frame(list, options, part, measure).drawNames(data);
    frame.drawAround();
    if (options.handOvers) drawHandOvers(list, data, options, layout, measure);
    return list;
}

}  // namespace skein
