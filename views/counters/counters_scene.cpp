// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/counters/counters_scene.h"

#include "core/session/experiment_titles.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace skein {
namespace {

constexpr double kHighestLine = 72;  // logical pixels
constexpr double kLowestLine = 22;
constexpr double kHighestHeat = 22;
constexpr double kLowestHeat = 5;
constexpr double kMaximumPart = 0.4;  ///< of a heat row: the colour of the maximum

std::int64_t rankOrder(const Location& location)
{
    constexpr std::int64_t kAfterRanks = std::int64_t{1} << 40;
    return location.rank >= 0 ? location.rank : kAfterRanks;
}

std::string titleOf(const CounterSection& section)
{
    std::string title = section.rate ? section.metric + " per second" : section.metric;
    return section.component.empty() ? title : title + " · " + section.component;
}

/// The range of values that a section's lanes share; it holds zero, so that lengths can be compared.
struct ValueScale {
    double low = 0;
    double high = 1;
    CounterScale kind = CounterScale::Linear;

    ValueScale(const CounterSection& section, CounterScale wanted) : kind(wanted)
    {
        if (!section.whole.any()) return;
        low = std::min(0.0, section.whole.minimum);
        high = std::max(0.0, section.whole.maximum);
        if (!(low < high)) high = low + 1;
    }

    /// 0…1
    double part(double value) const
    {
        return partOfRange(value, low, high,
                           kind == CounterScale::Linear ? ColorScaling::Linear : ColorScaling::Logarithmic);
    }
};

class LanePainter {
public:
    LanePainter(const TimelineData& data, const CounterData& counters, const ViewState& state,
                const CounterOptions& options, const Canvas& canvas)
        : data_(data),
          counters_(counters),
          options_(options),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(counterLayout(data, counters, state, options, canvas)),
          axis_(timeAxis(layout_.frame.scale, FontStyle::Small, canvas.measure))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        const Rect& body = layout_.frame.body;
        list_.pushClip({0, body.y, body.right(), body.height});
        for (const AxisTick& tick : axis_.ticks)
            if (!tick.label.empty())
                list_.fillRect({std::floor(tick.x), body.y, canvas_.px(1), body.height}, theme_.grid);
        list_.fillRect({0, body.y, layout_.frame.labels.width, body.height}, theme_.panel);
        NameRoom room;
        for (const PlacedLane& place : layout_.places) {
            if (place.lane == PlacedLane::kHeader) room = roomBelow(place);
            if (place.y + place.height < body.y || place.y > body.bottom()) continue;
            if (task.stopRequested()) break;
            if (place.lane != PlacedLane::kHeader) drawLane(place, room);
        }
        list_.fillRect({layout_.frame.labels.right() - 1, body.y, canvas_.px(1), body.height}, theme_.frame);
        for (const PlacedLane& place : layout_.places)
            if (place.lane == PlacedLane::kHeader && place.y + place.height >= body.y
                && place.y <= body.bottom())
                drawHeader(place);
        list_.popClip();
        drawTimeRuler(list_, layout_.frame, axis_, canvas_);
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        return std::move(list_);
    }

private:
    void drawHeader(const PlacedLane& place)
    {
        const CounterSection& section = counters_.sections[place.section];
        const Rect box{0, std::round(place.y), layout_.frame.body.right(), std::round(place.height)};
        list_.fillRect(box, theme_.panel);
        list_.fillRect({0, box.y, box.width, canvas_.px(1)}, theme_.frame);
        const double pad = canvas_.px(8);
        const ValueScale scale(section, options_.scale);
        const std::string range = fmt::format(
            "{} … {}{}", formatAmount(scale.low, section.unit), formatAmount(scale.high, section.unit),
            options_.scale == CounterScale::Logarithmic ? ", logarithmic" : "");
        const double rangeWidth = canvas_.measure.width(range, FontStyle::Small)
            + canvas_.px(options_.style == CounterStyle::Heat ? 90 : 0);
        const std::string title =
            elideMiddle(titleOf(section), box.width - rangeWidth - 3 * pad, FontStyle::Bold, canvas_.measure);
        list_.text({pad, box.y, box.width - rangeWidth - 3 * pad, box.height}, title, theme_.text,
                   FontStyle::Bold);
        const double right = box.right() - pad;
        list_.text({right - rangeWidth, box.y, rangeWidth, box.height}, range, theme_.secondaryText,
                   FontStyle::Small, Align::Right);
        if (options_.style == CounterStyle::Heat)
            drawColors(
                {right - rangeWidth, box.y + canvas_.px(5), canvas_.px(80), box.height - canvas_.px(10)});
    }

    /// The colours from low to high.
    void drawColors(const Rect& box)
    {
        PixelItem pixels{static_cast<int>(box.x),
                         static_cast<int>(box.y),
                         static_cast<int>(box.width),
                         {static_cast<int>(box.height)},
                         {},
                         {}};
        if (pixels.heights[0] < 1) return;
        for (int column = 0; column < pixels.columns; ++column)
            pixels.argb.push_back(toArgb(sequentialColor(theme_.dark, column / (box.width - 1))));
        list_.items.push_back(std::move(pixels));
    }

    /// Where the names of a section's lanes have room.
    struct NameRoom {
        double top = 0;  ///< below its header, and below the last name
        double bottom = 0;
        bool any = false;  ///< stands there already
    };

    NameRoom roomBelow(const PlacedLane& header) const
    {
        NameRoom room{std::max(layout_.frame.body.y, header.y + header.height), layout_.frame.body.bottom()};
        for (const PlacedLane& place : layout_.places)
            if (place.lane == PlacedLane::kHeader && place.section > header.section)
                room.bottom = std::min(room.bottom, place.y);
        return room;
    }

    /// Where lanes are low only as many have one as there is room for, none is cut.
    void drawName(const PlacedLane& place, NameRoom& room)
    {
        const double line = canvas_.lineHeight();
        const double middle = place.y + place.height / 2;
        if (middle < layout_.frame.body.y || (room.any && middle - line / 2 < room.top)) return;
        const double top = std::max(middle - line / 2, room.top);
        if (top + line > room.bottom) return;
        const double pad = canvas_.px(8);
        const Rect& labels = layout_.frame.labels;
        const std::string& label = counters_.sections[place.section].lanes[place.lane].label;
        list_.text({pad, top, labels.width - 2 * pad, line},
                   elideMiddle(label, labels.width - 2 * pad, FontStyle::Small, canvas_.measure), theme_.text,
                   FontStyle::Small, Align::Right);
        room.top = top + line;
        room.any = true;
    }

    void drawLane(const PlacedLane& place, NameRoom& room)
    {
        const CounterSection& section = counters_.sections[place.section];
        const CounterLane& lane = section.lanes[place.lane];
        const double gap = place.height >= canvas_.px(8) ? canvas_.px(2) : 1;
        const int top =
            static_cast<int>(std::round(place.y) + (options_.style == CounterStyle::Lines ? gap : 0));
        const int height = std::max(1, static_cast<int>(std::round(place.y + place.height) - gap) - top);
        const std::vector<StepRange> columns = sampleColumns(lane, data_, layout_.frame.scale);
        const ValueScale scale(section, options_.scale);
        list_.items.push_back(options_.style == CounterStyle::Heat ? heatOf(columns, scale, top, height)
                                                                   : linesOf(columns, scale, top, height));
        if (options_.style == CounterStyle::Lines)
            list_.fillRect(
                {layout_.frame.body.x, static_cast<double>(top + height), layout_.frame.body.width, 1},
                theme_.grid);
        drawName(place, room);
    }

    PixelItem blockOf(std::size_t columns, int top, std::vector<int> heights) const
    {
        PixelItem pixels{static_cast<int>(std::round(layout_.frame.body.x)),
                         top,
                         static_cast<int>(columns),
                         std::move(heights),
                         {},
                         {}};
        pixels.argb.resize(columns * pixels.heights.size(), 0);
        return pixels;
    }

    PixelItem heatOf(const std::vector<StepRange>& columns, const ValueScale& scale, int top,
                     int height) const
    {
        const int upper = std::max(1, static_cast<int>(std::round(height * kMaximumPart)));
        PixelItem pixels = blockOf(columns.size(), top,
                                   height > upper ? std::vector{upper, height - upper} : std::vector{height});
        for (std::size_t column = 0; column < columns.size(); ++column) {
            if (!columns[column].any()) continue;
            pixels.argb[column] = toArgb(sequentialColor(theme_.dark, scale.part(columns[column].maximum)));
            if (pixels.heights.size() > 1)
                pixels.argb[columns.size() + column] =
                    toArgb(sequentialColor(theme_.dark, scale.part(columns[column].mean())));
        }
        return pixels;
    }

    PixelItem linesOf(const std::vector<StepRange>& columns, const ValueScale& scale, int top,
                      int height) const
    {
        PixelItem pixels =
            blockOf(columns.size(), top, std::vector<int>(static_cast<std::size_t>(height), 1));
        const std::uint32_t line = toArgb(regionLike());
        const std::uint32_t range = toArgb(mix(theme_.background, regionLike(), 0.45));
        const int thick = static_cast<int>(canvas_.px(1));
        const auto rowOf = [&](double value) {
            return std::clamp(height - thick
                                  - static_cast<int>(std::lround(scale.part(value) * (height - thick))),
                              0, height - 1);
        };
        const auto paint = [&](std::size_t column, int from, int to, std::uint32_t color) {
            for (int row = from; row <= std::min(to, height - 1); ++row)
                pixels.argb[static_cast<std::size_t>(row) * columns.size() + column] = color;
        };
        int previous = -1;
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const StepRange& found = columns[column];
            if (!found.any()) {
                previous = -1;
                continue;
            }
            const int high = rowOf(found.maximum), low = rowOf(found.minimum), mean = rowOf(found.mean());
            paint(column, high, low, range);
            // The line goes on from the column before, so that steps between two columns are seen.
            if (previous >= 0)
                paint(column, std::min(previous, mean), std::max(previous, mean), low == high ? line : range);
            paint(column, mean, mean + thick - 1, line);
            previous = mean;
        }
        return pixels;
    }

    Color regionLike() const { return theme_.dark ? fromLch(72, 45, 255) : fromLch(48, 50, 262); }

    const TimelineData& data_;
    const CounterData& counters_;
    const CounterOptions& options_;
    const Canvas& canvas_;
    const Theme& theme_;
    CounterLayout layout_;
    TimeAxis axis_;
    DrawList list_;
};

}  // namespace

Result<CounterDataPtr> makeCounterData(const Session& session, const std::vector<std::string>& metrics,
                                       const Task& task)
{
    auto data = std::make_shared<CounterData>();
    const std::vector<std::string> titles = experimentTitles(session);
    for (const std::string& metric : metrics) {
        const std::size_t first = data->sections.size();
        StepRange whole;
        for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
            const Experiment& experiment = *session.experiments[number];
            auto lanes = metricLanes(experiment, metric, task);
            if (task.stopRequested()) return cancelled();
            if (!lanes) continue;
            whole.add(lanes->whole);
            const std::string component = session.experiments.size() > 1 ? titles[number] : std::string();
            CounterSection section{metric, component, lanes->unit, lanes->rate, {}, {}};
            std::stable_sort(lanes->lanes.begin(), lanes->lanes.end(),
                             [&](const MetricLane& a, const MetricLane& b) {
                                 const Location& left = experiment.definitions.location(a.recorder);
                                 const Location& right = experiment.definitions.location(b.recorder);
                                 return std::tuple(rankOrder(left), left.thread)
                                     < std::tuple(rankOrder(right), right.thread);
                             });
            for (MetricLane& lane : lanes->lanes)
                section.lanes.push_back({{number, lane.recorder},
                                         displayName(experiment.definitions, lane.recorder),
                                         std::move(lane.steps)});
            data->sections.push_back(std::move(section));
        }
        // Components are compared on one scale.
        for (std::size_t section = first; section < data->sections.size(); ++section)
            data->sections[section].whole = whole;
    }
    return CounterDataPtr(std::move(data));
}

std::vector<std::string> counterNames(const Session& session)
{
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const ExperimentPtr& experiment : session.experiments)
        for (std::string& name : laneMetricNames(*experiment))
            if (known.insert(name).second) names.push_back(std::move(name));
    std::stable_partition(names.begin(), names.end(),
                          [](const std::string& name) { return name.find(" => ") == std::string::npos; });
    return names;
}

std::string metricToBeginWith(const Session& session, const std::vector<std::string>& names, const Task& task)
{
    constexpr std::size_t kTried = 16;
    for (std::size_t number = 0; number < std::min(kTried, names.size()); ++number) {
        const auto data = makeCounterData(session, {names[number]}, task);
        if (!data) break;
        if (!(*data)->sections.empty()
            && (*data)->sections[0].whole.minimum < (*data)->sections[0].whole.maximum)
            return names[number];
    }
    return names.empty() ? std::string() : names.front();
}

const PlacedLane* CounterLayout::placeAt(double y) const
{
    for (const PlacedLane& place : places)
        if (place.y <= y && y < place.y + place.height && y >= frame.body.y) return &place;
    return nullptr;
}

CounterLayout counterLayout(const TimelineData& data, const CounterData& counters, const ViewState& state,
                            const CounterOptions& options, const Canvas& canvas)
{
    CounterLayout layout;
    const double captionHeight = canvas.style.caption.empty() ? 0 : canvas.lineHeight() + canvas.px(8);
    layout.caption = {canvas.px(8), 0, std::max(0.0, canvas.width - canvas.px(16)), captionHeight};
    layout.frame = timeFrame(data, state, captionHeight, canvas);
    const double header = std::round(canvas.lineHeight(FontStyle::Bold) + canvas.px(8));
    std::size_t lanes = 0;
    for (std::uint32_t section = 0; section < counters.sections.size(); ++section) {
        layout.places.push_back({section, PlacedLane::kHeader, 0, header});
        for (std::uint32_t lane = 0; lane < counters.sections[section].lanes.size(); ++lane)
            if (passes(state.filters, counters.sections[section].lanes[lane].location))
                layout.places.push_back({section, lane, 0, 0}), ++lanes;
    }
    const double room = layout.frame.body.height - header * static_cast<double>(counters.sections.size());
    const bool heat = options.style == CounterStyle::Heat;
    const double height = std::clamp(std::floor(room / static_cast<double>(std::max<std::size_t>(lanes, 1))),
                                     canvas.px(heat ? kLowestHeat : kLowestLine),
                                     canvas.px(heat ? kHighestHeat : kHighestLine));
    double content = 0;
    for (PlacedLane& place : layout.places) {
        if (place.lane != PlacedLane::kHeader) place.height = height;
        content += place.height;
    }
    layout.maximumScroll = std::max(0.0, content - layout.frame.body.height);
    double y = layout.frame.body.y - std::clamp(options.scrollY, 0.0, layout.maximumScroll);
    for (PlacedLane& place : layout.places) {
        place.y = y;
        y += place.height;
    }
    return layout;
}

std::vector<StepRange> sampleColumns(const CounterLane& lane, const TimelineData& data,
                                     const TimeScale& scale)
{
    const auto count = static_cast<std::size_t>(std::max(0.0, std::round(scale.width)));
    std::vector<StepRange> columns(count);
    TimeNs begin = scale.span.begin;
    for (std::size_t column = 0; column < count; ++column) {
        const TimeNs end =
            column + 1 == count ? scale.span.end : scale.toTime(scale.left + static_cast<double>(column) + 1);
        // Columns narrower than a nanosecond show the one that they are in.
        const TimeSpan span{begin, std::max(end, begin + 1)};
        columns[column] = lane.steps.over(data.clock.toExperiment(lane.location.experiment, span));
        begin = end;
    }
    return columns;
}

DrawList countersScene(const TimelineData& data, const CounterData& counters, const ViewState& state,
                       const CounterOptions& options, const Canvas& canvas, const Task& task)
{
    return LanePainter(data, counters, state, options, canvas).draw(task);
}

DrawList countersOverlay(const TimelineData&, const ViewState& state, const CounterData& counters,
                         const CounterLayout& layout, const Canvas& canvas)
{
    DrawList list;
    const Theme& theme = canvas.theme();
    list.pushClip(layout.frame.labels);
    for (const PlacedLane& place : layout.places) {
        if (place.lane == PlacedLane::kHeader) continue;
        const LocationRef location = counters.sections[place.section].lanes[place.lane].location;
        if (!std::binary_search(state.selected.locations.begin(), state.selected.locations.end(), location))
            continue;
        const double width = canvas.px(4);
        list.fillRect({layout.frame.labels.right() - width, std::round(place.y), width,
                       std::max(1.0, std::round(place.height) - canvas.px(2))},
                      theme.accent);
    }
    list.popClip();
    drawTimeOverlay(list, state, layout.frame, canvas);
    return list;
}

Hover countersHit(const CounterData& counters, const CounterLayout& layout, Point point)
{
    Hover hover;
    const TimeFrame& frame = layout.frame;
    if (point.x >= frame.body.x && point.x < frame.body.right()) hover.time = frame.scale.toTime(point.x);
    const PlacedLane* place = layout.placeAt(point.y);
    if (place && place->lane != PlacedLane::kHeader)
        hover.location = counters.sections[place->section].lanes[place->lane].location;
    return hover;
}

std::vector<std::string> countersTooltip(const TimelineData& data, const CounterData& counters,
                                         const CounterLayout& layout, Point point)
{
    const PlacedLane* place = layout.placeAt(point.y);
    if (!place) return {};
    const CounterSection& section = counters.sections[place->section];
    std::vector<std::string> lines{titleOf(section)};
    if (place->lane == PlacedLane::kHeader) return lines;
    const CounterLane& lane = section.lanes[place->lane];
    lines.push_back(lane.label);
    if (!layout.frame.body.contains(point)) return lines;
    const TimeNs from = layout.frame.scale.toTime(std::floor(point.x));
    const TimeNs to = std::max(from + 1, layout.frame.scale.toTime(std::floor(point.x) + 1));
    const StepRange range =
        lane.steps.over(data.clock.toExperiment(lane.location.experiment, TimeSpan{from, to}));
    const auto amount = [&](double value) { return formatAmount(value, section.unit); };
    if (!range.any()) lines.push_back("nothing recorded here");
    else if (range.minimum == range.maximum) lines.push_back(amount(range.minimum));
    else
        lines.push_back(fmt::format("{} … {}, mean {}", amount(range.minimum), amount(range.maximum),
                                    amount(range.mean())));
    lines.push_back(fmt::format("at {}", exactTime(from)));
    return lines;
}

}  // namespace skein
