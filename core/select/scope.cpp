// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/scope.h"

#include "core/base/units.h"
#include "core/select/filters.h"

#include <fmt/format.h>

namespace skein {

Scope scopeOf(const ViewState& state)
{
    if (state.brushed) return {Scope::Span::Marked, state.brushed, state.markedLocations};
    if (state.visible) return {Scope::Span::Visible, state.visible, state.markedLocations};
    return {Scope::Span::WholeRun, std::nullopt, state.markedLocations};
}

std::vector<Filter> filtersOf(const Scope& scope, const std::vector<Filter>& filters)
{
    if (scope.locations.empty()) return filters;
    return withFilter(filters, {"scope", FilterEffect::Keep, {}, scope.locations});
}

std::string spanText(const Scope& scope)
{
    if (!scope.span) return "Whole run";
    const auto duration = [](TimeNs ns) { return formatDuration(static_cast<double>(ns)); };
    return fmt::format("{}: {} from {}", scope.kind == Scope::Span::Marked ? "Marked span" : "Visible window",
                       duration(scope.span->lengthNs()), duration(scope.span->begin));
}

std::string locationsText(const Session& session, const std::vector<LocationRef>& locations)
{
    if (locations.empty()) return {};
    const LocationRef first = locations.front(), last = locations.back();
    if (session.experiments.size() > 1 && locations.size() > 1)
        return fmt::format("{} locations", locations.size());
    const Definitions& definitions = session.experiments[first.experiment]->definitions;
    if (locations.size() == 1) return displayName(definitions, first.id);
    const bool isRun = last.id.index() - first.id.index() + 1 == locations.size();
    if (!isRun) return fmt::format("{} locations", locations.size());
    return fmt::format("{} to {}", displayName(definitions, first.id), displayName(definitions, last.id));
}

std::string scopeText(const Session& session, const Scope& scope)
{
    const std::string locations = locationsText(session, scope.locations);
    return locations.empty() ? spanText(scope) : spanText(scope) + " · " + locations;
}

}  // namespace skein
