// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/message_filter.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "core/session/session_clock.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// When what is selected happens, for zooming to it.
namespace skein {

/// Times from send to receive of messages, and when they are under way.
struct Flights {
    std::optional<double> meanNs = {};  ///< nullopt: no message was matched
    TimeNs longestNs = 0;
    std::optional<TimeSpan> span = {};  ///< of the experiment
};

/// Sender and receiver.
using RankPair = std::pair<std::uint32_t, std::uint32_t>;

/// Of matched messages between the ranks of each set of pairs that the filter, one of this experiment, lets
/// pass and that were sent in the window (nullopt: in all of the run). A pair may be in several sets.
/// O(messages · sets of a pair + pairs); nothing without a trace.
std::vector<Flights> flightsOf(const Experiment& experiment, const std::vector<std::vector<RankPair>>& sets,
                               std::optional<TimeSpan> window, const MessageFilter& filter, const Task& task);

/// From the first to the last call of the selected call paths on the selected locations, in session time;
/// where only one of both is selected, that. nullopt: no such call, or nothing of both is selected. O(calls
/// before the first and after the last of them).
std::optional<TimeSpan> spanOfSelectedCalls(const Session& session, const SessionClock& clock,
                                            const Selection& selected, const Task& task);

}  // namespace skein
