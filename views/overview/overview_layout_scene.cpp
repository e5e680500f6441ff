// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overview_scene.h"

#include "core/base/units.h"
#include "core/session/experiment_titles.h"
#include "views/common/scene/calls/location_order.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace skein {
namespace {

constexpr double kWidestBlockLabels = 0.2;  ///< of the picture

bool anyMessages(const TimelineData& data)
{
    return std::any_of(data.session.experiments.begin(), data.session.experiments.end(),
                       [](const ExperimentPtr& experiment) {
                           return experiment->trace
                               && (!experiment->trace->messages.empty()
                                   || !experiment->trace->unmatchedReceives.empty());
                       });
}

std::vector<OverviewBlock> emptyBlocks(const TimelineData& data, const std::vector<Filter>& filters)
{
    std::vector<OverviewBlock> blocks;
    const std::vector<std::string> titles = experimentTitles(data.session);
    for (std::uint32_t number = 0; number < data.session.experiments.size(); ++number) {
        if (!data.indexes[number]) continue;
        OverviewBlock block{number, titles[number], {}, {}, {}};
        for (const LocationId location : recordedLocations(*data.session.experiments[number]))
            if (passes(filters, LocationRef{number, location})) block.rows.push_back({location});
        if (!block.rows.empty()) blocks.push_back(std::move(block));
    }
    return blocks;
}

/// Rows of the locations that share a key, in the order of their first ones.
template <typename KeyOf>
std::vector<std::vector<LocationId>> grouped(const std::vector<std::vector<LocationId>>& rows, KeyOf keyOf)
{
    std::vector<std::vector<LocationId>> groups;
    std::map<std::uint32_t, std::size_t> known;
    for (const auto& row : rows) {
        const auto [entry, added] = known.try_emplace(keyOf(row.front()), groups.size());
        if (added) groups.emplace_back();
        groups[entry->second].push_back(row.front());
    }
    return groups;
}

/// A row a process where there are more locations than pixels, a row a node where there are more processes,
/// and runs of neighbours where even these are too many.
void mergeRows(OverviewBlock& block, const Definitions& definitions, int pixels)
{
    const std::size_t locations = block.rows.size();
    const auto rows = static_cast<std::size_t>(std::max(1, pixels));
    if (locations <= rows) return;
    const auto processOf = [&](LocationId id) { return definitions.location(id).group.value(); };
    const auto nodeOf = [&](LocationId id) {
        const LocationGroupId group = definitions.location(id).group;
        const bool known = group.valid() && group.index() < definitions.locationGroups.size();
        return known ? definitions.locationGroups[group.index()].node.value() : SystemTreeNodeId::kNone;
    };
    auto merged = grouped(block.rows, processOf);
    if (merged.size() > rows) merged = grouped(block.rows, nodeOf);
    if (merged.size() > rows || merged.size() == 1) {
        merged.assign(rows, {});
        for (std::size_t i = 0; i < locations; ++i)
            merged[i * rows / locations].push_back(block.rows[i].front());
    }
    block.rows = std::move(merged);
}

void placeBlock(OverviewBlock& block, const Definitions& definitions, const Rect& rect)
{
    block.rect = rect;
    mergeRows(block, definitions, static_cast<int>(rect.height));
    const auto rows = block.rows.size();
    for (std::size_t row = 0; row <= rows; ++row)
        block.tops.push_back(static_cast<int>(
            std::lround(rect.y + rect.height * static_cast<double>(row) / static_cast<double>(rows))));
}

void placeBlocks(OverviewLayout& layout, const TimelineData& data, const Canvas& canvas)
{
    std::size_t locations = 0;
    for (const OverviewBlock& block : layout.blocks) locations += block.rows.size();
    if (locations == 0) return;
    // A component of few locations stays wide enough for its name.
    const auto count = static_cast<double>(layout.blocks.size());
    // Of many components each has its part of what there is: none lies over the axis.
    const double gap = std::min(canvas.px(4), std::floor(layout.body.height / (3 * count)));
    const double least =
        std::clamp(std::floor((layout.body.height - gap * (count - 1)) / count), 0.0, canvas.lineHeight());
    const double shared = std::max(0.0, layout.body.height - gap * (count - 1) - least * count);
    double y = layout.body.y;
    for (OverviewBlock& block : layout.blocks) {
        const double share = shared * static_cast<double>(block.rows.size()) / static_cast<double>(locations);
        const double height =
            least >= 1 ? std::floor(least + share) : std::max(1.0, layout.body.height / count);
        if (least < 1) y = std::min(y, layout.body.bottom() - 1);
        placeBlock(block, data.session.experiments[block.experiment]->definitions,
                   {layout.body.x, std::round(y), layout.body.width, height});
        y += height + gap;
    }
}

double labelsWidth(const std::vector<OverviewBlock>& blocks, const Canvas& canvas)
{
    double widest = canvas.measure.width("received", FontStyle::Small);
    for (const OverviewBlock& block : blocks) {
        if (blocks.size() > 1) widest = std::max(widest, canvas.measure.width(block.title, FontStyle::Small));
        widest = std::max(
            widest, canvas.measure.width(fmt::format("{} locations", block.rows.size()), FontStyle::Small));
    }
    return std::ceil(std::min(widest + canvas.px(16), canvas.width * kWidestBlockLabels));
}

}  // namespace

OverviewLayout overviewLayout(const TimelineData& data, const Canvas& canvas,
                              const std::vector<Filter>& filters)
{
    OverviewLayout layout;
    layout.blocks = emptyBlocks(data, filters);
    const double line = canvas.lineHeight();
    const double width = canvas.width;
    const double captionHeight =
        canvas.style.caption.empty() ? 0 : std::round(canvas.lineHeight(FontStyle::Bold) + canvas.px(12));
    const double headerHeight = std::round(line + canvas.px(6));
    const double rulerHeight = std::round(line + canvas.px(8));
    const double left = labelsWidth(layout.blocks, canvas);
    const double bodyWidth = std::max(1.0, width - left - canvas.px(8));
    const double rest = std::max(2.0, canvas.height - captionHeight - headerHeight - rulerHeight);
    const double bars = anyMessages(data)
        ? std::floor(std::clamp(rest * 0.38, std::min(rest * 0.5, canvas.px(24)), canvas.px(200)))
        : 0;
    const double gap = bars > 0 ? canvas.px(4) : 0;
    const double top = captionHeight + headerHeight;
    layout.caption = {0, 0, width, captionHeight};
    layout.header = {0, captionHeight, width, headerHeight};
    layout.histogram = {left, top, bodyWidth, bars};
    layout.body = {left, top + bars + gap, bodyWidth, std::max(1.0, rest - bars - gap)};
    layout.labels = {0, top, left, rest};
    layout.ruler = {left, canvas.height - rulerHeight, bodyWidth, rulerHeight};
    TimeSpan all = data.clock.extent;
    all.end = std::max(all.end, all.begin + 1);
    layout.scale = {all, left, bodyWidth};
    placeBlocks(layout, data, canvas);
    return layout;
}

std::optional<WindowGrip> overviewGrip(const TimelineData& data, const ViewState& state,
                                       const OverviewLayout& layout, const Canvas& canvas, Point point)
{
    const double reach = canvas.px(5);
    const TimeSpan window = visibleSpan(data, state);
    const double left = layout.scale.toX(window.begin);
    const double right = layout.scale.toX(window.end);
    if (point.x < layout.body.x - reach || point.x > layout.body.right() + reach
        || point.y < layout.header.bottom())
        return std::nullopt;
    // Where both edges are near, the nearer one counts.
    const bool nearBegin = std::abs(point.x - left) <= reach;
    const bool nearEnd = std::abs(point.x - right) <= reach;
    if (nearEnd && (!nearBegin || std::abs(point.x - right) <= std::abs(point.x - left)))
        return WindowGrip::End;
    if (nearBegin) return WindowGrip::Begin;
    const bool framed =
        left < point.x && point.x < right && point.y < layout.ruler.y && state.visible.has_value();
    return framed ? WindowGrip::Whole : WindowGrip::New;
}

LocationRef overviewLocation(const OverviewLayout& layout, Point point)
{
    for (const OverviewBlock& block : layout.blocks)
        for (std::size_t row = 0; row < block.rows.size(); ++row)
            if (block.tops[row] <= point.y && point.y < block.tops[row + 1] && block.rows[row].size() == 1)
                return {block.experiment, block.rows[row].front()};
    return {};
}

std::vector<std::string> overviewTooltip(const TimelineData& data, const OverviewLayout& layout, Point point)
{
    std::vector<std::string> lines;
    if (point.x < layout.body.x || point.x >= layout.body.right()) return lines;
    for (const OverviewBlock& block : layout.blocks)
        for (std::size_t row = 0; row < block.rows.size(); ++row) {
            if (point.y < block.tops[row] || point.y >= block.tops[row + 1]) continue;
            const Definitions& definitions = data.session.experiments[block.experiment]->definitions;
            const auto& locations = block.rows[row];
            const std::string first = displayName(definitions, locations.front());
            lines.push_back(locations.size() == 1
                                ? first
                                : fmt::format("{} to {} ({} locations)", first,
                                              displayName(definitions, locations.back()), locations.size()));
        }
    lines.push_back("Time " + exactTime(layout.scale.toTime(point.x)));
    return lines;
}

}  // namespace skein
