// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"

#include <vector>

namespace skein {

struct StreamParams {
    AnomalyParams judge;
    TimeNs ageNs = 0;  ///< older calls are forgotten, within an eighth of it; 0: none
};

/// Judges calls in the order of their ends, as if the job were running: each by what came before it alone.
/// Limits of the first three detectors are worked out anew when there are 5 % more calls, models of the
/// others (see LearnedDetector) when there are 25 % more, both also when older calls are forgotten. Gives the
/// anomalies in that order; who waits for them is not asked. Errors: NotRecorded without a trace;
/// InvalidArgument for a negative age; Cancelled. Memory for the calls that end in a
/// thousandth of the run, and for the models.
Result<std::vector<JudgedCall>> streamAnomalies(const Experiment& experiment,
                                                const FunctionsOfCalls& functions, const StreamParams& params,
                                                const Task& task);

}  // namespace skein
