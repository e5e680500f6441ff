// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"

#include <cstddef>
#include <string>

namespace skein {

struct ProvenanceParams {
    std::size_t calls = 5;       ///< before and after the call on its location: the execution window
    std::size_t messages = 100;  ///< at most, of the window
};

/// The anomalies as Chimbuko's provenance database has them: one JSON object whose member "anomalies" is an
/// array of records with call stack, execution and communication window, score and severity. Times are whole
/// microseconds from the run's start. O(anomalies · (stack + window) + messages).
std::string provenanceJson(const Experiment& experiment, const FoundAnomalies& found,
                           const ProvenanceParams& params);

}  // namespace skein
