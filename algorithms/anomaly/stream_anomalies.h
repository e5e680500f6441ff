// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"

#include <vector>

namespace skein {

struct StreamParams {
    AnomalyParams judge;  ///< detector: Tail, Sigma or Robust
    TimeNs ageNs = 0;     ///< older calls are forgotten, within an eighth of it; 0: none
};

/// Judges calls in the order of their ends, as if the job were running: each by what came before it alone.
/// Gives the anomalies in that order; who waits for them is not asked. Errors: NotRecorded without a trace;
/// InvalidArgument for another detector or a negative age; Cancelled. Memory for the calls that end in a
/// thousandth of the run, and for the models.
Result<std::vector<JudgedCall>> streamAnomalies(const Experiment& experiment,
                                                const FunctionsOfCalls& functions, const StreamParams& params,
                                                const Task& task);

}  // namespace skein
