// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <vector>

/// How far the clocks of processes are apart, from what cannot be: a message does not arrive before it was
/// sent, and nobody leaves a barrier before the last has entered.
///
/// Every such fact between processes a and b bounds the difference of their offsets: o_b − o_a ≤ t_b − t_a.
/// All of them together are a system of difference constraints, so shortest paths from and to the reference
/// give the tightest bounds of every offset (Cormen et al., "Introduction to Algorithms", 3rd ed., 24.4). The
/// middle between the two is the estimate, half their distance its error. Both bounds solve the system, hence
/// so does their middle: after the correction no fact is violated. The idea to bound offsets by messages both
/// ways is that of Duda et al., "Estimating global time in distributed systems", ICDCS 1987; ours also uses
/// collectives and paths through third processes.
namespace skein {

enum class ClockModel : std::uint8_t {
    Automatic,  ///< constant offsets, or linear where no constant ones can be and linear ones fit better
    Constant,
    Linear,  ///< offset and drift
};

/// The clock of one location group (a process and its threads). Its times less the offset are those of the
/// reference.
struct ClockOffset {
    double offsetNs = 0.0;  ///< at time 0; positive: ahead of the reference
    double drift = 0.0;     ///< ns gained a ns
    double errorNs =
        0.0;  ///< the offset lies within ± of the estimate; infinite where nothing bounds it on one side
};

struct ClockOffsets {
    std::vector<ClockOffset> groups;  ///< index = LocationGroupId
    LocationGroupId reference;        ///< rank 0, else the first process; invalid where there is none
    std::uint64_t violations =
        0;  ///< messages that arrive before they were sent, members that leave too early
    TimeNs worstViolationNs = 0;  ///< by how much, at most
    TimeNs remainingNs = 0;       ///< the same after the correction
    std::uint64_t inferredCollectives =
        0;  ///< that were found by the names of regions and used, see withInferredCollectives

    /// True when a correction would change times.
    bool needed() const;
};

/// Estimates the offset of every location group. Where offsets of zero explain all facts they stay zero: fine
/// clocks are not touched. Facts are matched messages, and barriers, allreduce, allgather, alltoall and
/// reduce-scatter (nobody leaves before all have entered), broadcasts and scatters (nobody before the root
/// has), gathers and reductions (the root not before all). Where no collectives were recorded (TAU), those
/// that can be found by the names of regions and that constant offsets explain stand in for them. Vector
/// variants are left out: parts of no length need no waiting. Accelerators have the clock of the process that
/// made them.
///
/// How many facts: constant offsets, what is counted and what is left after the correction come from all of
/// them, as one message that runs backwards may be the only one; one pass, in parallel, gives the shortest
/// message of each pair of clocks, which is all that constant offsets need. Lines are fitted to estimates for
/// 16 windows of the run, each from at most 32 768 messages and as many members of collectives (64 a pair of
/// clocks where that is more): fewer facts give wider bounds and never wrong ones, and of 64 messages the
/// shortest is among the shortest 5 % of all with a certainty of 96 %. A last pass over all facts moves the
/// lines to where they obey the most. The same bits for any number of threads.
///
/// Errors: NotRecorded without a trace; Cancelled. O(messages + (pairs + collective members) · passes),
/// few passes.
Result<ClockOffsets> estimateClockOffsets(const Experiment& experiment, ClockModel model, const Task& task);

}  // namespace skein
