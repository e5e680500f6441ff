// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// The longest calls of some regions. O(calls): one pass over the call paths, and over the times of those that match.
/// The same for any number of threads. Errors: InvalidArgument without a trace; Cancelled.
Result<FoundCalls> findCalls(const Experiment& experiment, const CallSearch& search, const Task& task);

/// A message and how long it was under way.
struct FoundMessages {
    std::vector<std::uint32_t> slowest;  ///< indexes into Trace::messages, longest under way first
    std::uint64_t total = 0;             ///< matched messages
};

/// The matched messages that were under way for longest; of one duration the earlier sent first. O(messages).
/// Errors: InvalidArgument without a trace; Cancelled.
Result<FoundMessages> findMessages(const Experiment& experiment, std::size_t limit, const Task& task);

}  // namespace skein
