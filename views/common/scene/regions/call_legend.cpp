// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/regions/call_legend.h"

#include "core/session/dominant_regions.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace skein {
namespace {

constexpr std::size_t kMostNames = 12;
constexpr std::size_t kLongestName = 48;

/// Names with their colours: of the dominant regions of all experiments, in turn.
std::vector<LegendEntry> dominantLegend(const Session& session, const ViewState& state, const Theme& theme)
{
    const RegionGroups groups(session, state.grouping);
    std::vector<DominantRegions> dominant;
    std::map<std::string, Color> colors;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Experiment& experiment = *session.experiments[number];
        dominant.push_back(dominantRegions(experiment));
        const RegionPalette palette = regionPalette(groups, number, theme);
        for (std::uint32_t id = 0; id < experiment.definitions.regions.size(); ++id)
            if (passes(state.filters, RegionRef{number, RegionId(id)}))
                colors.try_emplace(displayName(experiment.definitions.regions[id]),
                                   palette.color(RegionId(id)));
    }
    std::vector<LegendEntry> legend;
    for (std::size_t rank = 0; legend.size() < kMostNames; ++rank) {
        bool any = false;
        for (const DominantRegions& names : dominant) {
            if (rank >= names->size()) continue;
            any = true;
            const auto found = colors.find((*names)[rank]);
            if (found == colors.end() || legend.size() == kMostNames) continue;
            std::string name = foldedName(found->first);
            if (name.size() > kLongestName)
                name = elideMiddle(name, kLongestName * 7.2, FontStyle::Small, ApproximateTextMeasure(12));
            legend.push_back({found->second, std::move(name)});
            colors.erase(found);
        }
        if (!any) break;
    }
    return legend;
}

std::vector<LegendEntry> groupLegend(const Session& session, const ViewState& state, const Theme& theme)
{
    const RegionGroups groups(session, state.grouping);
    std::vector<LegendEntry> legend;
    for (std::uint32_t group = 0; group < groups.list().size(); ++group) {
        const auto regions = regionsOfGroup(groups, group);
        if (std::any_of(regions.begin(), regions.end(),
                        [&](RegionRef region) { return passes(state.filters, region); }))
            legend.push_back({groupColor(groups.list()[group], theme), groups.list()[group].name});
    }
    return legend;
}

bool leavesSome(const RegionGroups& groups, std::uint32_t group, const ViewState& state)
{
    const auto regions = regionsOfGroup(groups, group);
    std::set<std::string> names;
    for (const RegionRef region : regions)
        if (passes(state.filters, region))
            names.insert(
                displayName(groups.session().experiments[region.experiment]->definitions.region(region.id)));
    return names.size() > 1;
}

}  // namespace

std::vector<LegendEntry> dividedLegend(const Session& session, const ViewState& state, const Theme& theme)
{
    std::vector<LegendEntry> legend = callLegend(session, state, theme);
    if (state.colors != ColorMode::Region) return legend;
    const RegionGroups groups(session, state.grouping);
    for (std::uint32_t group = 0; group < groups.list().size(); ++group)
        if (leavesSome(groups, group, state))
            legend.push_back(
                {groupColor(groups.list()[group], theme), groups.list()[group].name + ": the rest"});
    return legend;
}

std::vector<LegendEntry> callLegend(const Session& session, const ViewState& state, const Theme& theme)
{
    switch (state.colors) {
    case ColorMode::Group: return groupLegend(session, state, theme);
    case ColorMode::Depth:
        return {{sequentialColor(theme.dark, 0), "outermost calls"},
                {sequentialColor(theme.dark, 1), "deepest calls"}};
    case ColorMode::Duration:
        return {{divergingColor(theme.dark, -1), "shorter than usual for the region"},
                {divergingColor(theme.dark, 0), "usual"},
                {divergingColor(theme.dark, 1), "longer"}};
    case ColorMode::Metric:
        return {{sequentialColor(theme.dark, 0), "least value of the metric"},
                {sequentialColor(theme.dark, 1), "greatest value"}};
    case ColorMode::Region: break;
    }
    return dominantLegend(session, state, theme);
}

}  // namespace skein
