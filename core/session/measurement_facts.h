// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <string>

namespace skein {

/// What an archive tells about its measurement, for people; empty where it is silent. Where ranks differ, the
/// first value and how many others there are ("node1 and 3 more").
struct MeasurementFacts {
    std::string tool;         ///< "TAU 2.34"
    std::string commandLine;  ///< of the program
    std::string start;        ///< the earliest, "2025-09-04 10:38:33 UTC"
    std::string hosts;
    std::string cpu;
};

/// From properties of the archive and of its locations, and the hosts of the system tree. O(properties).
MeasurementFacts measurementFacts(const Experiment& experiment);

}  // namespace skein
