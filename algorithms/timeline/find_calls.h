// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/message_filter.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace skein {

/// Which calls are wanted. Empty locations: all of them.
struct CallSearch {
    std::vector<RegionId> regions;
    std::vector<LocationId> locations;
    std::optional<TimeSpan> span;  ///< experiment time; calls that overlap it
    std::size_t limit = 200;       ///< the longest ones are listed
};

struct FoundCall {
    LocationId location;
    std::uint32_t interval = 0;
    TimeNs durationNs = 0;

    bool operator==(const FoundCall&) const = default;
};

struct FoundCalls {
    std::vector<FoundCall> longest;  ///< longest first, then by location and entry
    std::uint64_t total = 0;
};

/// The longest calls of some regions. O(calls): one pass over the call paths, and over the times of those
/// that match. The same for any number of threads. Errors: NotRecorded without a trace; Cancelled.
Result<FoundCalls> findCalls(const Experiment& experiment, const CallSearch& search, const Task& task);

/// Which messages are wanted. Empty locations: all of them.
struct MessageSearch {
    std::vector<LocationId> between;   ///< both ends are at these
    std::vector<LocationId> touching;  ///< one end is at one of these
    std::optional<TimeSpan> span;      ///< experiment time; messages that are under way in it
    std::size_t limit = 200;           ///< the slowest ones are listed
    MessageFilter filter = {};         ///< those that pass
};

struct FoundMessages {
    std::vector<std::uint32_t> slowest;  ///< indexes into Trace::messages, longest under way first
    std::uint64_t total = 0;             ///< matched messages that are wanted
};

/// The matched messages that were under way for longest; of one duration the earlier sent first. O(messages).
/// Errors: NotRecorded without a trace; Cancelled.
Result<FoundMessages> findMessages(const Experiment& experiment, const MessageSearch& search,
                                   const Task& task);

}  // namespace skein
