// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/carried_state.h"

#include "app/gui/session/session_state.h"
#include "core/base/time_span.h"
#include "core/session/session_clock.h"

#include <algorithm>
#include <limits>
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

/// Files may name any time.
TimeNs later(TimeNs time, TimeNs byNs)
{
    TimeNs sum = 0;
    if (!__builtin_add_overflow(time, byNs, &sum)) return sum;
    return byNs > 0 ? std::numeric_limits<TimeNs>::max() : std::numeric_limits<TimeNs>::min();
}

TimeSpan later(TimeSpan span, TimeNs byNs) { return {later(span.begin, byNs), later(span.end, byNs)}; }

void move(std::optional<TimeSpan>& span, TimeNs byNs)
{
    if (span) span = later(*span, byNs);
}

void moveTimes(ViewState& state, TimeNs byNs)
{
    move(state.visible, byNs);
    move(state.brushed, byNs);
    move(state.comparison.a.span, byNs);
    move(state.comparison.b.span, byNs);
    for (Filter& filter : state.filters) move(filter.span, byNs);
    for (ChangePointRef& change : state.selected.changePoints) change.timeNs = later(change.timeNs, byNs);
    for (Mark& mark : state.marks) mark.span = later(mark.span, byNs);
}

/// Every archive that is still there has its number of before.
bool keepNumbers(const std::vector<SourceMatch>& matches)
{
    for (std::uint32_t i = 0; i < matches.size(); ++i)
        if (matches[i].experiment && *matches[i].experiment != i) return false;
    return true;
}

/// Panels that were pinned to a scope of their own follow again: the pin has numbers and times of before.
void forgetKeptPins(ViewState& state)
{
    for (auto& [panel, settings] : state.panels) {
        const auto pin = settings.find("scope");
        if (pin != settings.end() && pin->second.starts_with("kept")) settings.erase(pin);
    }
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

}  // namespace

std::optional<ViewState> carriedState(const ViewState& state, const Session& from, const Session& to)
{
    const auto matches = sharedArchives(from, to);
    if (std::ranges::none_of(matches, [](const SourceMatch& match) { return match.experiment.has_value(); }))
        return std::nullopt;
    ViewState named = state;
    named.placements.clear();  // of any size
    ViewState carried = stateFromJson(stateToJson(named, from), to, matches).state;
    carried.placements = placementsOf(state, matches);
    const TimeNs byNs =
        movedNs(sessionClock(from, state.clockShiftsNs), sessionClock(to, carried.clockShiftsNs), matches);
    if (byNs != 0) moveTimes(carried, byNs);
    if (byNs != 0 || !keepNumbers(matches)) forgetKeptPins(carried);
    // Their numbers count the hand-overs of all archives.
    if (!holdsAllOf(to, from) || !holdsAllOf(from, to)) carried.selected.handOvers.clear();
    const TimeSpan whole = sessionClock(to, carried.clockShiftsNs).extent;
    carried.visible = within(carried.visible, whole);
    carried.brushed = within(carried.brushed, whole);
    return carried;
}

std::optional<TimeSpan> within(const std::optional<TimeSpan>& span, TimeSpan whole)
{
    if (!span) return std::nullopt;
    const TimeSpan kept{std::max(span->begin, whole.begin), std::min(span->end, whole.end)};
    return kept.begin < kept.end ? std::optional(kept) : std::nullopt;
}

bool holdsAllOf(const Session& whole, const Session& part)
{
    return std::ranges::all_of(part.experiments, [&](const ExperimentPtr& archive) {
        return std::ranges::any_of(
            whole.experiments, [&](const ExperimentPtr& other) { return isSameImport(*archive, *other); });
    });
}

}  // namespace skein::gui
