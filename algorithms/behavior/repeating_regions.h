// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/session/experiment.h"

#include <string>
#include <vector>

namespace skein {

/// Regions that make bins, the likeliest iterations first; at most 20. They are called between 5 and 5000
/// times on the first location that has calls. From one call of an iteration's region to the next comes each
/// of what is called as often or more. First stand those of which this is as true as of the best, and for as
/// long in the run, the outermost before the others and of these the most often called; then the rest by how
/// far it is true. None where the task was cancelled. O(calls of the location · regions that lie between two
/// calls of one, 64 at most).
std::vector<std::string> repeatingRegions(const Experiment& experiment, const Task& task);

}  // namespace skein
