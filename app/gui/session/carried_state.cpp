// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/carried_state.h"

#include "app/gui/session/session_state.h"
#include "core/session/session_clock.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace skein::gui {
namespace {

/// By archive of `from`.
std::vector<SourceMatch> sharedArchives(const Session& from, const Session& to)
{
    std::vector<SourceMatch> matches;
    for (const ExperimentPtr& archive : from.experiments) {
        const auto found = std::ranges::find_if(
            to.experiments, [&](const ExperimentPtr& other) { return isSameImport(*archive, *other); });
        if (found == to.experiments.end()) matches.push_back({});
        else matches.push_back({static_cast<std::uint32_t>(found - to.experiments.begin()), true});
    }
    return matches;
}

/// What a moment of `from` that an archive of both sessions tells is later in `to`.
TimeNs movedNs(const SessionClock& from, const SessionClock& to, const std::vector<SourceMatch>& matches)
{
    for (std::size_t i = 0; i < matches.size(); ++i)
        if (matches[i].experiment) return to.offsetsNs[*matches[i].experiment] - from.offsetsNs[i];
    return 0;
}

void move(std::optional<TimeSpan>& span, TimeNs byNs)
{
    if (span) span = TimeSpan{span->begin + byNs, span->end + byNs};
}

void moveTimes(ViewState& state, TimeNs byNs)
{
    move(state.visible, byNs);
    move(state.brushed, byNs);
    move(state.comparison.a.span, byNs);
    move(state.comparison.b.span, byNs);
    for (Filter& filter : state.filters) move(filter.span, byNs);
    for (ChangePointRef& change : state.selected.changePoints) change.timeNs += byNs;
    for (Mark& mark : state.marks) mark.span = {mark.span.begin + byNs, mark.span.end + byNs};
}

std::vector<KeptPlacement> placementsOf(const ViewState& state, const std::vector<SourceMatch>& matches)
{
    std::vector<KeptPlacement> carried;
    for (KeptPlacement kept : state.placements) {
        if (kept.experiment >= matches.size() || !matches[kept.experiment].experiment) continue;
        kept.experiment = *matches[kept.experiment].experiment;
        carried.push_back(std::move(kept));
    }
    return carried;
}

ViewState restored(const ViewState& state, const Session& from, const Session& to,
                   const std::vector<SourceMatch>& matches)
{
    ViewState named = state;
    named.placements.clear();  // of any size
    ViewState carried = stateFromJson(stateToJson(named, from), to, matches).state;
    carried.placements = placementsOf(state, matches);
    const TimeNs byNs =
        movedNs(sessionClock(from, state.clockShiftsNs), sessionClock(to, carried.clockShiftsNs), matches);
    if (byNs != 0) moveTimes(carried, byNs);
    return carried;
}

}  // namespace

std::optional<ViewState> carriedState(const ViewState& state, const Session& from, const Session& to)
{
    const auto matches = sharedArchives(from, to);
    if (std::ranges::none_of(matches, [](const SourceMatch& match) { return match.experiment.has_value(); }))
        return std::nullopt;
    return restored(state, from, to, matches);
}

std::optional<ViewState> stateOfDerived(const ViewState& state, const Session& from, const Session& to)
{
    if (from.experiments.size() != to.experiments.size()) return std::nullopt;
    std::vector<SourceMatch> matches;
    for (std::size_t i = 0; i < from.experiments.size(); ++i) {
        if (from.experiments[i]->path != to.experiments[i]->path) return std::nullopt;
        matches.push_back({static_cast<std::uint32_t>(i), true});
    }
    return restored(state, from, to, matches);
}

}  // namespace skein::gui
