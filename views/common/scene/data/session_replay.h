// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_behavior.h"

/// A behaviour as it was known at a time of the run, and one that has the findings of another.
namespace skein {

struct BehaviorReplayParams {
    double clusterSeconds = 0.05;  ///< latency budgets
    double placeSeconds = 0.02;
    std::size_t windowRows = 500;     ///< clusters and places are of so many last rows
    LatencyBudget::Clock clock = {};  ///< empty: the machine's
};

/// The rows of a behaviour that are over by a time: at least 2.
std::size_t rowsUntil(const SessionBehavior& whole, TimeNs time);

/// What was known when so many rows were over: changes are those of showSoFar(), no later row being looked
/// at; clusters and places are made within their budgets, going on from `previous` (of the
/// same run, may be null), and say what share of the entities they have seen. The number of clusters is that
/// of the whole run. With `leader`, the same rows of another metric, changes and clusters are the leader's.
/// Errors: Cancelled.
Result<SessionBehaviorPtr> behaviorUntil(const SessionBehavior& whole, std::size_t rows,
                                         const SessionBehaviorPtr& previous, const SessionBehaviorPtr& leader,
                                         const BehaviorReplayParams& params, const Task& task);

/// Whether one may have the findings of another: the same entities and bins.
bool mayLead(const SessionBehavior& leader, const SessionBehavior& behavior);

}  // namespace skein
