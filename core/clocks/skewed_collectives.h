// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/clocks/shortest_messages.h"
#include "core/session/experiment.h"

#include <cstdint>

namespace skein::clocks {

struct InferredFacts {
    Experiment experiment;          ///< with the inferred operations as its collectives
    std::uint64_t collectives = 0;  ///< how many were inferred
};

/// Adds collectives that a trace has only as regions (see collectiveCandidates) as facts about its clocks.
///
/// A name whose operations overlap as they stand is taken. Of the others, those whose k-th calls do belong
/// together are told from the rest by asking whether constant offsets of the clocks explain them: a name is
/// taken when offsets exist under which nobody leaves any of its operations early, no message arrives before
/// it was sent by more than it takes without that name, and the names taken before hold. A few operations can
/// be explained by chance, so one that was called less than four times is taken only where messages prove
/// that clocks are off. Names come in a fixed order. The experiment itself where it has collectives or none
/// can be inferred. O(calls + facts · passes), as the estimation.
/// `messages`: the facts of all messages as recorded. The operations are sorted by their begin.
InferredFacts withInferredCollectives(const Experiment& experiment, const MessageFacts& messages,
                                      LocationGroupId reference, const Task& task);

}  // namespace skein::clocks
