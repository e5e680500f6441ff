// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/stream_anomalies.h"
#include "core/base/result.h"
#include "core/base/result_store.h"
#include "core/base/task.h"
#include "core/select/scope.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/data/session_behavior.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// What is known in numbers of the selected things of one kind, a row each.
struct DetailTable {
    std::string title;
    std::vector<std::string> columns;  ///< the first names the thing
    std::vector<std::vector<std::string>> rows;
    std::uint64_t left = 0;  ///< more of them that have no row
    /// Session time that a row is about; empty, or one a row.
    std::vector<std::optional<TimeSpan>> spans = {};
};

inline constexpr std::size_t kMostDetailRows = 50;

struct DetailRequest {
    SessionPtr session;
    ViewState state;
    std::shared_ptr<ResultStore> results;  ///< of the views that may ask for the same
    SessionBehaviorPtr behavior = {};      ///< what the behaviour views show; null: nothing yet
    AnomalySearch anomalyRules = {};       ///< by which the window judges calls
};

/// Numbers of what is selected, over the scope of the state where they are sums: regions and call paths
/// (calls, times, share, how they are divided among the locations), locations (time in MPI, messages, peers),
/// calls (against the usual of their region, what they waited for, score and severity of those that are not
/// normal where anomalies are known, why they lasted longer where that is
/// shown), pairs of ranks, collectives with their
/// members, several messages, links, nodes and routes of the machine, hand-overs, change points, clusters.
/// O(calls of the scope
/// + messages). Errors: Cancelled.
Result<std::vector<DetailTable>> detailNumbers(const DetailRequest& request, const Task& task);

}  // namespace skein
