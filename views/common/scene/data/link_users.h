// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/result_store.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/data/session_communication.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// Who loads some links of a machine. Shares are of what crosses any of them, 0 … 1; a route that takes
/// several counts once.
struct LinkUsers {
    struct Route {
        std::size_t pair = 0;  ///< place in traffic.pairs
        std::uint64_t amount = 0;
        double share = 0;
    };
    struct Ranks {
        RankPairRef pair;
        std::uint64_t amount = 0;
        double share = 0;
    };
    struct Sender {
        CallPathRef callPath;
        std::string name;  ///< regions from the outermost call on
        std::uint64_t messages = 0;
        std::uint64_t amount = 0;
        double share = 0;
    };

    std::uint64_t amount = 0;  ///< in the unit of the traffic
    std::uint64_t messages = 0;
    std::vector<Route> routes;              ///< the most first
    std::vector<Ranks> ranks;               ///< the most first
    std::vector<Sender> senders;            ///< the most first; empty without a trace
    std::vector<MessageRef> firstMessages;  ///< by time, at most kMostLit
};

/// Messages that are lit on the timeline at most.
inline constexpr std::size_t kMostLit = 2000;

/// Errors: Cancelled. O(hops + entries + messages in the span).
Result<LinkUsers> linkUsers(ResultStore& results, const Session& session,
                            const SessionCommunication& communication, const std::vector<LinkRef>& links,
                            const Task& task);

/// "main / step / MPI_Isend".
std::string callPathText(const Experiment& experiment, CallPathId callPath);

/// The links with the pairs of ranks, messages and call paths that load them.
Selection selectionOfLinks(const Session& session, const std::vector<LinkRef>& links, const LinkUsers& users);

}  // namespace skein
