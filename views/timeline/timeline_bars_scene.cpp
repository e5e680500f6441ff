// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_bars_scene.h"

#include "views/common/scene/call_colors.h"
#include "views/common/scene/call_stack.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

constexpr double kNarrowestMark = 4;    ///< calls narrower than this get no line at their entry
constexpr double kNarrowestLabel = 26;  ///< nor a name when narrower than this, in logical pixels
constexpr std::size_t kMostLabels = 4000;
constexpr std::uint32_t kNobody = CallPathId::kNone;

std::uint32_t darker(std::uint32_t argb, double part, bool dark)
{
    return toArgb(mix(fromArgb(argb), dark ? Color{0, 0, 0} : Color{30, 34, 40}, part));
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
                           const TimelineLayout& layout, const TextMeasure& measure)
    : data_(data), state_(state), options_(options), layout_(layout), measure_(measure),
      lanes_(lanesOf(data, options, layout, measure)), styles_(data.session.experiments.size()),
      columns_(static_cast<std::size_t>(layout.body.width)), gap_(rowGap(layout.rowHeight, options.scale))
{
}

const LaneTable& TimelineBars::tableOf(std::uint32_t experiment)
{
    ExperimentStyle& style = styles_[experiment];
    if (!style.tables.empty()) return style.tables.front();
    const Experiment& opened = *data_.session.experiments[experiment];
    style.palette = regionPalette(opened.definitions, options_.theme.dark);
    style.tables.emplace_back(opened, experiment, state_, style.palette, options_.theme.background, lanes_.count());
    return style.tables.front();
}

void TimelineBars::draw(DrawList& list, const Task& task)
{
    const auto bodyTop = static_cast<int>(layout_.body.y);
    const auto bodyBottom = static_cast<int>(layout_.body.bottom());
    list.pushClip(layout_.body);
    const auto& places = layout_.places;
    for (std::size_t index = 0; index < places.size() && !task.stopRequested();) {
        const PlacedRow& place = places[index];
        const TimelineRow& row = layout_.rows[place.row];
        const int top = static_cast<int>(std::lround(place.y));
        const int bottom = static_cast<int>(std::lround(place.y + place.height));
        if (top >= bodyBottom) break;
        std::size_t next = index + 1;
        if (row.kind == TimelineRowKind::Location && bottom > bodyTop - 1) {
            while (next < places.size() && layout_.rows[places[next].row].kind == TimelineRowKind::Location &&
                   std::lround(places[next].y) == top)
                ++next;
            if (next > index + 1) drawMerged(list, std::span(places).subspan(index, next - index), top);
            else if (bottom > top) drawRow(list, row, top, bottom);
        }
        index = next;
    }
    list.popClip();
}

void TimelineBars::drawLabels(DrawList& list)
{
    list.pushClip(layout_.body);
    for (TextItem& label : labels_) list.items.push_back(std::move(label));
    labels_.clear();
    list.popClip();
}

void TimelineBars::sampleRow(const TimelineRow& row)
{
    const std::uint32_t experiment = row.location.experiment;
    const Experiment& opened = *data_.session.experiments[experiment];
    const std::size_t location = row.location.id.index();
    ColumnSampler sampler(*opened.callTree, opened.trace->locations[location].intervals,
                          data_.indexes[experiment]->locations[location]);
    const TimeSpan span = data_.clock.toExperiment(experiment, layout_.scale.span);
    sampler.sample({static_cast<double>(span.begin), layout_.scale.nsPerPixel(), static_cast<std::uint32_t>(columns_.size())},
                   columns_);
}

PixelItem TimelineBars::pixelsOf(const LaneTable& table, int top, int height) const
{
    PixelItem pixels;
    pixels.x = static_cast<int>(layout_.body.x);
    pixels.y = top;
    pixels.columns = static_cast<int>(columns_.size());
    const std::uint32_t lanes = table.lanes();
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const double laneBottom = lane + 1 == lanes ? height : lanes_.bottom(lane);
        pixels.heights.push_back(static_cast<int>(laneBottom) - static_cast<int>(lanes_.tops[lane]));
    }
    pixels.argb.assign(columns_.size() * lanes, 0);
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        if (columns_[column].callPath == kNobody) continue;
        const std::uint32_t* colors = table.colors(columns_[column].callPath);
        for (std::uint32_t lane = 0; lane < lanes; ++lane) pixels.argb[lane * columns_.size() + column] = colors[lane];
    }
    return pixels;
}

void TimelineBars::drawRow(DrawList& list, const TimelineRow& row, int top, int bottom)
{
    const LaneTable& table = tableOf(row.location.experiment);
    sampleRow(row);
    const int height = std::max(1, bottom - top - gap_);
    PixelItem pixels = pixelsOf(table, top, height);
    if (CallColors::wanted(state_)) CallColors(data_, state_, options_.theme.dark).recolor(pixels, row.location, layout_.scale, 1);
    drawWideCalls(pixels, row, table, top);
    list.items.push_back(std::move(pixels));
}

void TimelineBars::drawMerged(DrawList& list, std::span<const PlacedRow> places, int top)
{
    struct Vote {
        std::uint32_t color;
        float timeNs;
    };
    std::vector<std::vector<Vote>> votes(columns_.size());
    for (const PlacedRow& place : places) {
        const TimelineRow& row = layout_.rows[place.row];
        const LaneTable& table = tableOf(row.location.experiment);
        sampleRow(row);
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            if (columns_[column].callPath == kNobody) continue;
            const std::uint32_t color = table.colors(columns_[column].callPath)[table.lanes() - 1];
            auto found = std::find_if(votes[column].begin(), votes[column].end(), [&](const Vote& v) { return v.color == color; });
            if (found == votes[column].end()) votes[column].push_back({color, columns_[column].timeNs});
            else found->timeNs += columns_[column].timeNs;
        }
    }
    PixelItem pixels{static_cast<int>(layout_.body.x), top, static_cast<int>(columns_.size()), {1}, {}, {}};
    for (const auto& candidates : votes) {
        const auto best = std::max_element(candidates.begin(), candidates.end(),
                                           [](const Vote& a, const Vote& b) { return a.timeNs < b.timeNs; });
        pixels.argb.push_back(best == candidates.end() ? 0 : best->color);
    }
    list.items.push_back(std::move(pixels));
}

void TimelineBars::drawWideCalls(PixelItem& pixels, const TimelineRow& row, const LaneTable& table, int top)
{
    const std::uint32_t experiment = row.location.experiment;
    const std::size_t location = row.location.id.index();
    const CallIntervals& calls = data_.session.experiments[experiment]->trace->locations[location].intervals;
    const IntervalSkip& skip = data_.indexes[experiment]->locations[location].skip;
    const TimeSpan span = data_.clock.toExperiment(experiment, layout_.scale.span);
    if (calls.size() == 0 || pixels.heights.back() < 3) return;
    const auto shortest = static_cast<TimeNs>(std::ceil(kNarrowestMark * layout_.scale.nsPerPixel()));
    visitLongCalls(calls, skip, span, shortest, [&](std::uint32_t call) { visitCall(pixels, row, table, call, top); });
}

void TimelineBars::visitCall(PixelItem& pixels, const TimelineRow& row, const LaneTable& table, std::uint32_t call, int top)
{
    const std::uint32_t experiment = row.location.experiment;
    const CallIntervals& calls = data_.session.experiments[experiment]->trace->locations[row.location.id.index()].intervals;
    const std::uint32_t lane = table.laneOf(calls.callPath[call]);
    if (lane >= table.lanes()) return;
    const TimeSpan span = data_.clock.toSession(experiment, calls.span(call));
    const double left = std::max(layout_.scale.toX(span.begin), layout_.body.x);
    const double right = std::min(layout_.scale.toX(span.end), layout_.body.right());
    if (span.begin > layout_.scale.span.begin) markEntry(pixels, lane, left - layout_.body.x);
    if (right - left < kNarrowestLabel * options_.scale || labels_.size() >= kMostLabels) return;
    const bool calledNobody = call + 1 == calls.size() || calls.depth[call + 1] <= calls.depth[call];
    const bool lastLane = lane + 1 == table.lanes();
    // In the last lane callees cover their callers.
    if (lastLane && !calledNobody) return;
    const double height = std::accumulate(pixels.heights.begin(), pixels.heights.end(), 0);
    const double bottom = calledNobody ? height : lanes_.bottom(lane);
    const Rect bar{left, top + lanes_.tops[lane], right - left, bottom - lanes_.tops[lane]};
    addLabel(row, call, bar, CallColors::wanted(state_) ? CallColors(data_, state_, options_.theme.dark).of(row.location, call)
                                                   : fromArgb(table.colors(calls.callPath[call])[lane]));
}

void TimelineBars::markEntry(PixelItem& pixels, std::uint32_t lane, double x) const
{
    const auto column = static_cast<std::size_t>(std::clamp(x, 0.0, static_cast<double>(columns_.size() - 1)));
    for (std::size_t below = lane; below < pixels.heights.size(); ++below) {
        std::uint32_t& pixel = pixels.argb[below * columns_.size() + column];
        pixel = darker(pixel == 0 ? toArgb(options_.theme.background) : pixel, 0.28, options_.theme.dark);
    }
}

/// The region's name shortened to a width; widths are rounded down to steps, so that each is worked out once.
const std::string& TimelineBars::nameFor(const Experiment& experiment, std::uint32_t number, RegionId region, double width)
{
    constexpr double kStep = 6;
    constexpr double kWidest = 6000;
    const auto steps = static_cast<std::uint64_t>(std::min(width, kWidest) / kStep);
    const std::uint64_t key = std::uint64_t{number} << 48 ^ std::uint64_t{region.value()} << 16 ^ steps;
    const auto [entry, added] = names_.try_emplace(key);
    if (added)
        entry->second = elideName(displayName(experiment.definitions.region(region)), static_cast<double>(steps) * kStep,
                                  FontStyle::Small, measure_);
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
    if (!text.empty()) labels_.push_back({box, std::move(text), textColorOn(color), FontStyle::Small, Align::Left, {}});
}

}  // namespace skein
