// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <memory>
#include <string>
#include <vector>

namespace skein {

using DominantRegions = std::shared_ptr<const std::vector<std::string>>;

/// The names of the up to 32 regions that most of a run's own (exclusive) time was spent in, the most first;
/// as displayName() gives them, so that regions of one name count as one. They are what a picture of the run
/// mostly consists of.
///
/// Traces of up to 2^19 calls are summed up exactly; of larger ones 128 moments each of 32 locations are
/// looked at, which takes milliseconds. Of profiles the time of up to 32 locations is added up; where it is
/// not in memory its column is read first, which may take a second: ask once on a worker. Remembered as long
/// as the trace or profile is open, as every picture asks. Safe to use from several threads.
DominantRegions dominantRegions(const Experiment& experiment);

/// The own time of the regions of one name, in ns; of profiles without times in the unit of their first
/// metric.
struct RegionOwnTime {
    std::string name;  ///< as displayName() gives it
    double time = 0;
};

using RegionOwnTimes = std::shared_ptr<const std::vector<RegionOwnTime>>;

/// All regions that have any, the most first: exact or estimated where dominantRegions() is, and as quick.
RegionOwnTimes regionOwnTimes(const Experiment& experiment);

}  // namespace skein
