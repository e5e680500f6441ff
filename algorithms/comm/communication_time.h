// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <span>
#include <vector>

namespace skein {

/// How long the processes of a trace were in MPI during each of these spans, which follow each other without
/// gaps: the mean of the first threads, among `locations` (by number 1; empty: all), of all processes that
/// recorded calls, in ns. Calls count where they
/// lie in a span. Errors: NotRecorded without a trace; Cancelled. O(calls + outermost MPI calls · spans that
/// they cross).
Result<std::vector<double>> communicationTimes(const Experiment& experiment, std::span<const TimeSpan> spans,
                                               const std::vector<char>& locations, const Task& task);

}  // namespace skein
