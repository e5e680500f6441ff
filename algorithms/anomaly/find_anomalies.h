// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_models.h"
#include "algorithms/anomaly/delay_propagation.h"
#include "algorithms/timeline/wait_states.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

/// Executions that are different, and those that are only long because of them. docs/ANOMALIES.md explains
/// every rule.
namespace skein {

enum class AnomalyLabel : std::uint8_t {
    Normal,
    Consequence,  ///< long because of another call, or of something that several processes suffered at once
    Anomaly
};
/// "normal", "consequence", "anomaly".
std::string_view name(AnomalyLabel label);

enum class AnomalyReason : std::uint8_t {
    None,
    OwnTime,      ///< the time in the call itself
    Callees,      ///< its callees together lasted longer, none of them strikingly
    Structure,    ///< which calls it made
    Callee,       ///< consequence: of a call in it
    OtherThread,  ///< consequence: it waited for a thread of its process
    SharedStall,  ///< consequence: several processes stood still over the same span
    Wait,         ///< consequence: it waited for another process
    Feature       ///< one of the chosen features
};
std::string_view name(AnomalyReason reason);
struct JudgedCall;
/// The reason, or the feature where that is the reason.
std::string_view whyOf(const JudgedCall& call);

inline constexpr std::uint32_t kNoCause = 0xFFFFFFFFu;

struct JudgedCall {
    LocationId location;
    std::uint32_t call = 0;       ///< its number among all calls of the location
    std::uint32_t function = 0;   ///< first region of its name
    std::uint32_t callIndex = 0;  ///< its number among the calls of the function on the location
    TimeNs begin = 0;
    TimeNs durationNs = 0;
    TimeNs ownNs = 0;
    double score = 0.0;     ///< of its own time by the detector; of a structure −log₂ of its share
    TimeNs severityNs = 0;  ///< time lost against what is usual; ≥ 0
    TimeNs costNs = 0;      ///< of an anomaly: what other locations waited for it
    AnomalyLabel label = AnomalyLabel::Normal;
    AnomalyReason reason = AnomalyReason::None;
    CallFeature feature = CallFeature::Duration;  ///< of AnomalyReason::Feature
    std::uint32_t cause = kNoCause;  ///< of a consequence: place of the anomaly in FoundAnomalies::calls
};

/// What was judged of the calls of one function.
struct FunctionVerdicts {
    std::uint32_t function = 0;
    std::uint64_t calls = 0;
    std::uint64_t anomalies = 0;
    std::uint64_t consequences = 0;
    TimeNs severityNs = 0;  ///< of its anomalies
    double meanNs = 0.0;
    double deviationNs = 0.0;
    double medianNs = 0.0;
    double interest = 0.0;  ///< share of the time of all calls × variability, 0 … : what to look at first
};

struct FoundAnomalies {
    std::vector<JudgedCall> calls;  ///< what is not normal: anomalies, most severe first, then consequences
    std::size_t anomalies = 0;      ///< how many of them are
    std::vector<FunctionVerdicts> functions;  ///< with calls, the most interesting first
    std::vector<PlaceOfLocation> places;      ///< of locations
    std::shared_ptr<const FunctionsOfCalls> functionsOfCalls;
    std::shared_ptr<const CallModels> models;
    std::shared_ptr<const WaitStates> waits;
    std::shared_ptr<const CallFeatureIndex> features;  ///< where some were chosen
    DelayPropagation delays;                           ///< delay d is of the anomaly calls[delayOf[d]]
    std::vector<std::uint32_t> delayOf;
    /// Of the work, how much is behind this; below 1 of what is told early: the anomalies, but nobody was
    /// asked yet who waited for them. There are no consequences of waits, no costs and no wait states.
    double share = 1.0;
};

/// Hears on the thread of the work what is known before its end.
using EarlyAnomalies = std::function<void(std::shared_ptr<const FoundAnomalies>)>;

/// Hears of each call that is judged to be normal.
using HearNormalCalls = std::function<void(const JudgedCall&)>;

/// Judges every call of a trace, knowing all of them. Errors: NotRecorded without a trace; InvalidArgument;
/// Cancelled. O(calls · label height), the same for any number of threads; memory for what is not normal.
/// `hear` is told once, when every call is judged by itself, after about half of the work; that it is asked
/// changes nothing of the result.
Result<FoundAnomalies> findAnomalies(const Experiment& experiment, const AnomalyParams& params,
                                     const Task& task, const EarlyAnomalies& hear = {});

struct StreamParams;
/// The anomalies of streamAnomalies(), most severe first, and what is known of them once the run is over: the
/// waits, what others waited for each, sums by function. There are no consequences: the stream knows none.
/// `models` describe the whole trace; they judged nothing. Errors: those of both.
Result<FoundAnomalies> findAnomaliesAsCallsEnd(const Experiment& experiment, const StreamParams& params,
                                               const Task& task, const EarlyAnomalies& hear = {},
                                               const HearNormalCalls& hearNormal = {});

/// Calls visit(JudgedCall) for every call of the functions that `wanted` names (by function; empty: all), in
/// the order of locations and enters; what is not normal as it was found. False when visit or the task said
/// no. O(calls).
bool forEachJudgedCall(const Experiment& experiment, const FoundAnomalies& found,
                       const std::vector<bool>& wanted, const std::function<bool(const JudgedCall&)>& visit,
                       const Task& task);

}  // namespace skein
