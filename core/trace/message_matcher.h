// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/definitions/definitions.h"
#include "core/trace/events.h"

#include <optional>
#include <span>
#include <vector>

namespace skein {

/// A receive in the place where it was posted. A cancelled one has no `posted`, one that never completed has
/// no `completed` and nothing behind it.
struct PostedReceive {
    TimeNs posted = kNoTime;
    TimeNs completed = kNoTime;
    std::uint64_t bytes = 0;
    LocationId sender;  ///< the location that stands for the sender's rank
    CommunicatorId communicator;
    std::uint32_t tag = 0;
    std::uint32_t interval = kNoInterval;
};

/// The process of every location, numbered from 0: messages go between processes, whichever of their threads
/// calls. A location without a group is a process of its own.
std::vector<std::uint32_t> processesOf(const Definitions& definitions);

/// What is to be matched; one entry a location. Times may be of any unit as long as it is one.
struct MessageRecords {
    std::vector<std::span<Message>> sends;  ///< in the order of the calls; completed by the matching
    std::vector<std::span<const PostedReceive>> receives;  ///< in the order of the posts
    std::span<const std::uint32_t> processes;              ///< see processesOf
};

/// Gives each send the receive that MPI's ordering rule gives it (MPI 4.0 §3.5): per (communicator, sending
/// process, receiving process, tag) the k-th posted receive takes the k-th send. Fills receiveTime,
/// receiveInterval and the receiving location of the sends. Returns the receives that have no send (sendTime
/// is kNoTime; receiveTime is the time of the post where it never completed), by receiving process; nullopt
/// when stopped. Expected O(sends + receives); parallel over the receiving processes; the same bits for any
/// number of threads.
std::optional<std::vector<Message>> matchMessages(const MessageRecords& records, const Task& task);

}  // namespace skein
