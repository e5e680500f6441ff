// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <memory>
#include <vector>

namespace skein {

/// Collective operations in the form of the trace's own tables, by begin.
struct CollectiveTable {
    Column<CollectiveOperation> operations;
    Column<CollectiveMember> members;
};

using CollectiveTablePtr = std::shared_ptr<const CollectiveTable>;

/// What inferCollectives() finds, as a table; null where the trace has collective events of its own, where
/// nothing is found, and for traces of more than 50 million calls. O(calls). Errors: Cancelled.
Result<CollectiveTablePtr> inferredCollectiveTable(const Experiment& experiment, const Task& task);

}  // namespace skein
