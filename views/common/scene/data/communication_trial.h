// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/route_pairs.h"
#include "core/base/result.h"
#include "core/base/result_store.h"
#include "core/base/task.h"
#include "views/common/scene/data/session_communication.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skein {

/// The route of a pair of nodes, as a rerouting found it.
struct TriedRoute {
    VertexIndex from = 0, to = 0;
    std::vector<LinkIndex> path;
};

/// What is held beside the communication as it is: another placement, other routes, another map from a file,
/// or another run. Immutable; may cross threads.
struct CommunicationTrial {
    enum class Kind : std::uint8_t { Placement, Routes, Map, Run };

    std::string name;
    Kind kind = Kind::Placement;
    std::vector<std::uint32_t> slotOfRank = {};  ///< of Placement
    std::vector<TriedRoute> routes = {};         ///< of Routes, in the order of the traffic's pairs
    std::string map = {};                        ///< of Map: as `--placement` takes it
    std::uint32_t experiment = 0;                ///< of Run
};

/// Nodes that the next search for a placement leaves as they are; ascending.
struct HeldNodes {
    std::vector<VertexIndex> pinned;    ///< with ranks that stay
    std::vector<VertexIndex> keptFree;  ///< that get no ranks

    bool operator==(const HeldNodes&) const = default;
};

using CommunicationTrialPtr = std::shared_ptr<const CommunicationTrial>;

/// The communication under a trial: the same messages placed or routed otherwise, or those of the other run
/// on the same terms. Kept while somebody holds it. Errors: InvalidArgument in a sentence for a trial that
/// does not fit the machine or its ranks; those of communicationOf(); Cancelled.
Result<SessionCommunicationPtr> communicationUnder(ResultStore& results, const SessionPtr& session,
                                                   const SessionCommunicationPtr& base,
                                                   const CommunicationTrialPtr& trial, const Task& task);

/// How the load of each link of the machine changes, after minus before. Both are on the same machine.
/// O(links).
std::vector<std::int64_t> loadChanges(const SessionCommunication& before, const SessionCommunication& after);

/// "12 links carry more, at most 3 MiB; 40 carry less, at most 5 MiB": what gets worse comes first.
std::string loadChangeText(const std::vector<std::int64_t>& changes, LoadUnit unit);

/// Whether two communications are on machines of the same shape, so that their links are the same.
bool onSameMachine(const SessionCommunication& before, const SessionCommunication& after);

}  // namespace skein
