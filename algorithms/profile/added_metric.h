// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "core/profile/profile.h"
#include "core/session/experiment.h"

#include <vector>

namespace skein {

/// Writes a column of a metric into both cubes of a profile, a new one or in place of that which the metric
/// had. `exclusive` holds an amount for each call path of the tree, of all locations together; what is not
/// finite counts as none. An amount stands on the first row of its call path; inclusive amounts are what is
/// below, those of regions count outermost calls of a recursion only. Call paths and regions that have an
/// amount but no row get one on the first location, with no calls: nothing is lost while there is a location
/// at all. All columns of the profile must be in memory. O(call paths + rows · columns).
void addMetricColumn(Profile& profile, const Experiment& experiment, MetricId metric,
                     const std::vector<double>& exclusive);

}  // namespace skein
