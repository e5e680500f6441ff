// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/archive_generator/rank_script.h"

#include <otf2/otf2.h>
#include <vector>

namespace skein::generator {

/// References that the events share with the definitions.
constexpr OTF2_CommRef kWorld = 0;
constexpr OTF2_MetricRef kCounters = 0;
constexpr OTF2_StringRef kProgramName = 1;

/// Location of a rank, as Score-P numbers master threads.
constexpr OTF2_LocationRef locationOf(std::uint32_t rank) { return rank; }

/// Writes the global definitions: strings, clock, system tree (machine, nodes, processes, locations),
/// regions, the world communicator with its Cartesian topology, and the counters. False when libotf2 refused
/// one of them.
bool writeDefinitions(OTF2_GlobalDefWriter* writer, const Schedule& schedule,
                      const std::vector<std::uint64_t>& eventsOfRank, std::uint64_t traceLengthNs);

}  // namespace skein::generator
