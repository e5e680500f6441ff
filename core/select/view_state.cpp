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
    if (left.metric != right.metric) parts |= ViewParts::kMetric;
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
    if (left.tree != right.tree) parts |= ViewParts::kTree;
    if (left.verdicts != right.verdicts) parts |= ViewParts::kVerdicts;
    return parts;
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
