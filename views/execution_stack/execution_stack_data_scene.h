// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_anomalies.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skein {

inline constexpr std::size_t kMostStacked = 4;           ///< executions below each other
inline constexpr std::size_t kMostStackPeers = 16;       ///< with a row of their own
inline constexpr std::size_t kMostStackMessages = 4000;  ///< lines of an execution

/// A message that a call of the execution sent or received. Times count from the begin of the execution.
struct StackMessage {
    MessageRef message;
    TimeNs time = 0;       ///< here
    TimeNs otherTime = 0;  ///< at the peer
    std::uint32_t level = 0;
    std::uint32_t peer = 0;  ///< its row; the last one may stand for several
    bool sent = false;
};

/// One execution with the calls in it and its messages.
struct StackedExecution {
    IntervalRef of;
    TimeSpan span;          ///< the experiment's time
    std::uint32_t end = 0;  ///< the first call behind it
    std::uint32_t levels = 1;
    std::vector<LocationId> peers;       ///< by number; of more than kMostStackPeers those with most messages
    bool otherPeers = false;             ///< a last row stands for the rest
    std::vector<StackMessage> messages;  ///< by time
    std::uint64_t allMessages = 0;
    std::vector<LabelledCall> odd;  ///< in it
};

struct ExecutionStackData {
    SessionPtr session;
    std::vector<StackedExecution> executions;
    std::size_t selected = 0;  ///< calls of which these are the first
    TimeNs longestNs = 1;
};
using ExecutionStackDataPtr = std::shared_ptr<const ExecutionStackData>;

/// The selected executions, or the most severe anomaly. Errors: Cancelled. O(calls inside + messages).
Result<ExecutionStackDataPtr> stackExecutions(const SessionAnomalies& anomalies, const Selection& selected,
                                              const std::vector<CallVerdict>& verdicts, const Task& task);

const CallIntervals& callsOfStack(const ExecutionStackData& data, const StackedExecution& execution);
/// "Rank 4", or "others".
std::string stackPeerName(const ExecutionStackData& data, const StackedExecution& execution,
                          std::size_t peer);

}  // namespace skein
