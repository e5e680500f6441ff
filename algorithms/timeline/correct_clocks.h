// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/clocks/clock_offsets.h"
#include "core/session/experiment.h"

namespace skein {

/// The experiment with all times of each group put on the clock of the reference: tables re-sorted, extents
/// recomputed, beginning at 0 again. The order of events on one location does not change. `offsets` must be
/// of this experiment. Errors: NotRecorded without a trace, InvalidArgument for another experiment's offsets;
/// Cancelled. O(n log n).
Result<Experiment> correctClocks(const Experiment& experiment, const ClockOffsets& offsets, const Task& task);

}  // namespace skein
