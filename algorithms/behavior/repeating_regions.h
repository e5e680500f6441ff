// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/session/experiment.h"

#include <string>
#include <vector>

namespace skein {

/// Regions that make bins: those that the first location calls between 20 and 5000 times, the most time
/// first; at most 20. None where the task was cancelled. O(calls of the first location).
std::vector<std::string> repeatingRegions(const Experiment& experiment, const Task& task);

}  // namespace skein
