// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/palette.h"

#include <array>
#include <cstdint>
#include <vector>

/// What a legend does to the filters: hide a group of regions and show it again, or show it alone.
namespace skein {

/// The regions of every group over all experiments; sorted.
using GroupRegions = std::array<std::vector<RegionRef>, kPaletteGroups>;

/// O(regions).
GroupRegions regionsByGroup(const Session& session);

enum class Shown : std::uint8_t { All, Some, None };

/// How much of a list of regions passes the filters; All for an empty list.
Shown shownOf(const std::vector<RegionRef>& regions, const std::vector<Filter>& filters);

/// Hides a group of which anything is shown; shows one that is hidden, as far as it was hidden as a whole group: groups
/// that stand alone are then joined by it.
std::vector<Filter> withGroupToggled(const GroupRegions& groups, std::vector<Filter> filters, PaletteGroup group);

/// Shows the group alone, instead of what was done to whole groups before; a group that stands alone already gets all
/// the others back.
std::vector<Filter> withGroupAlone(const GroupRegions& groups, std::vector<Filter> filters, PaletteGroup group);

/// Takes the filter back that hides exactly these regions, or adds it. `what` names them: "MPI_Send".
std::vector<Filter> withRegionsToggled(std::vector<Filter> filters, const std::string& what, const std::vector<RegionRef>& regions);

}  // namespace skein
