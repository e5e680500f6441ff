// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/route_pairs.h"
#include "algorithms/routing/routing_model.h"
#include "core/base/result.h"
#include "core/base/result_store.h"
#include "core/machine/placement.h"
#include "core/machine/topology.h"
#include "core/select/machine_choice.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <memory>
#include <string>

namespace skein {

/// A machine, and which rank runs where on it. Immutable; may cross threads.
struct PlacedMachine {
    std::shared_ptr<const Topology> topology;
    Placement placement;        ///< of no ranks where only recorded routes between nodes are known
    std::string placementName;  ///< "block", "hosts", a file … "as recorded"
    std::string remark;         ///< sentences about what of it is not as asked for; mostly empty
    RoutingModel model;
    std::shared_ptr<const MeasuredPaths> measured;  ///< recorded routes, which win over the model; or null
    bool recordedOnly = false;   ///< the archive itself is one of routes: nothing else is shown
    bool fromArchive = false;    ///< nobody chose the machine: the archive tells it
    std::uint64_t unusable = 0;  ///< recorded routes that do not fit the machine
};

using PlacedMachinePtr = std::shared_ptr<const PlacedMachine>;

/// What a placement says of one of several archives: parts between semicolons are of one archive each, the
/// last of all further ones. "free" places ranks on the nodes that the archives before it leave free.
std::string placementPart(const std::string& text, std::uint32_t experiment);

/// The machine of a choice with the ranks placed on it, kept while somebody holds it; null for "none", and
/// where nothing was chosen and the archive tells none. Errors: one sentence about what is wrong with the
/// choice; Cancelled.
Result<PlacedMachinePtr> placedMachineOf(ResultStore& results, const SessionPtr& session,
                                         std::uint32_t experiment, const MachineChoice& choice,
                                         std::uint32_t ranks, const Task& task);

/// The machine alone, kept while somebody holds it; null as above. Errors: those of topologyOfText().
Result<std::shared_ptr<const Topology>> topologyOfChoice(ResultStore& results, const SessionPtr& session,
                                                         std::uint32_t experiment,
                                                         const MachineChoice& choice, const Task& task);

}  // namespace skein
