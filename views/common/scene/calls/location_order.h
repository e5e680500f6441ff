// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <vector>

namespace skein {

/// The locations of a trace that recorded events, by rank and thread; those without a rank come after the
/// others in the order of their definitions. Sources of metrics without calls are left out.
std::vector<LocationId> recordedLocations(const Experiment& experiment);

/// By rank and thread, as above: all of them.
std::vector<LocationId> locationsByRank(const Definitions& definitions);

}  // namespace skein
