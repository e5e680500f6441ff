// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_row_painter_scene.h"

#include "views/common/scene/calls/call_stack.h"
#include "views/common/scene/drawing/pixel_runs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace skein {
namespace {

constexpr double kNarrowestName = 26;         ///< logical pixels; narrower calls get none
constexpr double kLowestWithOutlierLine = 6;  ///< rows of many locations, in logical pixels
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

}  // namespace

int rowGap(double rowHeight, double scale)
{
    if (rowHeight < 6 * scale) return 0;
    return std::max(1, static_cast<int>(std::lround((rowHeight < 20 * scale ? 1 : 3) * scale)));
}

TimelineRowPainter::TimelineRowPainter(const TimelineRowContext& context)
    : context_(context),
      data_(context.data),
      options_(context.options),
      layout_(context.layout),
      lanes_(context.lanes),
      colors_(context.colors),
      samples_(context.data, context.options, context.layout, context.keeping)
{
}

DrawnRow TimelineRowPainter::draw(const BarRow& bars, const Task& task)
{
    drawn_ = {};
    firstColumns_.clear();
    if (bars.rows.size() == 1 && rowOf(bars.rows.front()).folded.empty()) drawRow(bars);
    else drawTogether(bars, task);
    return std::move(drawn_);
}

PixelItem TimelineRowPainter::pixelsOf(const LaneTable& table, int top, int height) const
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

void TimelineRowPainter::drawRow(const BarRow& bars)
{
    if (bars.bottom <= bars.top) return;
    const TimelineRow& row = rowOf(bars.rows.front());
    const TimelineRowStyle& style = styleOf(row.location);
    samples_.take(row.location, bars.number);
    const int gap = rowGap(layout_.rowHeight, options_.scale);
    PixelItem pixels = pixelsOf(style.table, bars.top, std::max(1, bars.bottom - bars.top - gap));
    divided_.assign(samples_.columns().size(), 0);
    if (colors_) colors_->recolor(pixels, row.location, layout_.scale, 1, options_.detail.colorPx());
    else if (options_.detail.dividesColumns()) divided_ = ShareBands::crowded(samples_.columns());
    markOutliers(pixels, style.table);
    drawWideCalls(pixels, row, style.table, bars.top);
    divide(pixels, style);
    markEntriesOfBands(pixels);
    markOutliersBelow(pixels, style.table);
    drawn_.pixels = std::move(pixels);
}

void TimelineRowPainter::divide(PixelItem& pixels, const TimelineRowStyle& style)
{
    std::sort(entries_.begin(), entries_.end());
    entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
    const std::vector<std::size_t> marked = markedColumns(style.table);
    style.bands.divide(pixels, samples_.columns(), divided_, options_.scale, marked);
    if (!marked.empty() && !pixels.widths.empty()) firstColumns_ = firstColumns(pixels);
}

/// Outliers keep their column, with the calls around them. In the last lane callees cover their callers.
void TimelineRowPainter::markOutliers(PixelItem& pixels, const LaneTable& table) const
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

void TimelineRowPainter::drawTogether(const BarRow& bars, const Task& task)
{
    std::vector<LocationRef> locations;
    for (const PlacedRow& place : bars.rows) {
        const TimelineRow& row = rowOf(place);
        if (row.folded.empty()) locations.push_back(row.location);
        else locations.insert(locations.end(), row.folded.begin(), row.folded.end());
    }
    const TimelineRowStyle& style = styleOf(locations.front());
    samples_.takeTogether(locations, task, bars.number);
    const int height = bars.bottom - bars.top;
    PixelItem pixels = blockTogether(bars.top, std::max(1, height - rowGap(height, options_.scale)));
    divided_.assign(samples_.columns().size(), 1);
    entries_.clear();
    if (!colors_ && options_.detail.dividesColumns()) divide(pixels, style);
    else showMost(pixels, style.table, locations);
    markOutliersBelow(pixels, style.table);
    drawn_.pixels = std::move(pixels);
}

/// High rows have a second line of pixels below, for outliers.
PixelItem TimelineRowPainter::blockTogether(int top, int height) const
{
    PixelItem pixels{
        static_cast<int>(layout_.body.x), top, static_cast<int>(samples_.columns().size()), {height}, {}, {}};
    if (height >= kLowestWithOutlierLine * options_.scale) pixels.heights = {height - height / 3, height / 3};
    return pixels;
}

/// What took most time in each column.
void TimelineRowPainter::showMost(PixelItem& pixels, const LaneTable& table,
                                  std::span<const LocationRef> locations)
{
    const std::span<const ColumnSample> columns = samples_.columns();
    pixels.argb.reserve(columns.size() * pixels.heights.size());
    const std::uint32_t innermost = table.lanes() - 1;
    for (const ColumnSample& column : columns)
        pixels.argb.push_back(column.callPath == kNobody ? 0 : table.colors(column.callPath)[innermost]);
    if (pixels.heights.size() > 1)
        pixels.argb.insert(pixels.argb.end(), pixels.argb.begin(), pixels.argb.begin() + pixels.columns);
    if (colors_)
        colors_->recolorTogether(pixels, locations, columns, layout_.scale, options_.detail.colorPx());
}

/// Of divided ones those in which an entry or an outlier is marked. Ascending.
std::vector<std::size_t> TimelineRowPainter::markedColumns(const LaneTable& table) const
{
    std::vector<std::size_t> columns = entries_;
    for (const RowSamples::Outlier& outlier : samples_.outliers())
        if (isMarkedBelow(outlier, table)) columns.push_back(outlier.column);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
}

/// Of the value that shows a column, in a scanline.
std::size_t TimelineRowPainter::placeOf(std::size_t column) const
{
    if (firstColumns_.empty()) return column;
    const auto after = std::upper_bound(firstColumns_.begin(), firstColumns_.end(), static_cast<int>(column));
    return static_cast<std::size_t>(after - firstColumns_.begin()) - 1;
}

bool TimelineRowPainter::isMarkedBelow(const RowSamples::Outlier& outlier, const LaneTable& table) const
{
    return divided_[outlier.column] && table.laneOf(outlier.callPath) < table.lanes();
}

/// Of columns that are divided, in the lowest sixth: among many calls or locations there may be one in every
/// other column, and the bands stay to be seen above.
void TimelineRowPainter::markOutliersBelow(PixelItem& pixels, const LaneTable& table) const
{
    const std::size_t values = valuesPerLine(pixels);
    const int height = std::accumulate(pixels.heights.begin(), pixels.heights.end(), 0);
    std::size_t first = pixels.heights.size() - 1;
    for (int top = height - pixels.heights[first];
         first > 0 && top - pixels.heights[first - 1] >= height - height / 6;)
        top -= pixels.heights[--first];
    for (const RowSamples::Outlier& outlier : samples_.outliers()) {
        if (!isMarkedBelow(outlier, table)) continue;
        const std::uint32_t color = colors_ ? toArgb(colors_->of(outlier.location, outlier.call))
                                            : table.colors(outlier.callPath)[table.lanes() - 1];
        for (std::size_t line = first; line < pixels.heights.size(); ++line)
            pixels.argb[line * values + placeOf(outlier.column)] = color;
    }
}

void TimelineRowPainter::drawWideCalls(PixelItem& pixels, const TimelineRow& row, const LaneTable& table,
                                       int top)
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

void TimelineRowPainter::visitCall(PixelItem& pixels, const TimelineRow& row, const LaneTable& table,
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
    if (right - left < kNarrowestName * options_.scale) return;
    if (isDivided(left, right)) return;
    const bool calledNobody = call + 1 == calls.size() || calls.depth[call + 1] <= calls.depth[call];
    const bool lastLane = lane + 1 == table.lanes();
    // In the last lane callees cover their callers.
    if (lastLane && !calledNobody) return;
    const double height = std::accumulate(pixels.heights.begin(), pixels.heights.end(), 0);
    const double bottom = calledNobody ? height : lanes_.bottom(lane);
    const Rect bar{left, top + lanes_.tops[lane], right - left, bottom - lanes_.tops[lane]};
    addName(row, call, bar,
            colors_ ? colors_->of(row.location, call) : fromArgb(table.colors(calls.callPath[call])[lane]));
}

void TimelineRowPainter::markEntry(PixelItem& pixels, std::uint32_t lane, double x)
{
    const auto column = static_cast<std::size_t>(std::clamp(x, 0.0, static_cast<double>(pixels.columns - 1)));
    if (divided_[column]) return entries_.push_back(column);
    for (std::size_t below = lane; below < pixels.heights.size(); ++below) {
        std::uint32_t& pixel = pixels.argb[below * static_cast<std::size_t>(pixels.columns) + column];
        pixel = darker(pixel == 0 ? toArgb(options_.theme.background) : pixel, options_.theme.dark);
    }
}

/// Through all bands, once.
void TimelineRowPainter::markEntriesOfBands(PixelItem& pixels) const
{
    const std::size_t values = valuesPerLine(pixels);
    for (const std::size_t column : entries_)
        for (std::size_t line = 0; line < pixels.heights.size(); ++line) {
            std::uint32_t& pixel = pixels.argb[line * values + placeOf(column)];
            pixel = darker(pixel == 0 ? toArgb(options_.theme.background) : pixel, options_.theme.dark);
        }
}

/// Whether bands stand where most of a name would.
bool TimelineRowPainter::isDivided(double left, double right) const
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

void TimelineRowPainter::addName(const TimelineRow& row, std::uint32_t call, const Rect& bar, Color color)
{
    if (bar.height < context_.lowestName) return;
    const CallTree& tree = *data_.session.experiments[row.location.experiment]->callTree;
    const CallPathId path(callsOf(data_, row.location).callPath[call]);
    drawn_.names.push_back({bar, {row.location.experiment, tree.region(path)}, color});
}

}  // namespace skein
