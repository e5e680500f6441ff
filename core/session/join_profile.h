// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/experiment.h"

namespace skein {

/// The experiment of a trace with the profile that was recorded in the same run: its regions, call paths,
/// metrics and properties are added to those of the trace, and what is the same becomes one: regions by name
/// and mangled name, where both have one, call paths by their regions up to the root. Numbers of the trace
/// stay what they are. Findings of both are kept. Locations are found by rank, kind and number; errors:
/// InvalidArgument where one of the profile's has no counterpart, so that it is of another run. O(definitions
/// + rows log rows).
Result<ExperimentPtr> joinProfile(const Experiment& trace, const Experiment& profile);

}  // namespace skein
