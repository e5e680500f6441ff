// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/regions/region_groups.h"

#include "core/session/dominant_regions.h"
#include "views/common/scene/color/color_bands.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace skein {
namespace {

constexpr auto kOthers = "Others";

std::vector<ShownGroup> roles()
{
    std::vector<ShownGroup> list;
    for (int group = 0; group < kPaletteGroups; ++group)
        list.push_back(shownGroup(static_cast<PaletteGroup>(group)));
    return list;
}

std::vector<ShownGroup> shownGroups(const std::vector<std::string>& names)
{
    const std::vector<std::uint32_t> bands = bandsOf(names);
    std::vector<ShownGroup> list;
    for (std::size_t group = 0; group < names.size(); ++group)
        list.push_back({names[group], RegionGrouping::Recorded, bands[group]});
    return list;
}

/// The dominant regions of all experiments: those that are first in any come first.
std::vector<ShadeChoice::Dominant> dominantIn(const RegionGroups& groups)
{
    const auto& experiments = groups.session().experiments;
    std::vector<std::tuple<std::size_t, std::string, std::uint32_t>> ranked;
    for (std::uint32_t number = 0; number < experiments.size(); ++number) {
        const DominantRegions names = dominantRegions(*experiments[number]);
        std::map<std::string_view, std::size_t> rankOf;
        for (std::size_t rank = 0; rank < names->size(); ++rank) rankOf.emplace((*names)[rank], rank);
        const auto& regions = experiments[number]->definitions.regions;
        for (std::uint32_t id = 0; id < regions.size() && !rankOf.empty(); ++id) {
            const auto found = rankOf.find(displayName(regions[id]));
            if (found == rankOf.end()) continue;
            const ShownGroup& group = groups.list()[groups.of({number, RegionId(id)})];
            ranked.emplace_back(found->second, found->first, group.band);
            rankOf.erase(found);
        }
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<ShadeChoice::Dominant> dominant;
    for (auto& [rank, name, band] : ranked) dominant.push_back({std::move(name), band});
    return dominant;
}

}  // namespace

RegionGroups::RegionGroups(const Session& session, RegionGrouping grouping) : session_(session)
{
    if (grouping == RegionGrouping::Recorded) recorded_ = recordedGroups(session);
    if (recorded_.names.empty()) {
        list_ = roles();
    } else {
        list_ = shownGroups(recorded_.names);
        // An archive may have a group of that name: then there is one such group, not two.
        const auto found = std::find(recorded_.names.begin(), recorded_.names.end(), kOthers);
        others_ = static_cast<std::uint32_t>(found - recorded_.names.begin());
        if (found == recorded_.names.end()) list_.push_back({kOthers, RegionGrouping::Recorded, kOthersBand});
    }
    shades_ = ShadeChoice(dominantIn(*this));
}

std::uint32_t RegionGroups::of(RegionRef region) const
{
    const Definitions& definitions = session_.experiments[region.experiment]->definitions;
    if (recorded_.names.empty())
        return static_cast<std::uint32_t>(paletteGroupOf(definitions.region(region.id), definitions));
    const std::uint32_t group = recorded_.of(region.experiment, region.id);
    return group == RecordedGroups::kNone ? others_ : group;
}

std::vector<RegionRef> regionsOfGroup(const RegionGroups& groups, std::uint32_t group)
{
    std::vector<RegionRef> found;
    const auto& experiments = groups.session().experiments;
    for (std::uint32_t number = 0; number < experiments.size(); ++number)
        for (std::uint32_t id = 0; id < experiments[number]->definitions.regions.size(); ++id)
            if (groups.of({number, RegionId(id)}) == group) found.push_back({number, RegionId(id)});
    return found;
}

RegionPalette regionPalette(const RegionGroups& groups, std::uint32_t experiment, const Theme& theme)
{
    const Definitions& definitions = groups.session().experiments[experiment]->definitions;
    std::vector<std::uint32_t> groupOf;
    groupOf.reserve(definitions.regions.size());
    for (std::uint32_t id = 0; id < definitions.regions.size(); ++id)
        groupOf.push_back(groups.of({experiment, RegionId(id)}));
    return regionPalette(definitions, groups.list(), std::move(groupOf), theme, groups.shades());
}

std::vector<RegionPalette> palettesOf(const RegionGroups& groups, const Theme& theme)
{
    std::vector<RegionPalette> palettes;
    for (std::uint32_t number = 0; number < groups.session().experiments.size(); ++number)
        palettes.push_back(regionPalette(groups, number, theme));
    return palettes;
}

}  // namespace skein
