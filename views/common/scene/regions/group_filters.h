// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/regions/region_groups.h"

#include <cstdint>
#include <string>
#include <vector>

/// What a legend does to the filters: hide a group of regions and show it again, or show it alone.
namespace skein {

/// The groups of a session and the regions of each, over all experiments.
struct GroupRegions {
    std::vector<ShownGroup> groups;               ///< in the order of legends
    std::vector<std::vector<RegionRef>> regions;  ///< of each; sorted
};

/// O(regions).
GroupRegions regionsByGroup(const RegionGroups& groups);

enum class Shown : std::uint8_t { All, Some, None };

/// How much of a list of regions passes the filters; All for an empty list.
Shown shownOf(const std::vector<RegionRef>& regions, const std::vector<Filter>& filters);

/// Hides a group of which anything is shown. Shows one that is hidden: groups that stand alone are joined by
/// it. Where filters hide it that were not made of these groups, but of others or by name, its regions are
/// excepted from them, and their labels tell so. `group` is an index into the groups.
std::vector<Filter> withGroupToggled(const GroupRegions& groups, std::vector<Filter> filters,
                                     std::uint32_t group);

/// Shows the group alone, instead of what was done to whole groups before; a group that stands alone already
/// gets all the others back.
std::vector<Filter> withGroupAlone(const GroupRegions& groups, std::vector<Filter> filters,
                                   std::uint32_t group);

/// Without the filters that were made of whole groups of another grouping and not of these: what is to stand
/// alone here would be hidden by what stood alone there.
std::vector<Filter> withoutOtherGroups(const GroupRegions& groups, const GroupRegions& others,
                                       std::vector<Filter> filters);

/// Takes the filter back that hides exactly these regions, or adds it. `what` names them: "MPI_Send".
std::vector<Filter> withRegionsToggled(std::vector<Filter> filters, const std::string& what,
                                       const std::vector<RegionRef>& regions);

}  // namespace skein
