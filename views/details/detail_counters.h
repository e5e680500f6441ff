// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/details/detail_numbers.h"

#include <vector>

namespace skein {

/// What was counted and measured of what is selected: during selected calls, else on selected locations over
/// the scope, a row a metric, those of single call paths left out; and, of metrics that can be told by call,
/// in the selected regions. Counters have an amount and rates, states (memory in use) only values. Nothing
/// where the traces have no metrics. After a stop request some may be missing. O(samples of these metrics +
/// calls of the scope for each metric that can be told by call).
std::vector<DetailTable> counterDetails(const DetailRequest& request, const Task& task);

}  // namespace skein
