// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/regions/group_filters.h"

#include "core/select/filters.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace skein {
namespace {

using GroupSet = std::set<std::uint32_t>;  ///< indices into the groups

/// The whole groups that a filter lists; nullopt for filters that were made otherwise.
std::optional<GroupSet> groupsInFilter(const GroupRegions& groups, const Filter& filter)
{
    if (filter.regions.empty() || !filter.locations.empty() || filter.span) return std::nullopt;
    GroupSet found;
    std::size_t covered = 0;
    for (std::uint32_t group = 0; group < groups.groups.size(); ++group) {
        const auto& regions = groups.regions[group];
        if (regions.empty()
            || !std::includes(filter.regions.begin(), filter.regions.end(), regions.begin(), regions.end()))
            continue;
        found.insert(group);
        covered += regions.size();
    }
    return covered == filter.regions.size() ? std::optional(found) : std::nullopt;
}

Filter groupFilter(const GroupRegions& groups, FilterEffect effect, const GroupSet& set)
{
    std::vector<RegionRef> regions;
    std::string what;
    for (const std::uint32_t group : set) {
        regions.insert(regions.end(), groups.regions[group].begin(), groups.regions[group].end());
        what += (what.empty() ? "" : ", ") + groups.groups[group].name;
    }
    return regionFilter(effect, what, std::move(regions));
}

/// Applies `change` to the set of groups of every filter of that effect; one without groups goes.
template <typename Change>
bool changeGroups(const GroupRegions& groups, std::vector<Filter>& filters, FilterEffect effect,
                  Change change)
{
    bool changed = false;
    std::vector<Filter> kept;
    for (Filter& filter : filters) {
        auto set = filter.effect == effect ? groupsInFilter(groups, filter) : std::nullopt;
        if (!set) {
            kept.push_back(std::move(filter));
            continue;
        }
        const GroupSet before = *set;
        change(*set);
        changed = changed || *set != before;
        if (!set->empty())
            kept.push_back(*set == before ? std::move(filter) : groupFilter(groups, effect, *set));
    }
    filters = std::move(kept);
    return changed;
}

using Regions = std::vector<RegionRef>;

/// Takes the regions out of what the filter hides, or into what it keeps.
void except(Filter& filter, const std::string& what, const Regions& regions)
{
    Regions changed;
    const auto& listed = filter.regions;
    const bool hides = filter.effect == FilterEffect::Hide;
    if (hides)
        std::set_difference(listed.begin(), listed.end(), regions.begin(), regions.end(),
                            std::back_inserter(changed));
    else
        std::set_union(listed.begin(), listed.end(), regions.begin(), regions.end(),
                       std::back_inserter(changed));
    if (changed.size() == listed.size()) return;
    filter.label += (hides ? ", but for " : ", ") + what;
    filter.regions = std::move(changed);
}

/// Filters that list locations or times, too, stay as they are.
void exceptGroup(const GroupRegions& groups, std::vector<Filter>& filters, std::uint32_t group)
{
    const auto listsRegions = [](const Filter& filter) {
        return !filter.regions.empty() && filter.locations.empty() && !filter.span;
    };
    std::vector<Filter> kept;
    for (Filter& filter : filters) {
        const bool changes = listsRegions(filter);
        if (changes) except(filter, groups.groups[group].name, groups.regions[group]);
        if (!changes || !filter.regions.empty()) kept.push_back(std::move(filter));
    }
    filters = std::move(kept);
}

}  // namespace

GroupRegions regionsByGroup(const RegionGroups& groups)
{
    GroupRegions found{groups.list(), std::vector<std::vector<RegionRef>>(groups.list().size())};
    const auto& experiments = groups.session().experiments;
    for (std::uint32_t number = 0; number < experiments.size(); ++number)
        for (std::uint32_t id = 0; id < experiments[number]->definitions.regions.size(); ++id) {
            const RegionRef region{number, RegionId(id)};
            found.regions[groups.of(region)].push_back(region);
        }
    return found;
}

Shown shownOf(const std::vector<RegionRef>& regions, const std::vector<Filter>& filters)
{
    const auto shown = static_cast<std::size_t>(std::count_if(
        regions.begin(), regions.end(), [&](const RegionRef& region) { return passes(filters, region); }));
    if (shown == regions.size()) return Shown::All;
    return shown == 0 ? Shown::None : Shown::Some;
}

std::vector<Filter> withGroupToggled(const GroupRegions& groups, std::vector<Filter> filters,
                                     std::uint32_t group)
{
    if (shownOf(groups.regions[group], filters) != Shown::None) {
        const bool left = changeGroups(groups, filters, FilterEffect::Keep, [&](GroupSet& set) {
            if (set.size() > 1) set.erase(group);
        });
        return left ? filters
                    : withFilter(std::move(filters), groupFilter(groups, FilterEffect::Hide, {group}));
    }
    changeGroups(groups, filters, FilterEffect::Hide, [&](GroupSet& set) { set.erase(group); });
    changeGroups(groups, filters, FilterEffect::Keep, [&](GroupSet& set) { set.insert(group); });
    if (shownOf(groups.regions[group], filters) == Shown::None) exceptGroup(groups, filters, group);
    return filters;
}

std::vector<Filter> withGroupAlone(const GroupRegions& groups, std::vector<Filter> filters,
                                   std::uint32_t group)
{
    const GroupSet wanted{group};
    const bool alone = std::any_of(filters.begin(), filters.end(), [&](const Filter& filter) {
        return filter.effect == FilterEffect::Keep && groupsInFilter(groups, filter) == wanted;
    });
    std::erase_if(filters, [&](const Filter& filter) { return groupsInFilter(groups, filter).has_value(); });
    return alone ? filters : withFilter(std::move(filters), groupFilter(groups, FilterEffect::Keep, wanted));
}

std::vector<Filter> withoutOtherGroups(const GroupRegions& groups, const GroupRegions& others,
                                       std::vector<Filter> filters)
{
    std::erase_if(filters, [&](const Filter& filter) {
        return !groupsInFilter(groups, filter) && groupsInFilter(others, filter);
    });
    return filters;
}

std::vector<Filter> withRegionsToggled(std::vector<Filter> filters, const std::string& what,
                                       const std::vector<RegionRef>& regions)
{
    const Filter wanted = regionFilter(FilterEffect::Hide, what, regions);
    const auto before = filters.size();
    std::erase_if(filters, [&](const Filter& filter) {
        return filter.effect == FilterEffect::Hide && filter.regions == wanted.regions
            && filter.locations.empty() && !filter.span;
    });
    return filters.size() < before ? filters : withFilter(std::move(filters), wanted);
}

}  // namespace skein
