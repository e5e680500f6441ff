// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/route_pairs.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// How fast the links of a machine are; the bandwidth is that of a link with capacity 1 in one direction. The
/// defaults are those of Blue Gene/Q's torus.
struct LinkSpeed {
    double bytesPerSecond = 2e9;
    double latencySeconds = 5e-7;  ///< of every link on the way
};

struct ReplayParams {
    LinkSpeed speed;
    std::uint32_t concurrent = 1;  ///< messages that a rank has under way; 0: all that it sends
};

/// What one rank sends another.
struct ReplayMessage {
    std::uint32_t sender = 0;  ///< rank; messages of one follow each other, in the order they are sent
    std::uint32_t route = 0;   ///< of the paths; one without links stays in its node and takes no time
    std::uint64_t bytes = 0;
};

struct Replay {
    double seconds = 0;         ///< until the last message has come
    double maxLinkSeconds = 0;  ///< what the busiest link needs for its bytes alone: a lower bound
};

/// How long messages take that share links: all senders begin at once and have `concurrent` messages under
/// way; a message needs the latency of its links, and then moves at the smallest of the shares that its links
/// give it. Shares are in inverse proportion to the number of links on a message's way, as congestion control
/// has it and SimGrid's model CM02 (Casanova, Marchal 2002). That is what max-min fairness gives, without
/// passing on what messages
/// with another bottleneck leave unused, so it never tells less than max-min fairness. Errors:
/// InvalidArgument for a speed that is not above 0 or a latency below, messages that name no route, and
/// messages of a sender that are not together; Cancelled. The same bits on every run. O(messages · (hops +
/// messages that share a link · hops + log messages)).
Result<Replay> replayMessages(const Topology& topology, const LinkPaths& paths,
                              std::span<const ReplayMessage> messages, const ReplayParams& params,
                              const Task& task);

}  // namespace skein
