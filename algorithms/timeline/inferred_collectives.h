// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/session/experiment.h"

#include <vector>

namespace skein {

/// One call of a collective operation by one process.
struct CollectiveCall {
    LocationId location;
    std::uint32_t interval = 0;
};

/// The calls of one operation by all processes.
struct InferredCollective {
    CollectiveKind kind = CollectiveKind::Other;
    std::vector<CollectiveCall> calls;  ///< by location
};

/// Collectives that a trace has only as regions (TAU's OTF2 writes no collective events), of the kinds in which nobody
/// leaves before the last has entered: barrier, allreduce, allgather, alltoall. The k-th calls of one region name by
/// all processes are taken for one operation. That is right only for operations over all processes, so a name is
/// taken only when every process called it equally often and in every operation the last enter lies before the first
/// leave; else none of its operations is. Names in which a process calls from several threads are left out.
/// Empty for traces with collective events. O(calls). Empty when stopped.
std::vector<InferredCollective> inferCollectives(const Experiment& experiment, const Task& task);

}  // namespace skein
