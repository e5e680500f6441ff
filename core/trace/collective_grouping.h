// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/definitions/definitions.h"
#include "core/trace/events.h"

#include <optional>
#include <span>
#include <vector>

namespace skein {

/// One location's part in a collective operation. One that never ended has no `end`.
struct CollectiveRecord {
    TimeNs begin = kNoTime;
    TimeNs end = kNoTime;
    std::uint64_t bytesSent = 0;
    std::uint64_t bytesReceived = 0;
    CommunicatorId communicator;
    LocationId root;
    std::uint32_t interval = kNoInterval;
    CollectiveKind kind = CollectiveKind::Other;
};

struct GroupedCollectives {
    std::vector<CollectiveOperation> operations;  ///< by begin, then the first member's location
    std::vector<CollectiveMember> members;        ///< of each operation by location
};

/// Groups the k-th collective on a communicator of each of its processes into one operation (MPI 4.0 §6.14:
/// all processes call collectives on a communicator in the same order). Operations on a `self` communicator
/// have one member. `records`: one entry a location, in the order of the calls; those without an end are left
/// out. nullopt after a stop request. O(records + operations log operations) where each process records in
/// the order of time.
std::optional<GroupedCollectives> groupCollectives(std::span<const std::span<const CollectiveRecord>> records,
                                                   std::span<const std::uint32_t> processes,
                                                   std::span<const Communicator> communicators,
                                                   const Task& task);

}  // namespace skein
