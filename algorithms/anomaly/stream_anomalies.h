// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"
#include "algorithms/anomaly/stream_model.h"

#include <vector>

namespace skein {

/// How a trace is judged: knowing all of it, or each call by those before it alone.
enum class JudgingOrder : std::uint8_t { WholeArchive, AsCallsEnd };

/// What is asked for, in the window and by commands.
struct AnomalySearch {
    AnomalySearch() = default;
    explicit AnomalySearch(AnomalyParams params) : judge(std::move(params)) {}

    AnomalyParams judge;
    JudgingOrder order = JudgingOrder::WholeArchive;
    TimeNs ageNs = 0;  ///< of JudgingOrder::AsCallsEnd, see StreamParams

    bool operator==(const AnomalySearch&) const = default;
};

/// Judges calls in the order of their ends, as if the job were running: each by what came before it alone.
/// Limits of the first three detectors are worked out anew when there are 5 % more calls, models of the
/// others (see LearnedDetector, VectorModel) when there are 25 % more, both also when older calls are
/// forgotten. Gives the anomalies in that order; who waits for them is not asked. `features` must be there
/// where some are chosen. Errors: NotRecorded without a trace; InvalidArgument for parameters that are out of
/// range; Cancelled. Memory for the calls that end in a thousandth of the run, for the models, and for what
/// is found. `hear` is told of the calls that are none, without callIndex; calls that block are not judged
/// and have no score.
Result<std::vector<JudgedCall>> streamAnomalies(const Experiment& experiment,
                                                const FunctionsOfCalls& functions, const StreamParams& params,
                                                const Task& task, const CallFeatureIndex* features = nullptr,
                                                const HearNormalCalls& hear = {});

}  // namespace skein
