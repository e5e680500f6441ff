// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/time_span.h"
#include "core/session/experiment.h"

#include <optional>
#include <vector>

namespace skein {

/// Where a run's communication is cut by operations that no rank leaves before all have come: barriers, and
/// collective operations that give everybody something of everybody, over all locations that take part in the
/// greatest of them. Where a trace has no collective events (TAU), those that inferCollectives() finds over
/// all processes cut it, up to 50 million calls. Phases follow each other without gaps from the begin of
/// `window` (else of the run) to its end; one alone where there is no such operation, or no trace. Times are
/// the experiment's. Errors: Cancelled. O(collective operations · log), without collective events O(calls).
Result<std::vector<TimeSpan>> commPhases(const Experiment& experiment, const std::optional<TimeSpan>& window,
                                         const Task& task);

}  // namespace skein
