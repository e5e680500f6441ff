// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/wait_states.h"

namespace skein {

/// Of findWaitStates() what is known when the call that waited ends: no waits for receivers, for which
/// message a receive takes is known at its own end; none of calls that test, for nobody knows that the
/// message will come; of collectives those that are recorded, for the others are found by comparing whole
/// runs. Errors and cost as there.
Result<WaitStates> findWaitsKnownAtEnd(const Experiment& experiment, const Task& task);

}  // namespace skein
