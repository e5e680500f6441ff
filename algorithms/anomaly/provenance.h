// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_verdicts.h"
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
/// microseconds from the run's start. What was said of calls counts, and stands in `user_verdict`: calls that
/// were called anomalous are among them, and those that were called normal, with `is_anomaly` false.
/// Empty once the task is stopped. O(anomalies · (stack + window) + messages).
std::string provenanceJson(const Experiment& experiment, const FoundAnomalies& found,
                           const ProvenanceParams& params, const CallVerdicts& verdicts = {},
                           const Task& task = Task());

}  // namespace skein
