// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/message_filter.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/timeline_index.h"
#include "core/session/experiment.h"
#include "core/session/session_clock.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// How many messages were sent, and how many were received, in equal bins of session time.
/// Bin i is [begin + i·binNs, begin + (i + 1)·binNs); `begin` is a multiple of the bin.
struct MessageHistogram {
    TimeNs begin = 0;
    TimeNs binNs = 1;
    std::vector<std::uint64_t> sent;      ///< every send, also those that nobody received
    std::vector<std::uint64_t> received;  ///< completed receives, also those without a send

    /// Of all bins and both directions.
    std::uint64_t greatest() const;
};

/// The shortest of 1, 2, 5, 10, 20 … ns that cuts the span into at most `mostBins` ≥ 1.
TimeNs roundBinNs(TimeSpan span, std::uint32_t mostBins);

/// Counts the messages of all traces whose send, or receive, lies in the span. `indexes`: one an experiment;
/// null, or none at all, where there is none. `filters`: the same; empty: all messages count. O(messages /
/// 256 + messages at the edges of bins) with an index, O(messages) without or with a filter. Errors:
/// Cancelled; InvalidArgument for bins that are not positive or more than 2^24.
Result<MessageHistogram> messageHistogram(const Session& session, const SessionClock& clock, TimeSpan span,
                                          TimeNs binNs, std::span<const TimelineIndexPtr> indexes,
                                          std::span<const MessageFilter> filters, const Task& task);

}  // namespace skein
