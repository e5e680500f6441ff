// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/view_state.h"

#include <algorithm>

namespace skein {
namespace {

template <typename RefType>
bool passesOne(const std::vector<RefType>& listed, FilterEffect effect, RefType item)
{
    if (listed.empty()) return true;
    const bool found = std::binary_search(listed.begin(), listed.end(), item);
    return found == (effect == FilterEffect::Keep);
}

}  // namespace

ViewParts differingParts(const ViewState& left, const ViewState& right)
{
    ViewParts parts;
    if (left.visible != right.visible) parts |= ViewParts::kVisible;
    if (left.brushed != right.brushed || left.markedLocations != right.markedLocations)
        parts |= ViewParts::kBrushed;
    if (left.selected != right.selected) parts |= ViewParts::kSelected;
    if (left.hover != right.hover) parts |= ViewParts::kHover;
    if (left.metric != right.metric || left.derived != right.derived) parts |= ViewParts::kMetric;
    if (left.filters != right.filters) parts |= ViewParts::kFilters;
    if (left.clockShiftsNs != right.clockShiftsNs) parts |= ViewParts::kClocks;
    if (left.marks != right.marks) parts |= ViewParts::kMarks;
    if (left.rows != right.rows) parts |= ViewParts::kRows;
    if (left.hits != right.hits) parts |= ViewParts::kHits;
    if (left.colors != right.colors || left.colorScaling != right.colorScaling
        || left.grouping != right.grouping)
        parts |= ViewParts::kColors;
    if (left.waitMarks != right.waitMarks || left.messageLines != right.messageLines)
        parts |= ViewParts::kOverlays;
    if (left.machine != right.machine) parts |= ViewParts::kMachine;
    if (left.placements != right.placements) parts |= ViewParts::kPlacements;
    if (left.tree != right.tree) parts |= ViewParts::kTree;
    if (left.comparison != right.comparison) parts |= ViewParts::kComparison;
    if (left.verdicts != right.verdicts || left.verdictUse != right.verdictUse) parts |= ViewParts::kVerdicts;
    if (left.causes != right.causes) parts |= ViewParts::kCauses;
    if (left.panels != right.panels) parts |= ViewParts::kPanels;
    return parts;
}

void copyParts(const ViewState& from, ViewParts parts, ViewState& to)
{
    const auto copy = [&](ViewParts part, auto... members) {
        if (parts.has(part)) ((to.*members = from.*members), ...);
    };
    copy(ViewParts::kVisible, &ViewState::visible);
    copy(ViewParts::kBrushed, &ViewState::brushed, &ViewState::markedLocations);
    copy(ViewParts::kSelected, &ViewState::selected);
    copy(ViewParts::kHover, &ViewState::hover);
    copy(ViewParts::kMetric, &ViewState::metric, &ViewState::derived);
    copy(ViewParts::kFilters, &ViewState::filters);
    copy(ViewParts::kClocks, &ViewState::clockShiftsNs);
    copy(ViewParts::kMarks, &ViewState::marks);
    copy(ViewParts::kRows, &ViewState::rows);
    copy(ViewParts::kHits, &ViewState::hits);
    copy(ViewParts::kColors, &ViewState::colors, &ViewState::colorScaling, &ViewState::grouping);
    copy(ViewParts::kOverlays, &ViewState::waitMarks, &ViewState::messageLines);
    copy(ViewParts::kMachine, &ViewState::machine);
    copy(ViewParts::kPlacements, &ViewState::placements);
    copy(ViewParts::kTree, &ViewState::tree);
    copy(ViewParts::kComparison, &ViewState::comparison);
    copy(ViewParts::kVerdicts, &ViewState::verdicts, &ViewState::verdictUse);
    copy(ViewParts::kCauses, &ViewState::causes);
    copy(ViewParts::kPanels, &ViewState::panels);
}

const CauseLinks* shownCauses(const ViewState& state)
{
    const auto& chosen = state.selected.intervals;
    const bool shown = state.causes.about.valid() && !state.causes.links.empty()
        && std::binary_search(chosen.begin(), chosen.end(), state.causes.about);
    return shown ? &state.causes : nullptr;
}

bool passes(const std::vector<Filter>& filters, RegionRef region)
{
    return std::all_of(filters.begin(), filters.end(), [&](const Filter& filter) {
        return passesOne(filter.regions, filter.effect, region);
    });
}

bool passes(const std::vector<Filter>& filters, LocationRef location)
{
    return std::all_of(filters.begin(), filters.end(), [&](const Filter& filter) {
        return passesOne(filter.locations, filter.effect, location);
    });
}

std::optional<TimeSpan> keptSpan(const std::vector<Filter>& filters)
{
    std::optional<TimeSpan> kept;
    for (const Filter& filter : filters)
        if (filter.span && filter.effect == FilterEffect::Keep)
            kept = kept ? kept->intersected(*filter.span) : *filter.span;
    return kept;
}

}  // namespace skein
