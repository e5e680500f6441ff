// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/location_detail/location_detail_scene.h"

#include "core/index/outliers.h"
#include "core/index/row_sampler.h"
#include "core/session/experiment_titles.h"
#include "views/common/scene/calls/call_stack.h"
#include "views/common/scene/calls/location_order.h"
#include "views/common/scene/color/call_colors.h"
#include "views/common/scene/color/lane_table.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/location_detail/depth_density_scene.h"
#include "views/location_detail/detail_messages_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace skein {
namespace {

constexpr std::uint32_t kMostRows = 128;
constexpr double kNarrowestBar = 3;  ///< logical pixels of calls that are drawn one by one
constexpr double kNarrowestStroke = 6;
constexpr double kNarrowestNamedCall = 26;
constexpr double kFlushHeight = 4;
constexpr double kFaintest = 0.25;  ///< opacity of a column of which next to nothing is filled

bool isShown(const TimelineData& data, const ViewState& state, LocationRef location)
{
    return canBeDrawn(data, {location.experiment, location.id, 0}) && passes(state.filters, location);
}

/// Levels of visible calls that the experiment's call tree has.
std::uint32_t visibleLevels(const Experiment& experiment, std::uint32_t number,
                            const std::vector<Filter>& filters)
{
    const CallTree& tree = *experiment.callTree;
    std::vector<std::uint32_t> level(tree.size());
    std::uint32_t most = 0;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        const CallPathId parent = tree.parent(CallPathId(node));
        const RegionId region = tree.region(CallPathId(node));
        level[node] = parent.valid() ? level[parent.index()] : 0;
        if (region.valid() && passes(filters, RegionRef{number, region})) ++level[node];
        most = std::max(most, level[node]);
    }
    return most;
}

class Detail {
public:
    Detail(const TimelineData& data, const ViewState& state, const LocationDetailOptions& options,
           const Canvas& canvas)
        : data_(data),
          state_(state),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(locationDetailLayout(data, state, options, canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        const TimeAxis axis = timeAxis(layout_.frame.scale, FontStyle::Small, canvas_.measure);
        if (layout_.location.valid()) {
            list_.pushClip(layout_.frame.body);
            drawGrid(axis);
            list_.popClip();
            list_.pushClip(layout_.calls);
            if (layout_.rows > 0) drawCalls(task);
            if (layout_.rows > 0) drawFlushes();
            list_.popClip();
            drawLabels();
            drawPeers(list_, data_, layout_, canvas_);
            drawDetailMessages(list_, detailMessages(data_, state_, layout_), data_, layout_, canvas_);
        }
        drawTimeRuler(list_, layout_.frame, axis, canvas_);
        drawCaption();
        return std::move(list_);
    }

private:
    void drawGrid(const TimeAxis& axis)
    {
        const Rect& body = layout_.frame.body;
        for (const AxisTick& tick : axis.ticks)
            if (!tick.label.empty())
                list_.fillRect({std::floor(tick.x), body.y, canvas_.px(1), body.height}, theme_.grid);
    }

    void drawCalls(const Task& task)
    {
        const std::uint32_t number = layout_.location.experiment;
        const Experiment& experiment = *data_.session.experiments[number];
        const RegionPalette palette =
            regionPalette(RegionGroups(data_.session, state_.grouping), number, theme_);
        const LaneTable table(experiment, number, state_, palette, theme_.background, layout_.rows);
        if (CallColors::wanted(state_)) colors_.emplace(data_, state_, theme_.dark, task);
        drawColumns(table);
        if (task.stopRequested()) return;
        const TimeSpan span = data_.clock.toExperiment(number, layout_.frame.scale.span);
        const auto shortest =
            static_cast<TimeNs>(std::ceil(canvas_.px(kNarrowestBar) * layout_.frame.scale.nsPerPixel()));
        std::vector<std::uint32_t> wide;
        findLongCalls(callsOf(data_, layout_.location), skipOf(data_, layout_.location), span, shortest,
                      wide);
        for (const std::uint32_t call : wide) drawCall(table, call);
        for (TextItem& name : names_) list_.items.push_back(std::move(name));
    }

    /// Where calls of a depth are too narrow for bars, its row tells by opacity how much of each column they
    /// fill, in the colour of the region that takes most of it, whatever the depth of others is.
    void showDensities(PixelItem& pixels, const LaneTable& table, TimeSpan span) const
    {
        const std::uint32_t number = layout_.location.experiment;
        const DepthDensity density(*data_.session.experiments[number], callsOf(data_, layout_.location),
                                   table,
                                   {static_cast<double>(span.begin), layout_.frame.scale.nsPerPixel(),
                                    static_cast<std::uint32_t>(pixels.columns)},
                                   layout_.rows, canvas_.px(kNarrowestBar) + 1);
        if (!density.known()) return;
        const auto columns = static_cast<std::size_t>(pixels.columns);
        for (std::uint32_t row = 0; row < layout_.rows; ++row)
            for (std::size_t column = 0; column < columns; ++column) {
                const DepthDensity::Cell& cell = density.at(row, column);
                if (cell.part <= 0) continue;
                const Color full = fromArgb(table.colors(cell.callPath)[row]);
                pixels.argb[2 * row * columns + column] = toArgb(
                    mix(theme_.background, full, kFaintest + (1 - kFaintest) * std::min(1.0F, cell.part)));
            }
    }

    /// What is too short to be drawn call by call: in each column the stack of the region that took most
    /// time.
    void drawColumns(const LaneTable& table)
    {
        const Rect& body = layout_.frame.body;
        const auto location = layout_.location.id.index();
        const std::uint32_t number = layout_.location.experiment;
        const RowSource source(callsOf(data_, layout_.location), data_.indexes[number]->locations[location]);
        std::vector<ColumnSample> columns(static_cast<std::size_t>(body.width));
        const TimeSpan span = data_.clock.toExperiment(number, layout_.frame.scale.span);
        RowSampler(data_.session.experiments[number]->callTree->regions().span())
            .sample({&source, 1},
                    {static_cast<double>(span.begin), layout_.frame.scale.nsPerPixel(),
                     static_cast<std::uint32_t>(columns.size())},
                    RowSampler::kFewCalls, columns);
        PixelItem pixels{static_cast<int>(body.x),
                         static_cast<int>(std::lround(layout_.top(0))),
                         static_cast<int>(columns.size()),
                         {},
                         {},
                         {}};
        const int gap = static_cast<int>(canvas_.px(1));
        for (std::uint32_t row = 0; row < layout_.rows; ++row) {
            pixels.heights.push_back(static_cast<int>(layout_.rowHeight) - gap);
            for (const ColumnSample& sample : columns) {
                const bool deep = sample.callPath != CallPathId::kNone && row < table.level(sample.callPath);
                pixels.argb.push_back(deep ? table.colors(sample.callPath)[row] : 0);
            }
            pixels.heights.push_back(gap);
            pixels.argb.insert(pixels.argb.end(), columns.size(), 0);
        }
        if (colors_) colors_->recolor(pixels, layout_.location, layout_.frame.scale, 2);
        else showDensities(pixels, table, span);
        markOutliers(pixels, table, span);
        list_.items.push_back(std::move(pixels));
    }

    /// Calls much longer than their region's usual keep a pixel of their row where they are too short for a
    /// bar.
    void markOutliers(PixelItem& pixels, const LaneTable& table, TimeSpan span) const
    {
        const LocationRef location = layout_.location;
        const double nsPerPixel = layout_.frame.scale.nsPerPixel();
        const auto columns = static_cast<std::size_t>(pixels.columns);
        std::vector<OutlierColumn> found;
        findOutlierColumns(
            data_.indexes[location.experiment]->locations[location.id.index()].outliers.span(),
            {static_cast<double>(span.begin), nsPerPixel, static_cast<std::uint32_t>(pixels.columns)},
            (canvas_.px(kNarrowestBar) + 1) * nsPerPixel, found);
        for (const OutlierColumn& outlier : found) {
            const std::uint32_t row = table.laneOf(outlier.callPath);
            if (!outlier.isNarrow || row >= layout_.rows) continue;
            pixels.argb[2 * row * columns + outlier.column] =
                colors_ ? toArgb(colors_->of(location, outlier.call)) : table.colors(outlier.callPath)[row];
        }
    }

    void drawCall(const LaneTable& table, std::uint32_t call)
    {
        const CallIntervals& calls = callsOf(data_, layout_.location);
        const std::uint32_t row = table.laneOf(calls.callPath[call]);
        if (row >= layout_.rows) return;
        const Rect& body = layout_.frame.body;
        const TimeSpan span = data_.clock.toSession(layout_.location.experiment, calls.span(call));
        const double left = std::max(std::round(layout_.frame.scale.toX(span.begin)), body.x - canvas_.px(2));
        const double right =
            std::min(std::round(layout_.frame.scale.toX(span.end)), body.right() + canvas_.px(2));
        const Rect bar{left, std::round(layout_.top(row)), right - left, layout_.rowHeight - canvas_.px(1)};
        if (bar.width < canvas_.px(kNarrowestBar) || bar.bottom() < body.y || bar.y > layout_.calls.bottom())
            return;
        const Color color =
            colors_ ? colors_->of(layout_.location, call) : fromArgb(table.colors(calls.callPath[call])[row]);
        const bool stroke = bar.width >= canvas_.px(kNarrowestStroke);
        const Color edge =
            stroke ? mix(color, theme_.dark ? Color{0, 0, 0} : Color{30, 34, 40}, 0.35) : Color{0, 0, 0, 0};
        list_.items.push_back(RectItem{bar, color, edge, canvas_.px(1), 0, {}});
        if (bar.width >= canvas_.px(kNarrowestNamedCall)) addName(call, bar, color);
    }

    /// Where the timeline has it: along the middle, of the row of the outermost call, which was under way
    /// whatever else was.
    void drawFlushes()
    {
        const Rect& body = layout_.frame.body;
        const auto marked = flushColumns(data_, layout_.frame.scale, body.x,
                                         static_cast<std::size_t>(body.width), layout_.location);
        if (std::find(marked.begin(), marked.end(), true) == marked.end()) return;
        const double height = std::round(canvas_.px(kFlushHeight));
        const double top = std::round(layout_.top(0) + (layout_.rowHeight - canvas_.px(1) - height) / 2);
        PixelItem band{static_cast<int>(body.x),
                       static_cast<int>(top),
                       static_cast<int>(marked.size()),
                       {static_cast<int>(height)},
                       {},
                       {}};
        for (const bool flushed : marked) band.argb.push_back(flushed ? toArgb(theme_.text) : 0);
        list_.items.push_back(std::move(band));
    }

    void addName(std::uint32_t call, Rect bar, Color color)
    {
        const Rect& body = layout_.frame.body;
        const double pad = canvas_.px(4);
        const double left = std::max(bar.x, body.x) + pad;
        const double width = std::min(bar.right(), body.right()) - pad - left;
        if (bar.height < canvas_.lineHeight() - 1) return;
        const Experiment& experiment = *data_.session.experiments[layout_.location.experiment];
        const RegionId region =
            experiment.callTree->region(CallPathId(callsOf(data_, layout_.location).callPath[call]));
        std::string name = elideName(displayName(experiment.definitions.region(region)), width,
                                     FontStyle::Small, canvas_.measure);
        if (!name.empty())
            names_.push_back({{left, bar.y, width, bar.height},
                              std::move(name),
                              textColorOn(color),
                              FontStyle::Small,
                              Align::Left,
                              {}});
    }

    /// The depth of each row, and the location's name in the corner of the caption.
    void drawLabels()
    {
        const Rect& labels = layout_.frame.labels;
        const double pad = canvas_.px(8);
        const double line = canvas_.lineHeight();
        list_.fillRect(labels, theme_.panel);
        list_.pushClip(labels);
        const auto every = static_cast<std::uint32_t>(std::max(1.0, std::ceil(line / layout_.rowHeight)));
        for (std::uint32_t row = 0; row < layout_.rows; row += every) {
            const Rect box{pad, layout_.top(row) + (layout_.rowHeight - line) / 2, labels.width - 2 * pad,
                           line};
            if (box.y >= labels.y - 1 && box.bottom() <= layout_.calls.bottom() + 1)
                list_.text(box, std::to_string(row + 1), theme_.secondaryText, FontStyle::Small,
                           Align::Right);
        }
        list_.popClip();
        list_.fillRect({labels.right() - 1, labels.y, canvas_.px(1), labels.height}, theme_.frame);
    }

    void drawCaption()
    {
        const double pad = canvas_.px(8);
        const Rect box{pad, layout_.caption.y, layout_.caption.width - 2 * pad, layout_.caption.height};
        std::string text = canvas_.style.caption;
        if (text.empty() && layout_.location.valid()) text = detailTitle(data_.session, layout_.location);
        list_.fillRect(layout_.caption, theme_.background);
        list_.text(box, elideMiddle(text, box.width, FontStyle::Bold, canvas_.measure), theme_.text,
                   FontStyle::Bold);
    }

    const TimelineData& data_;
    const ViewState& state_;
    const Canvas& canvas_;
    const Theme& theme_;
    LocationDetailLayout layout_;
    std::optional<CallColors> colors_;  ///< where calls have colours of their own
    DrawList list_;
    std::vector<TextItem> names_;
};

/// Where a call's bar is; nullopt where it is not shown here.
std::optional<Rect> barOf(const TimelineData& data, const ViewState& state,
                          const LocationDetailLayout& layout, IntervalRef interval, const Canvas& canvas)
{
    if (LocationRef{interval.experiment, interval.location} != layout.location || !canBeDrawn(data, interval))
        return std::nullopt;
    const auto stack = visibleStack(data, state, interval);
    if (stack.empty() || layout.rows == 0) return std::nullopt;
    const auto row = std::min<std::uint32_t>(static_cast<std::uint32_t>(stack.size() - 1), layout.rows - 1);
    const TimeSpan span = spanOf(data, interval);
    const Rect& body = layout.frame.body;
    const double left = std::clamp(layout.frame.scale.toX(span.begin), body.x - 8, body.right() + 8);
    const double right = std::clamp(layout.frame.scale.toX(span.end), body.x - 8, body.right() + 8);
    return Rect{std::floor(left), std::round(layout.top(row)),
                std::max(std::ceil(right - left), canvas.px(3)), layout.rowHeight - canvas.px(1)};
}

}  // namespace

LocationRef detailLocation(const TimelineData& data, const ViewState& state, LocationRef stay)
{
    const auto& selected = state.selected.locations;
    if (std::find(selected.begin(), selected.end(), stay) != selected.end() && isShown(data, state, stay))
        return stay;
    for (const LocationRef& location : state.selected.locations)
        if (isShown(data, state, location)) return location;
    for (std::uint32_t number = 0; number < data.session.experiments.size(); ++number)
        for (const LocationId id : recordedLocations(*data.session.experiments[number]))
            if (isShown(data, state, {number, id})) return {number, id};
    return {};
}

std::string detailTitle(const Session& session, LocationRef location)
{
    const std::string name = displayName(session.experiments[location.experiment]->definitions, location.id);
    return session.experiments.size() < 2 ? name
                                          : experimentTitles(session)[location.experiment] + " " + name;
}

const PeerPlace* LocationDetailLayout::peerOf(LocationId peer) const
{
    const auto found =
        std::lower_bound(peerPlaces.begin(), peerPlaces.end(), peer,
                         [](const PeerPlace& place, LocationId id) { return place.peer < id; });
    return found != peerPlaces.end() && found->peer == peer ? &*found : nullptr;
}

bool takesLongToFindMessages(const TimelineData& data, LocationRef location)
{
    constexpr std::size_t kQuickly = std::size_t{1} << 19;
    if (!location.valid()) return false;
    const auto& trace = data.session.experiments[location.experiment]->trace;
    return trace && trace->messages.size() > kQuickly;
}

LocationDetailLayout locationDetailLayout(const TimelineData& data, const ViewState& state,
                                          const LocationDetailOptions& options, const Canvas& canvas)
{
    LocationDetailLayout layout;
    const double caption = std::round(canvas.lineHeight(FontStyle::Bold) + canvas.px(8));
    layout.caption = {0, 0, static_cast<double>(canvas.width), caption};
    layout.frame = timeFrame(data, state, caption, canvas);
    layout.calls = layout.frame.body;
    layout.location = detailLocation(data, state, options.stay);
    if (!layout.location.valid()) return layout;
    const Experiment& experiment = *data.session.experiments[layout.location.experiment];
    layout.rows = std::min(kMostRows, visibleLevels(experiment, layout.location.experiment, state.filters));
    const double named = std::ceil(canvas.lineHeight()) + canvas.px(3);
    const double highest = std::round(named * 1.6);
    if (options.messages != DetailMessageDisplay::Hidden)
        layout.messages = data.messages->known(layout.location);
    placePeers(layout, data, state, layout.rows * highest, canvas);
    const double fitting = layout.rows == 0 ? named : std::floor(layout.calls.height / layout.rows);
    layout.rowHeight = std::clamp(fitting, named, highest);
    layout.maximumScroll = std::max(0.0, layout.rows * layout.rowHeight - layout.calls.height);
    layout.scroll = std::clamp(options.scroll, 0.0, layout.maximumScroll);
    return layout;
}

DrawList locationDetailScene(const TimelineData& data, const ViewState& state,
                             const LocationDetailOptions& options, const Canvas& canvas, const Task& task)
{
    const LocationRef location = detailLocation(data, state, options.stay);
    const bool wait = options.messages == DetailMessageDisplay::Shown
        || (options.messages == DetailMessageDisplay::WhenKnown && !takesLongToFindMessages(data, location));
    if (wait) data.messages->of(data.session, location, task);
    return Detail(data, state, options, canvas).draw(task);
}

DrawList locationDetailOverlay(const TimelineData& data, const ViewState& state,
                               const LocationDetailLayout& layout, const Canvas& canvas)
{
    DrawList list;
    const Theme& theme = canvas.theme();
    list.pushClip(layout.calls);
    const auto outline = [&](IntervalRef interval, Color color, double width) {
        if (const auto bar = barOf(data, state, layout, interval, canvas))
            list.strokeRect(*bar, color, canvas.px(width));
    };
    for (const IntervalRef& interval : state.hits) outline(interval, theme.accent, 1);
    for (const IntervalRef& interval : state.selected.intervals) outline(interval, theme.accent, 2);
    if (state.hover.interval.valid() && !state.hover.message.valid())
        outline(state.hover.interval, theme.hover, 1);
    list.popClip();
    list.pushClip(layout.frame.body);
    const auto message = [&](MessageRef reference, Color color, double width) {
        if (const auto placed = placedDetailMessage(data, state, layout, reference))
            drawChosenMessage(list, *placed, color, width, canvas);
    };
    for (const MessageRef& reference : state.selected.messages) message(reference, theme.messageSelected, 2);
    if (state.hover.message.valid()) message(state.hover.message, theme.hover, 1.5);
    list.popClip();
    drawTimeOverlay(list, state, layout.frame, canvas);
    return list;
}

Hover locationDetailHit(const TimelineData& data, const ViewState& state, const LocationDetailLayout& layout,
                        const Canvas& canvas, Point point)
{
    Hover hover;
    const Rect& body = layout.frame.body;
    if (!layout.location.valid() || point.x < body.x || point.x >= body.right()
        || point.y < layout.frame.ruler.y)
        return hover;
    hover.time = layout.frame.scale.toTime(point.x);
    if (!body.contains(point)) return hover;
    hover.location = layout.location;
    hover.message = detailMessageAt(detailMessages(data, state, layout), point, canvas);
    if (!layout.calls.contains(point)) return hover;
    const std::uint32_t number = layout.location.experiment;
    const CallIntervals& calls = callsOf(data, layout.location);
    const std::uint32_t inner =
        skipOf(data, layout.location).innermostAt(calls, data.clock.toExperiment(number, *hover.time));
    if (inner == kNoInterval) return hover;
    const auto stack = visibleStack(data, state, {number, layout.location.id, inner});
    const auto row = static_cast<std::size_t>(std::max(0.0, (point.y - layout.top(0)) / layout.rowHeight));
    if (row >= layout.rows || row >= stack.size()) return hover;
    const std::size_t level = row + 1 == layout.rows ? stack.size() - 1 : row;
    hover.interval = {number, layout.location.id, stack[level]};
    hover.callPath = {number, CallPathId(calls.callPath[stack[level]])};
    hover.region = {number, data.session.experiments[number]->callTree->region(hover.callPath.id)};
    return hover;
}

}  // namespace skein
