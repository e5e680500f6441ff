// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/call_stack.h"

#include "core/index/first_call.h"

#include <algorithm>

namespace skein {

bool canBeDrawn(const TimelineData& data, IntervalRef interval)
{
    if (interval.experiment >= data.session.experiments.size() || !data.indexes[interval.experiment])
        return false;
    const Trace& trace = *data.session.experiments[interval.experiment]->trace;
    return interval.location.index() < trace.locations.size()
        && interval.index < trace.locations[interval.location.index()].intervals.size();
}

const CallIntervals& callsOf(const TimelineData& data, LocationRef location)
{
    return data.session.experiments[location.experiment]->trace->locations[location.id.index()].intervals;
}

const IntervalSkip& skipOf(const TimelineData& data, LocationRef location)
{
    return data.indexes[location.experiment]->locations[location.id.index()].skip;
}

TimeSpan spanOf(const TimelineData& data, IntervalRef interval)
{
    return data.clock.toSession(interval.experiment,
                                callsOf(data, {interval.experiment, interval.location}).span(interval.index));
}

std::vector<std::uint32_t> visibleStack(const TimelineData& data, const ViewState& state,
                                        IntervalRef interval)
{
    const LocationRef location{interval.experiment, interval.location};
    const CallTree& tree = *data.session.experiments[interval.experiment]->callTree;
    const CallIntervals& calls = callsOf(data, location);
    const IntervalSkip& skip = skipOf(data, location);
    std::vector<std::uint32_t> stack;
    for (std::uint32_t call = interval.index; call != kNoInterval; call = skip.parent(calls, call)) {
        const RegionId region = tree.region(CallPathId(calls.callPath[call]));
        if (passes(state.filters, RegionRef{interval.experiment, region})) stack.push_back(call);
    }
    std::reverse(stack.begin(), stack.end());
    return stack;
}

void findLongCalls(const CallIntervals& calls, const IntervalSkip& skip, TimeSpan span, TimeNs shortestNs,
                   std::vector<std::uint32_t>& found)
{
    found.clear();
    for (std::uint32_t call = skip.innermostAt(calls, span.begin); call != kNoInterval;
         call = skip.parent(calls, call))
        found.push_back(call);
    std::reverse(found.begin(), found.end());
    skip.appendLasting(calls, firstCallFrom(calls, span.begin + 1), firstCallFrom(calls, span.end),
                       shortestNs, found);
}

}  // namespace skein
