// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "views/common/scene/data/timeline_data.h"

#include <string>
#include <string_view>
#include <vector>

/// How users arrange the rows of locations: orders for RowArrangement::order, and edits of an arrangement.
/// Times are those of the brushed span, of the visible one where nothing is brushed.
namespace skein {

/// By their names. O(locations log locations).
std::vector<LocationRef> orderByName(const TimelineData& data, const ViewState& state);

/// By the inclusive time of the regions, greatest first; equal ones keep the order of the system tree.
/// Errors: Cancelled.
Result<std::vector<LocationRef>> orderByTime(const TimelineData& data, const ViewState& state,
                                             const std::vector<RegionRef>& regions, const Task& task);

/// Each beside one with a like mix of exclusive times of regions (by their names); see similarityOrder().
/// Errors: Cancelled.
Result<std::vector<LocationRef>> orderBySimilarity(const TimelineData& data, const ViewState& state,
                                                   const Task& task);

/// Collapses the group, or expands it.
RowArrangement withGroupToggled(RowArrangement rows, const RowGroup& group);

/// Pins the location below those that are pinned already, or lets it go.
RowArrangement withPinToggled(RowArrangement rows, LocationRef location);

/// Puts a location before another one, in the order that is shown.
RowArrangement withRowMoved(RowArrangement rows, const std::vector<LocationRef>& shown, LocationRef moved,
                            LocationRef before);

/// The nodes and processes that a location belongs to, the innermost first.
std::vector<RowGroup> groupsOf(const Session& session, LocationRef location);

}  // namespace skein
