// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/replay_messages.h"
#include "algorithms/routing/route_pairs.h"
#include "algorithms/routing/routing_model.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/comm/comm_matrix.h"
#include "core/machine/placement.h"
#include "core/machine/topology.h"

namespace skein {

/// Replays what ranks send each other under a placement, one message a pair: every rank sends to higher ranks
/// first and then round to lower ones, so that not all begin with rank 0. `measured` may be null. Errors:
/// those of nodeTraffic(), routePairs() and replayMessages().
Result<Replay> replayMatrix(const Topology& topology, const Placement& placement, const RoutingModel& model,
                            const MeasuredPaths* measured, const CommMatrix& matrix,
                            const ReplayParams& params, const Task& task);

}  // namespace skein
