// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/collective_schedule.h"
#include "algorithms/comm/known_collectives.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/comm/comm_matrix.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace skein {

/// The call that a trace's operation was. Traces count bytes as each member saw them: a broadcast's vector is
/// what members received, a gather's contributions what they sent; an allgather's are in the proportion of
/// what was sent and sum up to what each received; an all-to-all with different sizes (v and w) goes
/// from each in proportion to what the others received, because no trace tells who got how much from whom.
/// `ranks` are the positions of the operation's members in the communicator.
CollectiveCall callOf(const CollectiveOperation& operation, std::span<const CollectiveMember> members,
                      std::span<const std::uint32_t> ranks, std::uint32_t root);

/// The messages that the collective operations of a trace are made of, by world rank, as one matrix.
/// Operations of the same form are expanded once. `window`: operations that began in it. Errors: OutOfMemory
/// for an operation of more than 2^26 messages; Cancelled.
Result<CommMatrix> expandCollectives(const Experiment& experiment, const KnownCollectives& known,
                                     const std::optional<TimeSpan>& window, CollectiveAlgorithm algorithm,
                                     const Task& task);
/// Of knownCollectives(), whose errors come too.
Result<CommMatrix> expandCollectives(const Experiment& experiment, const std::optional<TimeSpan>& window,
                                     CollectiveAlgorithm algorithm, const Task& task);

/// The sum of two matrices; as many ranks as the larger has.
CommMatrix sumOf(const CommMatrix& a, const CommMatrix& b);

}  // namespace skein
