// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/session/experiment.h"
#include "core/trace/mpi_names.h"

#include <optional>
#include <span>
#include <vector>

namespace skein {

/// One call of a collective operation by one process.
struct InferredCall {
    LocationId location;
    std::uint32_t interval = 0;
};

/// The calls of one operation by all processes.
struct InferredCollective {
    CollectiveKind kind = CollectiveKind::Other;
    std::vector<InferredCall> calls;  ///< by location
};

/// What may be the operations of one kind: the k-th calls by all processes.
struct CollectiveCandidates {
    std::vector<InferredCollective> operations;
    bool overlap = false;  ///< in every operation the last enter lies before the first leave
};

/// The calls of collectives on one location that lie in no other one, in the order of their entry: a library
/// that calls itself (PMPI below MPI), or makes an operation of others, called one. `ofPath` is
/// mpiCollectivesOf(). O(calls).
std::vector<std::uint32_t> outermostCollectives(const CallIntervals& intervals,
                                                std::span<const std::optional<MpiCollective>> ofPath);

/// Candidates for collectives that a trace has only as regions (TAU's OTF2 writes no collective events), of
/// the kinds in which nobody leaves before the last has entered: barrier, allreduce, allgather, alltoall and
/// reduce_scatter in their blocking forms. One entry for each kind that every process called equally often;
/// kinds that a process calls from several threads are left out. Empty for traces with collective events.
/// O(calls). Empty when stopped.
std::vector<CollectiveCandidates> collectiveCandidates(const Experiment& experiment, const Task& task);

/// The candidates that overlap. The k-th calls belong together only in operations over all processes, so a
/// kind of which one operation does not overlap gives none. Clocks must agree: correct them first.
std::vector<InferredCollective> inferCollectives(const Experiment& experiment, const Task& task);

}  // namespace skein
