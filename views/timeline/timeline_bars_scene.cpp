// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_bars_scene.h"

#include "views/common/scene/calls/call_stack.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

constexpr double kNarrowestLabel = 26;        ///< logical pixels; narrower calls get no name
constexpr double kLowestWithOutlierLine = 6;  ///< rows of many locations, in logical pixels
constexpr std::size_t kMostLabels = 4000;
constexpr std::uint32_t kNobody = CallPathId::kNone;

/// Colour of the line at a call's entry: 72/256 of nearly black over what is there. In whole numbers: there
/// may be hundreds of thousands.
std::uint32_t darker(std::uint32_t argb, bool dark)
{
    constexpr std::uint32_t kPart = 72;
    const std::uint32_t over = dark ? 0 : 0x1E2228;
    const std::uint32_t redBlue =
        (((argb & 0xFF00FFu) * (256 - kPart) + (over & 0xFF00FFu) * kPart) >> 8) & 0xFF00FFu;
    const std::uint32_t green =
        (((argb & 0x00FF00u) * (256 - kPart) + (over & 0x00FF00u) * kPart) >> 8) & 0x00FF00u;
    return 0xFF000000u | redBlue | green;
}

std::uint32_t deepest(const TimelineData& data)
{
    std::uint32_t depth = 1;
    for (const TimelineIndexPtr& index : data.indexes)
        if (index) depth = std::max(depth, index->maximumDepth);
    return depth;
}

}  // namespace

int rowGap(double rowHeight, double scale)
{
    if (rowHeight < 6 * scale) return 0;
    return std::max(1, static_cast<int>(std::lround((rowHeight < 20 * scale ? 1 : 3) * scale)));
}

LaneLayout lanesOf(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
                   const TextMeasure& measure)
{
    const int gap = rowGap(layout.rowHeight, options.scale);
    return laneLayout(std::floor(layout.rowHeight) - gap, deepest(data), options.scale,
                      measure.lineHeight(FontStyle::Small));
}

TimelineBars::TimelineBars(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                           const TimelineLayout& layout, const TextMeasure& measure, SampleKeeping keeping)
    : data_(data),
      state_(state),
      options_(options),
      layout_(layout),
      measure_(measure),
      lanes_(lanesOf(data, options, layout, measure)),
      styles_(data.session.experiments.size()),
      samples_(data, options, layout, keeping),
      gap_(rowGap(layout.rowHeight, options.scale))
{
}

const LaneTable& TimelineBars::tableOf(std::uint32_t experiment)
{
    ExperimentStyle& style = styles_[experiment];
    if (!style.tables.empty()) return style.tables.front();
    const Experiment& opened = *data_.session.experiments[experiment];
    if (!groups_) groups_.emplace(data_.session, state_.grouping);
    style.palette = regionPalette(*groups_, experiment, options_.theme);
    style.tables.emplace_back(opened, experiment, state_, style.palette, options_.theme.background,
                              lanes_.count());
    style.bands.emplace(opened, experiment, state_, style.palette, options_.theme.background,
                        style.tables.front());
    return style.tables.front();
}

void TimelineBars::draw(DrawList& list, const Task& task)
{
    if (CallColors::wanted(state_)) colors_.emplace(data_, state_, options_.theme.dark, task);
    list.pushClip(layout_.body);
    const std::span<const PlacedRow> places = layout_.places;
    for (std::size_t index = 0; index < places.size() && !task.stopRequested();) {
        const std::span<const PlacedRow> group = places.subspan(index, rowsDrawnAsOne(index));
        index += group.size();
        const int top = static_cast<int>(std::lround(group.front().y));
        const int bottom = static_cast<int>(std::lround(group.back().y + group.back().height));
        if (top >= static_cast<int>(layout_.body.bottom())) break;
        if (bottom < static_cast<int>(layout_.body.y)) continue;
        drawGroup(list, group, top, bottom, task);
    }
    list.popClip();
}

void TimelineBars::drawGroup(DrawList& list, std::span<const PlacedRow> group, int top, int bottom,
                             const Task& task)
{
    const TimelineRow& first = rowOf(group.front());
    if (isHeader(first)) return;
    if (group.size() == 1 && first.folded.empty()) {
        if (bottom > top) drawRow(list, first, top, bottom);
        return;
    }
    std::vector<LocationRef> locations;
    for (const PlacedRow& place : group) {
        const TimelineRow& row = rowOf(place);
        if (row.folded.empty()) locations.push_back(row.location);
        else locations.insert(locations.end(), row.folded.begin(), row.folded.end());
    }
    drawTogether(list, locations, top, bottom - top - rowGap(bottom - top, options_.scale), task);
}

/// Rows lower than a pixel are drawn in bundles: those of the index where all of one stand together,
/// otherwise as many. Of groups that are collapsed those of a pixel.
std::size_t TimelineBars::rowsDrawnAsOne(std::size_t first) const
{
    const TimelineRow& row = rowOf(layout_.places[first]);
    if (isHeader(row) || layout_.rowHeight >= 1) return 1;
    if (!row.folded.empty()) return collapsedRowsOfPixel(first);
    const auto bundleOf = [](const TimelineRow& of) {
        return of.location.id.value() / TimelineIndex::kBundle;
    };
    std::size_t last = first + 1;
    while (last < layout_.places.size() && last - first < TimelineIndex::kBundle) {
        const TimelineRow& next = rowOf(layout_.places[last]);
        if (next.kind != TimelineRowKind::Location || next.location.experiment != row.location.experiment
            || bundleOf(next) != bundleOf(row))
            break;
        ++last;
    }
    return last - first;
}

std::size_t TimelineBars::collapsedRowsOfPixel(std::size_t first) const
{
    const double bottom = std::lround(layout_.places[first].y) + 1.5;
    const std::uint32_t experiment = rowOf(layout_.places[first]).location.experiment;
    std::size_t last = first + 1;
    for (; last < layout_.places.size(); ++last) {
        const PlacedRow& place = layout_.places[last];
        const TimelineRow& next = rowOf(place);
        if (next.folded.empty() || next.location.experiment != experiment || place.y + place.height >= bottom)
            break;
    }
    return last - first;
}

void TimelineBars::drawLabels(DrawList& list)
{
    list.pushClip(layout_.body);
    for (TextItem& label : labels_) list.items.push_back(std::move(label));
    labels_.clear();
    list.popClip();
}

PixelItem TimelineBars::pixelsOf(const LaneTable& table, int top, int height) const
{
    const std::span<const ColumnSample> columns = samples_.columns();
    PixelItem pixels{static_cast<int>(layout_.body.x), top, static_cast<int>(columns.size()), {}, {}, {}};
    const std::uint32_t lanes = table.lanes();
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const double laneBottom = lane + 1 == lanes ? height : lanes_.bottom(lane);
        pixels.heights.push_back(static_cast<int>(laneBottom) - static_cast<int>(lanes_.tops[lane]));
    }
    pixels.argb.resize(columns.size() * lanes);
    const std::vector<std::uint32_t> nothing(lanes);
    const auto colorsOf = [&](std::size_t column) {
        return columns[column].callPath == kNobody ? nothing.data() : table.colors(columns[column].callPath);
    };
    // Four columns at a time: each lane lies elsewhere in memory.
    std::size_t column = 0;
    for (; column + 4 <= columns.size(); column += 4) {
        const std::uint32_t* const colors[] = {colorsOf(column), colorsOf(column + 1), colorsOf(column + 2),
                                               colorsOf(column + 3)};
        std::uint32_t* to = pixels.argb.data() + column;
        for (std::uint32_t lane = 0; lane < lanes; ++lane, to += columns.size())
            for (std::size_t next = 0; next < 4; ++next) to[next] = colors[next][lane];
    }
    for (; column < columns.size(); ++column)
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            pixels.argb[lane * columns.size() + column] = colorsOf(column)[lane];
    return pixels;
}

void TimelineBars::drawRow(DrawList& list, const TimelineRow& row, int top, int bottom)
{
    const LaneTable& table = tableOf(row.location.experiment);
    samples_.take(row.location);
    const int height = std::max(1, bottom - top - gap_);
    PixelItem pixels = pixelsOf(table, top, height);
    divided_.assign(samples_.columns().size(), 0);
    if (colors_) colors_->recolor(pixels, row.location, layout_.scale, 1, options_.detail.colorPx());
    else if (options_.detail.dividesColumns()) divided_ = ShareBands::crowded(samples_.columns());
    markOutliers(pixels, table);
    drawWideCalls(pixels, row, table, top);
    styles_[row.location.experiment].bands->divide(pixels, samples_.columns(), divided_, options_.scale);
    markEntriesOfBands(pixels);
    markOutliersBelow(pixels, table);
    list.items.push_back(std::move(pixels));
}

/// Outliers keep their column, with the calls around them. In the last lane callees cover their callers.
void TimelineBars::markOutliers(PixelItem& pixels, const LaneTable& table) const
{
    const std::size_t columns = samples_.columns().size();
    for (const RowSamples::Outlier& outlier : samples_.outliers()) {
        const std::uint32_t own = table.laneOf(outlier.callPath);
        if (own >= table.lanes() || (!outlier.isNarrow && own + 1 < table.lanes())) continue;
        const std::uint32_t* colors = table.colors(outlier.callPath);
        for (std::uint32_t lane = 0; lane < table.lanes(); ++lane) {
            std::uint32_t& pixel = pixels.argb[lane * columns + outlier.column];
            // Where calls have colours of their own, those around it keep theirs.
            if (!colors_) pixel = colors[lane];
            else if (lane >= own) pixel = toArgb(colors_->of(outlier.location, outlier.call));
        }
    }
}

void TimelineBars::drawTogether(DrawList& list, std::span<const LocationRef> locations, int top, int height,
                                const Task& task)
{
    const LaneTable& table = tableOf(locations.front().experiment);
    samples_.takeTogether(locations, task);
    PixelItem pixels = pixelsTogether(table, top, std::max(1, height));
    if (colors_)
        colors_->recolorTogether(pixels, locations, samples_.columns(), layout_.scale,
                                 options_.detail.colorPx());
    divided_.assign(samples_.columns().size(), 1);
    if (!colors_ && options_.detail.dividesColumns())
        styles_[locations.front().experiment].bands->divide(pixels, samples_.columns(), divided_,
                                                            options_.scale);
    markOutliersBelow(pixels, table);
    list.items.push_back(std::move(pixels));
}

/// High rows have a second line of pixels below, for outliers.
PixelItem TimelineBars::pixelsTogether(const LaneTable& table, int top, int height) const
{
    const std::span<const ColumnSample> columns = samples_.columns();
    PixelItem pixels{
        static_cast<int>(layout_.body.x), top, static_cast<int>(columns.size()), {height}, {}, {}};
    if (height >= kLowestWithOutlierLine * options_.scale) pixels.heights = {height - height / 3, height / 3};
    pixels.argb.reserve(columns.size() * pixels.heights.size());
    const std::uint32_t innermost = table.lanes() - 1;
    for (const ColumnSample& column : columns)
        pixels.argb.push_back(column.callPath == kNobody ? 0 : table.colors(column.callPath)[innermost]);
    if (pixels.heights.size() > 1)
        pixels.argb.insert(pixels.argb.end(), pixels.argb.begin(), pixels.argb.begin() + pixels.columns);
    return pixels;
}

/// Of columns that are divided, in the lowest sixth: among many calls or locations there may be one in every
/// other column, and the bands stay to be seen above.
void TimelineBars::markOutliersBelow(PixelItem& pixels, const LaneTable& table) const
{
    const auto columns = static_cast<std::size_t>(pixels.columns);
    const int height = std::accumulate(pixels.heights.begin(), pixels.heights.end(), 0);
    std::size_t first = pixels.heights.size() - 1;
    for (int top = height - pixels.heights[first];
         first > 0 && top - pixels.heights[first - 1] >= height - height / 6;)
        top -= pixels.heights[--first];
    for (const RowSamples::Outlier& outlier : samples_.outliers()) {
        if (!divided_[outlier.column] || table.laneOf(outlier.callPath) >= table.lanes()) continue;
        const std::uint32_t color = colors_ ? toArgb(colors_->of(outlier.location, outlier.call))
                                            : table.colors(outlier.callPath)[table.lanes() - 1];
        for (std::size_t line = first; line < pixels.heights.size(); ++line)
            pixels.argb[line * columns + outlier.column] = color;
    }
}

void TimelineBars::drawWideCalls(PixelItem& pixels, const TimelineRow& row, const LaneTable& table, int top)
{
    const std::uint32_t experiment = row.location.experiment;
    const std::size_t location = row.location.id.index();
    const CallIntervals& calls = data_.session.experiments[experiment]->trace->locations[location].intervals;
    const IntervalSkip& skip = data_.indexes[experiment]->locations[location].skip;
    const TimeSpan span = data_.clock.toExperiment(experiment, layout_.scale.span);
    entries_.clear();
    if (calls.size() == 0 || pixels.heights.back() < 3) return;
    const auto shortest =
        static_cast<TimeNs>(std::ceil(options_.detail.narrowestMarkPx() * layout_.scale.nsPerPixel()));
    findLongCalls(calls, skip, span, shortest, wide_);
    // They lie far apart in memory.
    for (const std::uint32_t call : wide_) {
        __builtin_prefetch(calls.callPath.data() + call);
        __builtin_prefetch(calls.depth.data() + call);
    }
    for (const std::uint32_t call : wide_) visitCall(pixels, row, table, call, top);
}

void TimelineBars::visitCall(PixelItem& pixels, const TimelineRow& row, const LaneTable& table,
                             std::uint32_t call, int top)
{
    const std::uint32_t experiment = row.location.experiment;
    const CallIntervals& calls =
        data_.session.experiments[experiment]->trace->locations[row.location.id.index()].intervals;
    const std::uint32_t lane = table.laneOf(calls.callPath[call]);
    if (lane >= table.lanes()) return;
    const TimeSpan span = data_.clock.toSession(experiment, calls.span(call));
    const double left = std::max(layout_.scale.toX(span.begin), layout_.body.x);
    const double right = std::min(layout_.scale.toX(span.end), layout_.body.right());
    if (span.begin > layout_.scale.span.begin) markEntry(pixels, lane, left - layout_.body.x);
    if (right - left < kNarrowestLabel * options_.scale || labels_.size() >= kMostLabels) return;
    if (isDivided(left, right)) return;
    const bool calledNobody = call + 1 == calls.size() || calls.depth[call + 1] <= calls.depth[call];
    const bool lastLane = lane + 1 == table.lanes();
    // In the last lane callees cover their callers.
    if (lastLane && !calledNobody) return;
    const double height = std::accumulate(pixels.heights.begin(), pixels.heights.end(), 0);
    const double bottom = calledNobody ? height : lanes_.bottom(lane);
    const Rect bar{left, top + lanes_.tops[lane], right - left, bottom - lanes_.tops[lane]};
    addLabel(row, call, bar,
             colors_ ? colors_->of(row.location, call) : fromArgb(table.colors(calls.callPath[call])[lane]));
}

void TimelineBars::markEntry(PixelItem& pixels, std::uint32_t lane, double x)
{
    const auto column = static_cast<std::size_t>(std::clamp(x, 0.0, static_cast<double>(pixels.columns - 1)));
    if (divided_[column]) return entries_.push_back(column);
    for (std::size_t below = lane; below < pixels.heights.size(); ++below) {
        std::uint32_t& pixel = pixels.argb[below * static_cast<std::size_t>(pixels.columns) + column];
        pixel = darker(pixel == 0 ? toArgb(options_.theme.background) : pixel, options_.theme.dark);
    }
}

/// Through all bands, once.
void TimelineBars::markEntriesOfBands(PixelItem& pixels)
{
    std::sort(entries_.begin(), entries_.end());
    entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
    for (const std::size_t column : entries_)
        for (std::size_t line = 0; line < pixels.heights.size(); ++line) {
            std::uint32_t& pixel = pixels.argb[line * static_cast<std::size_t>(pixels.columns) + column];
            pixel = darker(pixel == 0 ? toArgb(options_.theme.background) : pixel, options_.theme.dark);
        }
}

/// Whether bands stand where most of a name would.
bool TimelineBars::isDivided(double left, double right) const
{
    constexpr double kUsualName = 160;
    const auto column = [&](double x) {
        return divided_.begin()
            + static_cast<std::ptrdiff_t>(
                   std::clamp(x - layout_.body.x, 0.0, static_cast<double>(divided_.size())));
    };
    const auto end = column(std::min(right, left + kUsualName * options_.scale));
    return 2 * std::count(column(left), end, 1) > end - column(left);
}

/// The region's name shortened to a width; widths are rounded down to steps, so that each is worked out once.
const std::string& TimelineBars::nameFor(const Experiment& experiment, std::uint32_t number, RegionId region,
                                         double width)
{
    constexpr double kStep = 6;
    constexpr double kWidest = 6000;
    const auto steps = static_cast<std::uint64_t>(std::min(width, kWidest) / kStep);
    const std::uint64_t key = std::uint64_t{number} << 48 ^ std::uint64_t{region.value()} << 16 ^ steps;
    const auto [entry, added] = names_.try_emplace(key);
    if (added)
        entry->second = elideName(displayName(experiment.definitions.region(region)),
                                  static_cast<double>(steps) * kStep, FontStyle::Small, measure_);
    return entry->second;
}

void TimelineBars::addLabel(const TimelineRow& row, std::uint32_t call, const Rect& bar, Color color)
{
    if (bar.height < measure_.lineHeight(FontStyle::Small) - 1) return;
    const Experiment& experiment = *data_.session.experiments[row.location.experiment];
    const CallIntervals& calls = experiment.trace->locations[row.location.id.index()].intervals;
    const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[call]));
    const double pad = 4 * options_.scale;
    const Rect box{bar.x + pad, bar.y, bar.width - 2 * pad, bar.height};
    std::string text = nameFor(experiment, row.location.experiment, region, box.width);
    if (!text.empty())
        labels_.push_back({box, std::move(text), textColorOn(color), FontStyle::Small, Align::Left, {}});
}

}  // namespace skein
