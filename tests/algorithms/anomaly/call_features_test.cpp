// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/feature_projection.h"
#include "algorithms/anomaly/find_anomalies.h"
#include "core/trace/nested_calls.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "tests/support/small_session.h"

#include <cmath>
#include <random>
#include <set>

namespace skein::call_features_test {

using test::Call;
using test::ExperimentBuilder;

namespace {

/// Whether `inner` is `call` or lies in it, by walking up.
bool liesIn(const CallIntervals& calls, std::uint32_t inner, std::uint32_t call)
{
    for (std::uint32_t up = inner; up != kNoInterval; up = callerOf(calls, up))
        if (up == call) return true;
    return false;
}

/// Features of one call as their descriptions say, by looking at everything.
CallFeatureValues lookedAt(const Experiment& experiment, const WaitStates& waits, LocationId location,
                           std::uint32_t call)
{
    const Trace& trace = *experiment.trace;
    const CallIntervals& calls = trace.locations[location.index()].intervals;
    const auto mpi = [&](std::uint32_t each) {
        return isMpi(
            experiment.definitions.region(experiment.callTree->region(CallPathId(calls.callPath[each]))));
    };
    CallFeatureValues values{};
    const auto add = [&](CallFeature feature, std::int64_t amount) {
        values[static_cast<std::size_t>(feature)] += amount;
    };
    const TimeNs duration = calls.end[call] - calls.begin[call];
    add(CallFeature::Duration, duration);
    add(CallFeature::Exclusive, duration);
    add(CallFeature::Begin, calls.begin[call]);
    add(CallFeature::End, calls.end[call]);
    for (std::uint32_t each = 0; each < calls.size(); ++each) {
        if (!liesIn(calls, each, call)) continue;
        if (each != call && callerOf(calls, each) == call) {
            add(CallFeature::Children, 1);
            add(CallFeature::Exclusive, calls.begin[each] - calls.end[each]);
        }
        bool outermost = mpi(each);
        for (std::uint32_t up = each; up != call;) {
            up = callerOf(calls, up);
            outermost = outermost && !mpi(up);
        }
        if (outermost) add(CallFeature::Mpi, calls.end[each] - calls.begin[each]);
    }
    const auto end = [&](LocationId of, std::uint32_t in, std::uint64_t bytes) {
        if (of != location || in == kNoInterval || !liesIn(calls, in, call)) return;
        add(CallFeature::Messages, 1);
        add(CallFeature::Bytes, static_cast<std::int64_t>(bytes));
    };
    for (const Message& message : trace.messages.span()) {
        end(message.sender, message.sendInterval, message.bytes);
        if (message.matched()) end(message.receiver, message.receiveInterval, message.bytes);
    }
    for (const Message& message : trace.unmatchedReceives.span())
        end(message.receiver, message.receiveInterval, message.bytes);
    for (const WaitState& wait : waits.states.span())
        if (wait.location == location && liesIn(calls, wait.interval, call))
            add(CallFeature::Waiting, wait.lengthNs());
    return values;
}

/// The builder of small traces does not say in which calls messages were sent: in the innermost ones.
ExperimentPtr sentByInnermost(Experiment experiment)
{
    Trace trace = *experiment.trace;
    std::vector<Message> messages(trace.messages.begin(), trace.messages.end());
    for (Message& message : messages) {
        const CallIntervals& calls = trace.locations[message.sender.index()].intervals;
        for (std::uint32_t call = 0; call < calls.size(); ++call)
            if (calls.begin[call] <= message.sendTime && message.sendTime < calls.end[call])
                message.sendInterval = call;
    }
    trace.messages = Column<Message>(std::move(messages));
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    return std::make_shared<const Experiment>(std::move(experiment));
}

/// Three ranks call step forty times, each sends a message in it; one sends nine in the same time, and once
/// none.
ExperimentPtr messagingProgram()
{
    ExperimentBuilder builder("messages");
    std::mt19937_64 random(7);
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        std::vector<Call> calls{{0, 100'000, "main", 0}};
        for (int i = 0; i < 40; ++i) {
            const TimeNs begin = 100 + i * 2000;
            calls.push_back({begin, begin + 1500, "phase", 1});
            calls.push_back({begin + 10, begin + 1010 + static_cast<TimeNs>(random() % 40), "step", 2});
        }
        builder.process("node", calls);
    }
    for (std::uint32_t rank = 0; rank < 3; ++rank)
        for (int i = 0; i < 40; ++i) {
            const int messages = rank == 1 && i == 11 ? 9 : rank == 2 && i == 30 ? 0 : 1;
            for (int k = 0; k < messages; ++k) {
                const TimeNs at = 100 + i * 2000 + 100 + 20 * k;
                builder.message(rank, at, rank, 95'000 + k, 1000 + random() % 8);
            }
        }
    return sentByInnermost(*builder.finish());
}

/// Rank, function, number of the call and why, of anomalies.
std::set<std::tuple<std::int64_t, std::string, std::uint32_t, std::string>> anomaliesBy(
    const Experiment& experiment, std::string_view features, AnomalyDetector detector, int threads = 0)
{
    AnomalyParams params;
    params.features = AnomalyFeatures::Time;
    params.detector = detector;
    params.chosen = callFeaturesOf(features).value();
    const auto found = findAnomalies(experiment, params, Task({}, {}, threads));
    REQUIRE(found.has_value());
    std::set<std::tuple<std::int64_t, std::string, std::uint32_t, std::string>> places;
    for (std::size_t i = 0; i < found->anomalies; ++i) {
        const JudgedCall& call = found->calls[i];
        places.insert({found->places[call.location.index()].rank,
                       displayName(experiment.definitions.regions[call.function]), call.callIndex,
                       std::string(whyOf(call))});
    }
    return places;
}

}  // namespace

TEST_CASE("features of calls are what looking at every call, message and wait gives")
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        test::RandomTraceOptions options;
        options.messages = 60;
        Experiment experiment = test::randomExperiment(seed, options);
        for (std::size_t region = 0; region < experiment.definitions.regions.size(); region += 2) {
            Region& each = experiment.definitions.regions[region];
            each.paradigm = Paradigm::Mpi;
            each.name = (region % 4 ? "MPI_Recv_" : "MPI_Comm_rank_") + std::to_string(region);
        }
        const FunctionsOfCalls functions(experiment);
        const auto waits = findWaitStates(experiment, Task());
        REQUIRE(waits.has_value());
        const auto index = CallFeatureIndex::build(*experiment.trace, functions, *waits, Task());
        REQUIRE(index.has_value());
        CAPTURE(seed);
        for (std::uint32_t location = 0; location < experiment.trace->locations.size(); ++location)
            for (std::uint32_t call = 0; call < experiment.trace->locations[location].intervals.size();
                 ++call) {
                CAPTURE(location, call);
                const CallFeatureValues values = index->values(LocationId(location), call);
                CHECK(values == lookedAt(experiment, *waits, LocationId(location), call));
            }
    }
}

TEST_CASE("a list of features is read in any order, and what is none is named")
{
    CHECK(callFeaturesOf("waiting,duration,waiting").value()
          == std::vector{CallFeature::Duration, CallFeature::Waiting});
    CHECK(callFeaturesOf("messages,colour").error().message.find("'colour'") != std::string::npos);
    CHECK_FALSE(callFeaturesOf("").has_value());
    CHECK_FALSE(callFeaturesOf("bytes,").has_value());
}

TEST_CASE("calls are judged by the features that were chosen, more and less of them, where it happened")
{
    const ExperimentPtr experiment = messagingProgram();
    const AnomalyDetector tail = AnomalyDetector::Tail;
    // not phase, which has no more messages than step in it
    CHECK(anomaliesBy(*experiment, "messages", tail)
          == std::set<std::tuple<std::int64_t, std::string, std::uint32_t, std::string>>{
              {1, "step", 11, "messages"}, {2, "step", 30, "messages"}});
    CHECK(anomaliesBy(*experiment, "bytes", tail).contains({1, "step", 11, "bytes"}));
    CHECK(anomaliesBy(*experiment, "duration,exclusive,children", tail).empty());
    for (std::size_t i = 0; i < kAnomalyDetectors; ++i) {
        const auto detector = static_cast<AnomalyDetector>(i);
        CAPTURE(name(detector));
        const auto one = anomaliesBy(*experiment, "messages,bytes", detector, 1);
        CHECK(one == anomaliesBy(*experiment, "messages,bytes", detector, 4));
        bool found = false;
        for (const auto& each : one) found = found || (std::get<0>(each) == 1 && std::get<2>(each) == 11);
        // Of so few different values the support vector machine finds none outside.
        CHECK((found || detector == AnomalyDetector::OneClassSvm));
    }
    AnomalyParams both;
    both.chosen = {CallFeature::Bytes};
    CHECK_FALSE(findAnomalies(*experiment, both, Task()).has_value());
}

TEST_CASE("a projection keeps more of the variance than any other two directions, around usual calls")
{
    std::mt19937_64 random(3);
    std::normal_distribution<> noise;
    std::vector<FeatureRow> rows;
    for (int i = 0; i < 3000; ++i) {
        const double load = 2.0 + 0.5 * noise(random);
        FeatureRow row{static_cast<std::uint32_t>(i % 3), {}};
        row.values = {static_cast<std::int64_t>(1e6 * std::exp(load)),
                      0,
                      0,
                      0,
                      static_cast<std::int64_t>(20 * std::exp(load + 0.2 * noise(random))),
                      static_cast<std::int64_t>(1e4 * std::exp(0.3 * noise(random))),
                      7,
                      0,
                      0};
        rows.push_back(row);
    }
    const std::vector<CallFeature> features{CallFeature::Duration, CallFeature::Messages, CallFeature::Bytes,
                                            CallFeature::Children};
    const FeatureProjection projection(rows, features);
    // the oracle scales by itself: two passes, by function
    std::vector<std::array<double, 4>> scaled(rows.size());
    for (std::uint32_t function = 0; function < 3; ++function)
        for (std::size_t k = 0; k < 4; ++k) {
            const auto value = [&](std::size_t i) {
                return std::log1p(static_cast<double>(rows[i].values[static_cast<std::size_t>(features[k])]));
            };
            double mean = 0, squares = 0;
            for (std::size_t i = function; i < rows.size(); i += 3) mean += value(i) / 1000.0;
            for (std::size_t i = function; i < rows.size(); i += 3)
                squares += (value(i) - mean) * (value(i) - mean) / 1000.0;
            for (std::size_t i = function; i < rows.size(); i += 3)
                scaled[i][k] = k == 3 ? 0.0 : (value(i) - mean) / std::sqrt(squares);
        }
    const auto variance = [&](const std::array<double, 4>& direction) {
        double sum = 0;
        for (const auto& each : scaled) {
            double along = 0;
            for (std::size_t k = 0; k < 4; ++k) along += direction[k] * each[k];
            sum += along * along;
        }
        return sum / static_cast<double>(scaled.size());
    };
    std::array<std::array<double, 4>, 2> component{};
    for (std::size_t which = 0; which < 2; ++which)
        for (std::size_t k = 0; k < 4; ++k) component[which][k] = projection.component(which)[k];
    double product = 0, length = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        product += component[0][k] * component[1][k];
        length += component[0][k] * component[0][k];
    }
    CHECK(std::abs(product) < 1e-9);
    CHECK(std::abs(length - 1.0) < 1e-9);
    CHECK(component[0][3] == 0.0);
    CHECK(std::abs(projection.explained()[0] - variance(component[0]) / 3.0) < 1e-6);
    for (int i = 0; i < 200; ++i) {
        std::array<double, 4> any{};
        double norm = 0;
        for (double& each : any) {
            each = noise(random);
            norm += each * each;
        }
        for (double& each : any) each /= std::sqrt(norm);
        CHECK(variance(any) <= variance(component[0]) + 1e-9);
    }
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto place = projection.place(rows[i]);
        double along = 0;
        for (std::size_t k = 0; k < 4; ++k) along += component[0][k] * scaled[i][k];
        CHECK(std::abs(place[0] - along) < 1e-6);
        sum += place[0];
    }
    CHECK(std::abs(sum) < 1e-6 * static_cast<double>(rows.size()));
}

TEST_CASE("nothing to project is no failure")
{
    CHECK(FeatureProjection({}, {CallFeature::Bytes}).place({}) == std::array{0.0, 0.0});
    const std::vector<FeatureRow> equal(5);
    CHECK(FeatureProjection(equal, {CallFeature::Bytes, CallFeature::Mpi}).place(equal[0])
          == std::array{0.0, 0.0});
}

}  // namespace skein::call_features_test
