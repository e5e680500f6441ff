// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/lane_table.h"

#include "views/common/scene/color/color_scale.h"

#include <algorithm>

namespace skein {
namespace {

constexpr double kFading = 0.78;

/// Which call paths keep their colour: the selected ones and what they call; all where single calls or
/// nothing is selected.
std::vector<bool> keptPaths(const CallTree& tree, std::uint32_t number, const Selection& selected)
{
    const bool all = selected.callPaths.empty() || !selected.intervals.empty();
    std::vector<bool> kept(tree.size(), all);
    if (all) return kept;
    for (const CallPathRef& path : selected.callPaths)
        if (path.experiment == number && path.id.index() < kept.size()) kept[path.id.index()] = true;
    for (std::uint32_t node = 0; node < kept.size(); ++node) {
        const CallPathId parent = tree.parent(CallPathId(node));
        if (parent.valid() && kept[parent.index()]) kept[node] = true;
    }
    return kept;
}

std::uint32_t deepestPath(const CallTree& tree)
{
    std::uint32_t deepest = 1;
    for (std::uint32_t node = 0; node < tree.size(); ++node)
        deepest = std::max(deepest, tree.depth(CallPathId(node)) + 1);
    return deepest;
}

/// Of a call path; single calls get theirs later, see CallColors.
Color colorOf(const RegionPalette& palette, RegionId region, ColorMode mode, std::uint32_t level,
              std::uint32_t deepest)
{
    switch (mode) {
    case ColorMode::Group: return palette.colorOfGroup(region);
    case ColorMode::Depth:
        return sequentialColor(palette.dark, deepest > 1 ? (level - 1.0) / (deepest - 1.0) : 1.0);
    case ColorMode::Metric:
    case ColorMode::Duration: return divergingColor(palette.dark, 0);
    case ColorMode::Region: break;
    }
    return palette.color(region);
}

}  // namespace

LaneTable::LaneTable(const Experiment& experiment, std::uint32_t number, const ViewState& state,
                     const RegionPalette& palette, Color background, std::uint32_t lanes)
    : lanes_(lanes)
{
    const CallTree& tree = *experiment.callTree;
    colors_.assign(tree.size() * lanes, 0);
    laneOf_.assign(tree.size(), lanes);
    const std::vector<bool> kept = keptPaths(tree, number, state.selected);
    level_.assign(tree.size(), 0);
    const std::uint32_t deepest = state.colors == ColorMode::Depth ? deepestPath(tree) : 1;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        const CallPathId parent = tree.parent(CallPathId(node));
        const RegionId region = tree.region(CallPathId(node));
        std::uint32_t* own = colors_.data() + std::size_t{node} * lanes;
        const std::uint32_t above = parent.valid() ? level_[parent.index()] : 0;
        if (parent.valid()) std::copy_n(colors(parent.value()), lanes, own);
        level_[node] = above;
        if (!region.valid() || !passes(state.filters, RegionRef{number, region})) continue;
        const std::uint32_t lane = std::min(above, lanes - 1);
        Color color = colorOf(palette, region, state.colors, above + 1, deepest);
        if (!kept[node]) color = mix(color, background, kFading);
        std::fill(own + lane, own + lanes, toArgb(color));
        laneOf_[node] = lane;
        level_[node] = above + 1;
    }
}

}  // namespace skein
