// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/timeline_data.h"

#include <cstdint>
#include <vector>

/// Calls of one location as pictures need them. References of another session are noticed by canBeDrawn().
namespace skein {

/// True when the call exists and its experiment has an index.
bool canBeDrawn(const TimelineData& data, IntervalRef interval);

const CallIntervals& callsOf(const TimelineData& data, LocationRef location);
const IntervalSkip& skipOf(const TimelineData& data, LocationRef location);

/// Of a call that can be drawn, in session time.
TimeSpan spanOf(const TimelineData& data, IntervalRef interval);

/// Calls around and including the call whose regions no filter hides, outermost first. O(depth · log calls).
std::vector<std::uint32_t> visibleStack(const TimelineData& data, const ViewState& state,
                                        IntervalRef interval);

/// Finds every call of the location that overlaps the span of experiment time and lasts at least
/// `shortestNs`, and those that are under way at its begin; callers before their callees. O((around + found)
/// · log calls).
void findLongCalls(const CallIntervals& calls, const IntervalSkip& skip, TimeSpan span, TimeNs shortestNs,
                   std::vector<std::uint32_t>& found);

}  // namespace skein
