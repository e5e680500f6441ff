// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/first_call.h"
#include "core/select/view_state.h"
#include "views/common/scene/timeline_data.h"

#include <algorithm>
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
std::vector<std::uint32_t> visibleStack(const TimelineData& data, const ViewState& state, IntervalRef interval);

/// Visits every call of the location that overlaps the span of experiment time and lasts at least `shortestNs`, and
/// those that are under way at its begin; callers before their callees. O(found · log calls).
template <typename Visit>
void visitLongCalls(const CallIntervals& calls, const IntervalSkip& skip, TimeSpan span, TimeNs shortestNs, Visit visit)
{
    const std::uint32_t from = firstCallFrom(calls, span.begin + 1);
    const std::uint32_t to = firstCallFrom(calls, span.end);
    std::vector<std::uint32_t> around;
    for (std::uint32_t call = skip.innermostAt(calls, span.begin); call != kNoInterval; call = skip.parent(calls, call))
        around.push_back(call);
    std::for_each(around.rbegin(), around.rend(), visit);
    for (std::uint32_t call = skip.nextLasting(calls, from, to, shortestNs); call < to;
         call = skip.nextLasting(calls, call + 1, to, shortestNs))
        visit(call);
}

}  // namespace skein
