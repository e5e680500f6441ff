// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/stream_anomalies.h"

#include "algorithms/timeline/waits_at_end.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cut_experiment.h"
#include "tests/support/paths.h"
#include "tests/support/small_session.h"

#include <algorithm>
#include <set>
#include <utility>

namespace skein::stream_anomalies_test {
namespace {

const Experiment& heatflow()
{
    static const ExperimentPtr experiment = [] {
        const auto opened = openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task());
        REQUIRE(opened.has_value());
        return *opened;
    }();
    return *experiment;
}

struct Streamed {
    std::vector<JudgedCall> anomalies;
    std::vector<JudgedCall> normal;
};

Streamed streamed(const Experiment& experiment, const StreamParams& params)
{
    const Task task;
    const FunctionsOfCalls functions(experiment);
    const auto waits = findWaitsKnownAtEnd(experiment, task);
    REQUIRE(waits.has_value());
    const auto features = CallFeatureIndex::build(*experiment.trace, functions, *waits, task);
    REQUIRE(features.has_value());
    Streamed result;
    auto found = streamAnomalies(experiment, functions, params, task, &*features,
                                 [&](const JudgedCall& call) { result.normal.push_back(call); });
    REQUIRE(found.has_value());
    result.anomalies = std::move(*found);
    // Calls that block are told as they are walked over.
    std::sort(result.normal.begin(), result.normal.end(), [](const JudgedCall& a, const JudgedCall& b) {
        return std::pair(a.location, a.call) < std::pair(b.location, b.call);
    });
    return result;
}

/// Those that were judged before a time.
std::vector<JudgedCall> endedBefore(const std::vector<JudgedCall>& calls, TimeNs end)
{
    std::vector<JudgedCall> before;
    for (const JudgedCall& call : calls)
        if (call.begin + call.durationNs < end) before.push_back(call);
    return before;
}

void checkSame(const std::vector<JudgedCall>& one, const std::vector<JudgedCall>& other)
{
    REQUIRE(one.size() == other.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        different += one[i].location != other[i].location || one[i].call != other[i].call
            || one[i].score != other[i].score || one[i].severityNs != other[i].severityNs
            || whyOf(one[i]) != whyOf(other[i]);
    CHECK(different == 0);
}

/// The run's beginning and its first steps: all of it takes a minute with the slowest detectors.
const Experiment& firstSteps()
{
    static const Experiment experiment = test::cutAt(heatflow(), heatflow().trace->extent.end * 4 / 10);
    return experiment;
}

void checkKnowsNoFuture(const StreamParams& params)
{
    const TimeNs end = firstSteps().trace->extent.end * 85 / 100;
    const Streamed all = streamed(firstSteps(), params),
                   before = streamed(test::cutAt(firstSteps(), end), params);
    checkSame(endedBefore(all.anomalies, end), endedBefore(before.anomalies, end));
    checkSame(endedBefore(all.normal, end), endedBefore(before.normal, end));
    CHECK_FALSE(endedBefore(all.normal, end).empty());
}

StreamParams byFeatures(std::vector<CallFeature> chosen, AnomalyDetector detector)
{
    StreamParams params;
    params.judge.features = AnomalyFeatures::Time;
    params.judge.chosen = std::move(chosen);
    params.judge.detector = detector;
    return params;
}

using Calls = std::vector<test::Call>;

/// Calls of `step`, each of which calls `part` `parts` times, which calls `leaf` once; `more` of these in the
/// first part.
void addStep(Calls& calls, TimeNs& now, int parts, int more)
{
    const std::size_t step = calls.size();
    calls.push_back({now, 0, "step", 0});
    for (int i = 0; i < parts; ++i) {
        const std::size_t part = calls.size();
        calls.push_back({now, 0, "part", 1});
        for (int leaf = 0; leaf < 1 + (i == 0 ? more : 0); ++leaf, now += 10)
            calls.push_back({now, now + 10, "leaf", 2});
        calls[part].end = now;
    }
    calls[step].end = now;
    now += 5;
}

ExperimentPtr steps(int odd, int parts, int more)
{
    Calls calls;
    TimeNs now = 0;
    for (int i = 0; i < 200; ++i) addStep(calls, now, i == odd ? parts : 2, i == odd ? more : 0);
    return test::ExperimentBuilder("steps").process("node", calls).finish();
}

}  // namespace

TEST_CASE("judged by chosen features no model of a stream sees the future, whatever the detector")
{
    for (std::size_t i = 0; i < kAnomalyDetectors; ++i) {
        const auto detector = static_cast<AnomalyDetector>(i);
        INFO(name(detector));
        checkKnowsNoFuture(byFeatures({CallFeature::Exclusive, CallFeature::Messages, CallFeature::Bytes,
                                       CallFeature::Children, CallFeature::Mpi, CallFeature::Waiting},
                                      detector));
    }
    StreamParams forgetting = byFeatures({CallFeature::Exclusive, CallFeature::Bytes}, AnomalyDetector::Lof);
    forgetting.ageNs = firstSteps().trace->extent.end / 8;
    checkKnowsNoFuture(forgetting);
}

TEST_CASE("no structure of a stream is judged by the future, whatever the height")
{
    for (const std::size_t height : {1, 3, 8}) {
        StreamParams params;
        params.judge.labelHeight = height;
        checkKnowsNoFuture(params);
    }
}

TEST_CASE("a stream compares structures up to the height, and takes the innermost call that shows it")
{
    // The first part of step 150 has two leaves: that is rare for `part` at height 1, for `step` at height 2.
    const auto found = [](const Experiment& experiment, std::size_t height) {
        StreamParams params;
        params.judge.features = AnomalyFeatures::Structure;
        params.judge.labelHeight = height;
        std::set<std::pair<std::string, std::uint32_t>> calls;
        for (const JudgedCall& call : streamed(experiment, params).anomalies)
            calls.emplace(displayName(experiment.definitions.regions[call.function]), call.callIndex);
        return calls;
    };
    using Found = std::set<std::pair<std::string, std::uint32_t>>;
    const ExperimentPtr deep = steps(150, 2, 1);
    CHECK(found(*deep, 1) == Found{{"part", 300}});
    CHECK(found(*deep, 3) == Found{{"part", 300}});
    const ExperimentPtr flat = steps(150, 3, 0);
    CHECK(found(*flat, 1) == Found{{"step", 150}});
    CHECK(found(*flat, 3) == Found{{"step", 150}});
}

TEST_CASE("a subtree that differs below its callees is seen by a stream at its height alone")
{
    // Two kinds of `part` are frequent, the step of two of the second kind is not.
    Calls calls;
    TimeNs now = 0;
    for (int i = 0; i < 200; ++i) {
        const std::size_t step = calls.size();
        calls.push_back({now, 0, "step", 0});
        for (int part = 0; part < 2; ++part) {
            const int leaves = part == 1 || i == 150 ? 2 : 1;
            calls.push_back({now, now + 10 * leaves, "part", 1});
            for (int leaf = 0; leaf < leaves; ++leaf, now += 10) calls.push_back({now, now + 10, "leaf", 2});
        }
        calls[step].end = now;
        now += 5;
    }
    const ExperimentPtr experiment = test::ExperimentBuilder("kinds").process("node", calls).finish();
    StreamParams params;
    params.judge.features = AnomalyFeatures::Structure;
    for (const std::size_t height : {1, 2, 3}) {
        params.judge.labelHeight = height;
        const auto found = streamed(*experiment, params).anomalies;
        REQUIRE(found.size() == (height > 1 ? 1 : 0));
        if (height > 1) CHECK(found[0].callIndex == 150);
    }
}

TEST_CASE("a stream finds a call by a chosen feature, and callers that it explains are none")
{
    // Call 150 of `leaf` lasts ten times as long: so do its `part` and its `step`, which are explained by it.
    const ExperimentPtr usual = steps(-1, 2, 0);
    Experiment odd = *usual;
    Trace trace = *odd.trace;
    CallIntervals& slow = trace.locations[0].intervals;
    std::vector<TimeNs> begins(slow.begin.begin(), slow.begin.end()), ends(slow.end.begin(), slow.end.end());
    const std::size_t longer = 752;  // leaf 300
    REQUIRE(slow.depth[longer] == 2);
    const TimeNs from = ends[longer];
    for (TimeNs& begin : begins) begin += begin >= from ? 90 : 0;
    for (TimeNs& end : ends) end += end >= from ? 90 : 0;
    slow.begin = Column<TimeNs>(begins);
    slow.end = Column<TimeNs>(ends);
    trace.extent.end += 90;
    odd.trace = std::make_shared<const Trace>(std::move(trace));
    const auto found = streamed(odd, byFeatures({CallFeature::Duration}, AnomalyDetector::Tail)).anomalies;
    REQUIRE(found.size() == 1);
    CHECK(found[0].call == longer);
    CHECK(found[0].severityNs == 90);
    CHECK(whyOf(found[0]) == "duration");
    // Fewer callees than usual are as strange as more; several features are judged together by LOF.
    const ExperimentPtr fewer = steps(150, 1, 0);
    const auto less = streamed(*fewer, byFeatures({CallFeature::Children}, AnomalyDetector::Tail)).anomalies;
    REQUIRE(less.size() == 1);
    CHECK(less[0].callIndex == 150);
    CHECK(whyOf(less[0]) == "children");
    const auto together =
        streamed(*fewer, byFeatures({CallFeature::Children, CallFeature::Duration}, AnomalyDetector::Lof))
            .anomalies;
    REQUIRE(together.size() == 1);
    CHECK(together[0].callIndex == 150);
}

TEST_CASE("what was judged as calls end is alike, whatever the number of threads")
{
    const auto judged = [](const StreamParams& params, int threads) {
        const auto found = findAnomaliesAsCallsEnd(firstSteps(), params, Task({}, {}, threads));
        REQUIRE(found.has_value());
        return found->calls;
    };
    for (const StreamParams& params :
         {StreamParams{}, byFeatures({CallFeature::Exclusive, CallFeature::Children}, AnomalyDetector::Tail),
          byFeatures({CallFeature::Exclusive, CallFeature::Waiting}, AnomalyDetector::OneClassSvm)}) {
        const std::vector<JudgedCall> one = judged(params, 1);
        CHECK_FALSE(one.empty());
        checkSame(one, judged(params, 3));
    }
}

TEST_CASE("a stream wants its features counted and its parameters in range")
{
    const FunctionsOfCalls functions(heatflow());
    const auto error = [&](const StreamParams& params) {
        const auto found = streamAnomalies(heatflow(), functions, params, Task());
        REQUIRE_FALSE(found.has_value());
        CHECK(found.error().code == ErrorCode::InvalidArgument);
    };
    error(byFeatures({CallFeature::Bytes}, AnomalyDetector::Tail));
    error({.judge = {.labelHeight = 0}});
    error({.judge = {.sigma = 0.0}});
    error({.judge = {}, .ageNs = -1});
    error({.judge = {.chosen = {CallFeature::Bytes}}});
}

}  // namespace skein::stream_anomalies_test
