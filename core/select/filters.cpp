// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/filters.h"

#include "core/base/text_pattern.h"
#include "core/base/units.h"
#include "core/definitions/location_attributes.h"
#include "core/session/experiment_titles.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace skein {
namespace {

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

bool isBelow(const Definitions& definitions, SystemTreeNodeId node, SystemTreeNodeId wanted)
{
    // Not more steps than there are nodes: a damaged tree may have a cycle.
    for (std::size_t step = 0; step <= definitions.systemTree.size(); ++step) {
        if (node == wanted) return true;
        if (!node.valid() || node.index() >= definitions.systemTree.size()) return false;
        node = definitions.systemTree[node.index()].parent;
    }
    return false;
}

bool isIn(const Definitions& definitions, const Location& location, const RowGroup& group)
{
    if (group.kind == RowGroupKind::Experiment) return true;
    if (group.kind == RowGroupKind::Process) return location.group == LocationGroupId(group.id);
    if (!location.group.valid() || location.group.index() >= definitions.locationGroups.size())
        return group.id == SystemTreeNodeId::kNone;
    return isBelow(definitions, definitions.locationGroups[location.group.index()].node,
                   SystemTreeNodeId(group.id));
}

template <typename T>
std::vector<T> sorted(std::vector<T> items)
{
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    return items;
}

bool hasInAnyCase(const std::vector<std::string>& names, std::string_view name)
{
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& known) { return sameInAnyCase(known, name); });
}

std::string labelOf(FilterEffect effect, const std::string& what)
{
    return effect == FilterEffect::Hide ? fmt::format("{} hidden", what) : fmt::format("only {}", what);
}

}  // namespace

bool matchesPattern(std::string_view name, std::string_view pattern)
{
    if (pattern.find_first_of("*?") != std::string_view::npos) return fitsPatternInAnyCase(name, pattern);
    const auto found = std::search(name.begin(), name.end(), pattern.begin(), pattern.end(),
                                   [](char a, char b) { return lower(a) == lower(b); });
    return pattern.empty() || found != name.end();
}

std::vector<RegionRef> regionsMatching(const Session& session, std::string_view pattern)
{
    std::vector<RegionRef> found;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const auto& regions = session.experiments[number]->definitions.regions;
        for (std::uint32_t id = 0; id < regions.size(); ++id)
            if (matchesPattern(displayName(regions[id]), pattern)) found.push_back({number, RegionId(id)});
    }
    return found;
}

std::vector<LocationRef> locationsMatching(const Session& session, std::string_view pattern)
{
    const std::vector<std::string> titles = experimentTitles(session);
    std::vector<LocationRef> found;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Definitions& definitions = session.experiments[number]->definitions;
        for (std::uint32_t id = 0; id < definitions.locations.size(); ++id) {
            const std::string name = displayName(definitions, LocationId(id));
            const bool alone = titles.size() < 2;
            if (matchesPattern(name, pattern)
                || (!alone && matchesPattern(titles[number] + " " + name, pattern)))
                found.push_back({number, LocationId(id)});
        }
    }
    return found;
}

Result<std::vector<LocationRef>> locationsLike(const Session& session, const AttributeConditions& wanted)
{
    std::vector<std::string> known;
    for (const ExperimentPtr& experiment : session.experiments)
        for (std::string& name : locationAttributeNames(experiment->definitions))
            if (!hasInAnyCase(known, name)) known.push_back(std::move(name));
    for (const AttributeCondition& condition : wanted)
        if (!hasInAnyCase(known, condition.name))
            return fail(ErrorCode::NotRecorded,
                        fmt::format("No location has an attribute \"{}\"; there are {}.", condition.name,
                                    fmt::join(known, ", ")));
    std::vector<LocationRef> found;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Definitions& definitions = session.experiments[number]->definitions;
        for (std::uint32_t id = 0; id < definitions.locations.size(); ++id)
            if (isLike(definitions, LocationId(id), wanted)) found.push_back({number, LocationId(id)});
    }
    return found;
}

std::vector<RegionRef> namesakes(const Session& session, const std::vector<RegionRef>& wanted)
{
    std::set<std::string, std::less<>> names;
    for (const RegionRef& region : wanted)
        if (region.experiment < session.experiments.size()
            && region.id.index() < session.experiments[region.experiment]->definitions.regions.size())
            names.insert(session.experiments[region.experiment]->definitions.region(region.id).name);
    std::vector<RegionRef> found;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const auto& regions = session.experiments[number]->definitions.regions;
        for (std::uint32_t id = 0; id < regions.size(); ++id)
            if (names.contains(regions[id].name)) found.push_back({number, RegionId(id)});
    }
    return found;
}

std::vector<LocationRef> locationsOf(const Session& session, const RowGroup& group)
{
    std::vector<LocationRef> found;
    if (group.experiment >= session.experiments.size()) return found;
    const Definitions& definitions = session.experiments[group.experiment]->definitions;
    for (std::uint32_t id = 0; id < definitions.locations.size(); ++id)
        if (isIn(definitions, definitions.locations[id], group))
            found.push_back({group.experiment, LocationId(id)});
    return found;
}

Filter regionFilter(FilterEffect effect, const std::string& what, std::vector<RegionRef> regions)
{
    return {labelOf(effect, what), effect, sorted(std::move(regions)), {}, {}};
}

Filter locationFilter(FilterEffect effect, const std::string& what, std::vector<LocationRef> locations)
{
    return {labelOf(effect, what), effect, {}, sorted(std::move(locations)), {}};
}

Filter messageFilter(FilterEffect effect, AttributeConditions conditions)
{
    Filter filter{labelOf(effect, fmt::format("messages like “{}”", textOf(conditions))), effect, {}, {}, {}};
    filter.messages = std::move(conditions);
    return filter;
}

Filter spanFilter(TimeSpan span)
{
    const std::string what = fmt::format("{} from {}", formatDuration(static_cast<double>(span.lengthNs())),
                                         formatDuration(static_cast<double>(span.begin)));
    return {labelOf(FilterEffect::Keep, what), FilterEffect::Keep, {}, {}, span};
}

std::vector<Filter> withFilter(std::vector<Filter> filters, const Filter& added)
{
    const bool nothing =
        added.regions.empty() && added.locations.empty() && !added.span && added.messages.empty();
    if (nothing || std::find(filters.begin(), filters.end(), added) != filters.end()) return filters;
    filters.push_back(added);
    return filters;
}

std::optional<std::vector<LocationId>> keptLocations(const Session& session, std::uint32_t experiment,
                                                     const std::vector<Filter>& filters)
{
    const std::size_t count = session.experiments[experiment]->definitions.locations.size();
    std::vector<LocationId> kept;
    for (std::uint32_t id = 0; id < count; ++id)
        if (passes(filters, LocationRef{experiment, LocationId(id)})) kept.push_back(LocationId(id));
    if (kept.size() == count) return std::nullopt;
    return kept;
}

std::set<std::string> hiddenNames(const Session& session, std::uint32_t experiment,
                                  const std::vector<Filter>& filters)
{
    std::set<std::string> names;
    if (filters.empty()) return names;
    const auto& regions = session.experiments[experiment]->definitions.regions;
    for (std::uint32_t id = 0; id < regions.size(); ++id)
        if (!passes(filters, RegionRef{experiment, RegionId(id)})) names.insert(regions[id].name);
    return names;
}

}  // namespace skein
