// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_bars_scene.h"

#include "core/base/parallel_for.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace skein {
namespace {

constexpr std::size_t kMostLabels = 4000;
constexpr std::size_t kFewRows = 8;  ///< that are not worth a thread

std::uint32_t deepest(const TimelineData& data)
{
    std::uint32_t depth = 1;
    for (const TimelineIndexPtr& index : data.indexes)
        if (index) depth = std::max(depth, index->maximumDepth);
    return depth;
}

}  // namespace

LaneLayout lanesOf(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
                   const TextMeasure& measure)
{
    const int gap = rowGap(layout.rowHeight, options.scale);
    return laneLayout(std::floor(layout.rowHeight) - gap, deepest(data), options.scale,
                      measure.lineHeight(FontStyle::Small));
}

TimelineBars::TimelineBars(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                           const TimelineLayout& layout, const TextMeasure& measure, SampleKeeping keeping)
    : data_(data), state_(state), layout_(layout), measure_(measure), rows_(rowContext(keeping, options))
{
}

TimelineRowContext TimelineBars::rowContext(SampleKeeping keeping, const TimelineOptions& options) const
{
    TimelineRowContext context{data_, options, layout_, lanesOf(data_, options, layout_, measure_),
                               0,     {},      {},      keeping};
    context.lowestName = measure_.lineHeight(FontStyle::Small) - 1;
    context.styles.resize(data_.session.experiments.size());
    return context;
}

/// Those that are seen, from above.
std::vector<BarRow> TimelineBars::rowsInSight() const
{
    std::vector<BarRow> groups;
    const std::span<const PlacedRow> places = layout_.places;
    for (std::size_t index = 0; index < places.size();) {
        const std::span<const PlacedRow> rows = places.subspan(index, rowsDrawnAsOne(index));
        index += rows.size();
        const int top = static_cast<int>(std::lround(rows.front().y));
        const int bottom = static_cast<int>(std::lround(rows.back().y + rows.back().height));
        if (top >= static_cast<int>(layout_.body.bottom())) break;
        if (bottom >= static_cast<int>(layout_.body.y) && !isHeader(rowOf(rows.front())))
            groups.push_back({rows, groups.size(), top, bottom});
    }
    return groups;
}

void TimelineBars::prepareStyles(std::span<const BarRow> groups)
{
    std::optional<RegionGroups> regions;
    for (const BarRow& group : groups) {
        const std::uint32_t experiment = rowOf(group.rows.front()).location.experiment;
        if (rows_.styles[experiment]) continue;
        if (!regions) regions.emplace(data_.session, state_.grouping);
        rows_.styles[experiment] = std::make_unique<const TimelineRowStyle>(
            *data_.session.experiments[experiment], experiment, state_,
            regionPalette(*regions, experiment, rows_.options.theme), rows_.options.theme.background,
            rows_.lanes.count());
    }
}

void TimelineBars::draw(DrawList& list, const Task& task)
{
    if (CallColors::wanted(state_)) rows_.colors.emplace(data_, state_, rows_.options.theme.dark, task);
    std::vector<BarRow> groups = rowsInSight();
    if (KeptSamples* const kept = rows_.keeping.into)
        for (const std::size_t first = kept->expectRows(groups.size()); BarRow & group : groups)
            group.number += first;
    prepareStyles(groups);
    std::vector<DrawnRow> drawn(groups.size());
    const std::size_t painters =
        std::clamp<std::size_t>(groups.size() / kFewRows, 1, static_cast<std::size_t>(task.threads()));
    parallelFor(painters, task, [&](std::size_t number) {
        TimelineRowPainter painter(rows_);
        for (std::size_t row = number; row < groups.size() && !task.stopRequested(); row += painters)
            drawn[row] = painter.draw(groups[row], task);
    });
    list.pushClip(layout_.body);
    for (DrawnRow& row : drawn) {
        if (row.pixels) list.items.push_back(std::move(*row.pixels));
        names_.insert(names_.end(), row.names.begin(), row.names.end());
    }
    list.popClip();
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
    const double pad = 4 * rows_.options.scale;
    std::size_t room = kMostLabels;
    for (auto name = names_.begin(); name != names_.end() && room > 0; ++name) {
        const Rect box{name->bar.x + pad, name->bar.y, name->bar.width - 2 * pad, name->bar.height};
        const std::string& text = shortened(name->region, box.width);
        list.text(box, text, textColorOn(name->color), FontStyle::Small);
        room -= text.empty() ? 0 : 1;
    }
    names_.clear();
    list.popClip();
}

/// The region's name shortened to a width; widths are rounded down to steps, so that each is worked out once.
const std::string& TimelineBars::shortened(RegionRef region, double width)
{
    constexpr double kStep = 6;
    constexpr double kWidest = 6000;
    const auto steps = static_cast<std::uint64_t>(std::min(width, kWidest) / kStep);
    const std::uint64_t key =
        std::uint64_t{region.experiment} << 48 ^ std::uint64_t{region.id.value()} << 16 ^ steps;
    const auto [entry, added] = shortened_.try_emplace(key);
    if (added)
        entry->second = elideName(
            displayName(data_.session.experiments[region.experiment]->definitions.region(region.id)),
            static_cast<double>(steps) * kStep, FontStyle::Small, measure_);
    return entry->second;
}

}  // namespace skein
