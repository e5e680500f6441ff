// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/wait_index.h"

#include <algorithm>

namespace skein {

WaitIndex::WaitIndex(WaitStates waits) : waits_(std::move(waits)), spans_(waits_.states)
{
    TimeNs sum = 0;
    waitedBefore_.reserve(waits_.states.size());
    for (const WaitState& state : waits_.states) {
        waitedBefore_.push_back(sum);
        sum += state.lengthNs();
    }
}

const WaitState* WaitIndex::ofCall(LocationId location, std::uint32_t interval, TimeSpan call) const
{
    const WaitState* longest = nullptr;
    const auto end = spans_.rowsOf(location).second;
    for (std::size_t number = spans_.firstBeginningAt(waits_.states, location, call.begin);
         number < end && waits_.states[number].begin < call.end; ++number) {
        const WaitState& state = waits_.states[number];
        if (state.interval == interval && (!longest || state.lengthNs() > longest->lengthNs()))
            longest = &state;
    }
    return longest;
}

WaitStates waitsWithin(const WaitStates& waits, TimeSpan span)
{
    std::vector<WaitState> kept;
    for (WaitState state : waits.states) {
        state.begin = std::max(state.begin, span.begin);
        state.end = std::min(state.end, span.end);
        if (state.begin < state.end) kept.push_back(state);
    }
    return {Column<WaitState>(std::move(kept)), waits.inferredCollectives, {}};
}

bool passes(const MessageFilter& filter, const Trace& trace, const WaitState& state)
{
    return filter.all() || state.message >= trace.messages.size()
        || filter.passes(trace.messages[state.message]);
}

WaitStates waitsForMessages(const WaitStates& waits, const Trace& trace, const MessageFilter& filter)
{
    if (filter.all()) return {waits.states, waits.inferredCollectives, {}};
    std::vector<WaitState> kept;
    for (const WaitState& state : waits.states)
        if (passes(filter, trace, state)) kept.push_back(state);
    return {Column<WaitState>(std::move(kept)), waits.inferredCollectives, {}};
}

}  // namespace skein
