// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/counted_messages.h"
#include "algorithms/routing/replay_matrix.h"
#include "algorithms/routing/route_pairs.h"
#include "algorithms/routing/routing_model.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/comm/comm_matrix.h"
#include "core/machine/placement.h"
#include "core/machine/topology.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// What is predicted for a stretch of a run; without times where the source has none.
struct PhaseReplay {
    std::optional<TimeSpan> span;  ///< on the experiment's clock
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    Replay replay;
};

/// Where messages are replayed. `measured` may be null.
struct ReplayMachine {
    const Topology& topology;
    const Placement& placement;
    const RoutingModel& model;
    const MeasuredPaths* measured = nullptr;
};

/// Whose messages are replayed.
struct ReplayedRun {
    const Experiment& experiment;
    const CommMatrix& whole;              ///< of a run without a trace; as it is
    std::optional<TimeSpan> window = {};  ///< on the experiment's clock; nullopt: all of it
    std::string collectives = {};         ///< "none", "default" or an algorithm; empty: none
    CountedMessages counted = {};         ///< which messages, by locations
};

/// Replays the messages of each of commPhases(), one phase after the other, with those that collective
/// operations are made of where `collectives` names an algorithm, as far as messages between their ranks
/// count; of a run without a trace `whole` as one phase. Phases are cut where all of the run joins, whoever
/// counts. Phases that send the same are replayed once. Errors: InvalidArgument for an unknown algorithm;
/// those of replayMatrix(); Cancelled.
Result<std::vector<PhaseReplay>> replayPhases(const ReplayedRun& run, const ReplayMachine& machine,
                                              const ReplayParams& params, const Task& task);

}  // namespace skein
