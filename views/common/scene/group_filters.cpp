// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/group_filters.h"

#include "core/select/filters.h"

#include <algorithm>
#include <bitset>
#include <optional>

namespace skein {
namespace {

using GroupSet = std::bitset<kPaletteGroups>;

std::size_t indexOf(PaletteGroup group) { return static_cast<std::size_t>(group); }

/// The whole groups that a filter lists; nullopt for filters that were made otherwise.
std::optional<GroupSet> groupsOf(const GroupRegions& groups, const Filter& filter)
{
    if (filter.regions.empty() || !filter.locations.empty() || filter.span) return std::nullopt;
    GroupSet found;
    std::size_t covered = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const auto& regions = groups[group];
        if (regions.empty() || !std::includes(filter.regions.begin(), filter.regions.end(), regions.begin(), regions.end())) continue;
        found.set(group);
        covered += regions.size();
    }
    return covered == filter.regions.size() ? std::optional(found) : std::nullopt;
}

Filter groupFilter(const GroupRegions& groups, FilterEffect effect, const GroupSet& set)
{
    std::vector<RegionRef> regions;
    std::string what;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        if (!set.test(group)) continue;
        regions.insert(regions.end(), groups[group].begin(), groups[group].end());
        what += (what.empty() ? "" : ", ") + std::string(name(static_cast<PaletteGroup>(group)));
    }
    return regionFilter(effect, what, std::move(regions));
}

/// Applies `change` to the set of groups of every filter of that effect; one without groups goes.
template <typename Change>
bool changeGroups(const GroupRegions& groups, std::vector<Filter>& filters, FilterEffect effect, Change change)
{
    bool changed = false;
    std::vector<Filter> kept;
    for (Filter& filter : filters) {
        auto set = filter.effect == effect ? groupsOf(groups, filter) : std::nullopt;
        if (!set) {
            kept.push_back(std::move(filter));
            continue;
        }
        const GroupSet before = *set;
        change(*set);
        changed = changed || *set != before;
        if (set->any()) kept.push_back(*set == before ? std::move(filter) : groupFilter(groups, effect, *set));
    }
    filters = std::move(kept);
    return changed;
}

}  // namespace

GroupRegions regionsByGroup(const Session& session)
{
    GroupRegions groups;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Definitions& definitions = session.experiments[number]->definitions;
        for (std::uint32_t id = 0; id < definitions.regions.size(); ++id)
            groups[indexOf(paletteGroupOf(definitions.regions[id], definitions))].push_back({number, RegionId(id)});
    }
    return groups;
}

Shown shownOf(const std::vector<RegionRef>& regions, const std::vector<Filter>& filters)
{
    const auto shown = static_cast<std::size_t>(
        std::count_if(regions.begin(), regions.end(), [&](const RegionRef& region) { return passes(filters, region); }));
    if (shown == regions.size()) return Shown::All;
    return shown == 0 ? Shown::None : Shown::Some;
}

std::vector<Filter> withGroupToggled(const GroupRegions& groups, std::vector<Filter> filters, PaletteGroup group)
{
    const std::size_t index = indexOf(group);
    if (shownOf(groups[index], filters) != Shown::None) {
        const bool left = changeGroups(groups, filters, FilterEffect::Keep, [&](GroupSet& set) {
            if (set.count() > 1) set.reset(index);
        });
        return left ? filters : withFilter(std::move(filters), groupFilter(groups, FilterEffect::Hide, GroupSet().set(index)));
    }
    changeGroups(groups, filters, FilterEffect::Hide, [&](GroupSet& set) { set.reset(index); });
    changeGroups(groups, filters, FilterEffect::Keep, [&](GroupSet& set) { set.set(index); });
    return filters;
}

std::vector<Filter> withGroupAlone(const GroupRegions& groups, std::vector<Filter> filters, PaletteGroup group)
{
    const GroupSet wanted = GroupSet().set(indexOf(group));
    const bool alone = std::any_of(filters.begin(), filters.end(), [&](const Filter& filter) {
        return filter.effect == FilterEffect::Keep && groupsOf(groups, filter) == wanted;
    });
    std::erase_if(filters, [&](const Filter& filter) { return groupsOf(groups, filter).has_value(); });
    return alone ? filters : withFilter(std::move(filters), groupFilter(groups, FilterEffect::Keep, wanted));
}

std::vector<Filter> withRegionsToggled(std::vector<Filter> filters, const std::string& what, const std::vector<RegionRef>& regions)
{
    const Filter wanted = regionFilter(FilterEffect::Hide, what, regions);
    const auto before = filters.size();
    std::erase_if(filters, [&](const Filter& filter) {
        return filter.effect == FilterEffect::Hide && filter.regions == wanted.regions && filter.locations.empty() && !filter.span;
    });
    return filters.size() < before ? filters : withFilter(std::move(filters), wanted);
}

}  // namespace skein
