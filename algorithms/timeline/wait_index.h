// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/message_filter.h"
#include "algorithms/timeline/wait_states.h"
#include "core/index/location_spans.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace skein {

/// The wait states of a trace, to be asked by location and time. Immutable; reading from several threads is
/// safe.
class WaitIndex {
public:
    WaitIndex() = default;
    /// `waits` as findWaitStates() gives them. O(states).
    explicit WaitIndex(WaitStates waits);

    const WaitStates& found() const { return waits_; }
    const WaitState& state(std::size_t number) const { return waits_.states[number]; }
    const LocationSpans<WaitState>& spans() const { return spans_; }
    /// For each state the length of all states before it.
    std::span<const TimeNs> waitedBefore() const { return waitedBefore_; }
    /// The wait of a call, the longest where it has several; null where it has none. O(log states + states of
    /// its begin).
    const WaitState* ofCall(LocationId location, std::uint32_t interval, TimeSpan call) const;

private:
    WaitStates waits_;
    LocationSpans<WaitState> spans_;
    std::vector<TimeNs> waitedBefore_;
};

using WaitIndexPtr = std::shared_ptr<const WaitIndex>;

/// What of the wait states lies in the half-open span, cut at its ends; in the same order; without which
/// calls were analysed. O(states).
WaitStates waitsWithin(const WaitStates& waits, TimeSpan span);

/// Whether the filter leaves the message that was waited for; waits in collectives are for none and stay.
bool passes(const MessageFilter& filter, const Trace& trace, const WaitState& state);

/// The wait states that pass; in the same order; without which calls were analysed. O(states · conditions).
WaitStates waitsForMessages(const WaitStates& waits, const Trace& trace, const MessageFilter& filter);

}  // namespace skein
