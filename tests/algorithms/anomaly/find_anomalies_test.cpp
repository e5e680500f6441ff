// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/explain_call.h"
#include "algorithms/anomaly/stream_anomalies.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cut_experiment.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/small_session.h"

#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

namespace skein::find_anomalies_test {

using test::Call;
using test::ExperimentBuilder;

namespace {

/// rank, thread, function, number of the call.
using Place = std::tuple<std::int64_t, std::uint32_t, std::string, std::uint32_t>;

Place placeOf(const Experiment& experiment, const FoundAnomalies& found, const JudgedCall& call)
{
    const PlaceOfLocation& place = found.places[call.location.index()];
    return {place.rank, place.thread, displayName(experiment.definitions.regions[call.function]),
            call.callIndex};
}

std::set<Place> anomaliesOf(const Experiment& experiment, const FoundAnomalies& found)
{
    std::set<Place> places;
    for (std::size_t i = 0; i < found.anomalies; ++i)
        places.insert(placeOf(experiment, found, found.calls[i]));
    return places;
}

FoundAnomalies judged(const Experiment& experiment, const AnomalyParams& params = {}, int threads = 0)
{
    const auto found = findAnomalies(experiment, params, Task({}, {}, threads));
    REQUIRE(found.has_value());
    return *found;
}

/// A program whose calls of `solve` call `flux` three times and `limit` once, on every thread.
struct RandomProgram {
    std::mt19937_64 random;
    double scale;  ///< of all durations
    std::vector<Call> calls;
    std::map<std::string, std::uint32_t> counts;
    TimeNs now = 1000;

    TimeNs about(double usual)
    {
        return static_cast<TimeNs>(scale * usual * std::uniform_real_distribution<>(0.93, 1.07)(random));
    }
    std::uint32_t call(const std::string& name, double usual, TimeNs more, std::uint16_t depth)
    {
        const TimeNs begin = now;
        now += about(usual) + more;
        calls.push_back({begin, now, name, depth});
        return counts[name]++;
    }
};

enum class Injected { Nothing, SlowFlux, SlowSolve, Extra, Missing };

/// One iteration; gives the place of what was injected.
std::pair<std::string, std::uint32_t> iterate(RandomProgram& program, Injected injected, double size)
{
    const auto more = [&](double usual) { return static_cast<TimeNs>(program.scale * usual * size); };
    const std::size_t solve = program.calls.size();
    const TimeNs begin = program.now;
    program.calls.push_back({begin, 0, "solve", 1});
    std::pair<std::string, std::uint32_t> where{"solve", program.counts["solve"]++};
    program.now += program.about(400);
    for (int i = 0; i < (injected == Injected::Extra ? 5 : 3); ++i) {
        const bool slow = injected == Injected::SlowFlux && i == 1;
        const std::uint32_t number = program.call("flux", 300, slow ? more(300) : 0, 2);
        if (slow) where = {"flux", number};
        program.now += program.about(10);
    }
    if (injected != Injected::Missing) program.call("limit", 50, 0, 2);
    program.now += program.about(30) + (injected == Injected::SlowSolve ? more(430) : 0);
    program.calls[solve].end = program.now;
    program.now += program.about(20);
    return where;
}

struct ProgramWithTruth {
    ExperimentPtr experiment;
    std::set<Place> truth;
};

ProgramWithTruth randomProgram(std::uint64_t seed, std::uint32_t ranks, std::uint32_t iterations,
                               double scale, double share, double size)
{
    ExperimentBuilder builder("random");
    std::set<Place> truth;
    std::mt19937_64 random(seed);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        RandomProgram program{std::mt19937_64(seed * 1000 + rank), scale, {}, {}, 1000};
        program.calls.push_back({0, 0, "main", 0});
        for (std::uint32_t i = 0; i < iterations; ++i) {
            const bool inject = std::uniform_real_distribution<>(0.0, 1.0)(random) < share;
            const auto what = inject ? static_cast<Injected>(1 + random() % 4) : Injected::Nothing;
            const auto [name, number] = iterate(program, what, size);
            if (inject) truth.insert({rank, 0, name, number});
        }
        program.calls[0].end = program.now;
        builder.process("node", program.calls);
    }
    return {builder.finish(), truth};
}

/// The call in which a location was at a time, of calls that do not lie in each other.
std::uint32_t callAt(const Trace& trace, LocationId location, TimeNs time)
{
    const CallIntervals& calls = trace.locations[location.index()].intervals;
    for (std::uint32_t call = 0; call < calls.size(); ++call)
        if (calls.span(call).contains(time)) return call;
    return kNoInterval;
}

ExperimentPtr withCallsOfMessages(Experiment experiment)
{
    Trace trace = *experiment.trace;
    std::vector<Message> messages(trace.messages.begin(), trace.messages.end());
    for (Message& message : messages) {
        message.sendInterval = callAt(trace, message.sender, message.sendTime);
        message.receiveInterval = callAt(trace, message.receiver, message.receiveTime);
    }
    trace.messages = Column<Message>(std::move(messages));
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    return std::make_shared<const Experiment>(std::move(experiment));
}

std::size_t common(const std::set<Place>& a, const std::set<Place>& b)
{
    std::size_t count = 0;
    for (const Place& place : a) count += b.count(place);
    return count;
}

}  // namespace

TEST_CASE("every anomaly that was injected into heatflow is found on its rank, thread and function")
{
    const auto experiment = openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task());
    REQUIRE(experiment.has_value());
    const FoundAnomalies found = judged(**experiment);
    const std::set<Place> anomalies = anomaliesOf(**experiment, found);
    std::ifstream file(test::sourcePath("examples/heatflow-16x2/ground_truth.csv"));
    std::string line;
    std::getline(file, line);
    std::set<Place> truth;
    while (std::getline(file, line)) {
        std::vector<std::string> fields;
        std::istringstream stream(line);
        for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
        truth.insert({std::stoll(fields[2]), static_cast<std::uint32_t>(std::stoul(fields[3])), fields[6],
                      static_cast<std::uint32_t>(std::stoul(fields[7]))});
    }
    REQUIRE(truth.size() == 28);
    CHECK(common(truth, anomalies) == truth.size());
    CHECK(anomalies.size() - common(truth, anomalies) <= truth.size());
    for (const JudgedCall& call : found.calls) {
        if (call.label == AnomalyLabel::Consequence)
            CHECK_FALSE(truth.contains(placeOf(**experiment, found, call)));
        if (call.cause != kNoCause) CHECK(call.cause < found.anomalies);
    }
}

TEST_CASE("anomalies of random programs of any scale are found, however large others are")
{
    for (const double scale : {20.0, 1000.0, 500000.0})
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const ProgramWithTruth program = randomProgram(seed, 6, 400, scale, 0.01, 4.0);
            REQUIRE(program.truth.size() > 5);
            const std::set<Place> found = anomaliesOf(*program.experiment, judged(*program.experiment));
            INFO("scale " << scale << ", seed " << seed);
            CHECK(common(program.truth, found) == program.truth.size());
            CHECK(found.size() - common(program.truth, found) <= program.truth.size() / 4);
        }
}

TEST_CASE("nothing is found where nothing is different")
{
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        found += judged(*randomProgram(seed, 8, 300, 1000.0, 0.0, 0.0).experiment).calls.size();
    CHECK(found <= 1);
}

TEST_CASE("a caller that is long because of a call in it is a consequence of that call")
{
    ProgramWithTruth program = randomProgram(7, 4, 300, 1000.0, 0.0, 0.0);
    const FoundAnomalies before = judged(*program.experiment);
    REQUIRE(before.anomalies == 0);
    program = randomProgram(11, 4, 300, 1000.0, 0.004, 8.0);
    const FoundAnomalies found = judged(*program.experiment);
    std::size_t slowFlux = 0;
    for (std::size_t i = 0; i < found.anomalies; ++i) {
        const auto [rank, thread, function, number] = placeOf(*program.experiment, found, found.calls[i]);
        if (function != "flux") continue;
        ++slowFlux;
        const bool explained =
            std::any_of(found.calls.begin(), found.calls.end(), [&](const JudgedCall& call) {
                return call.label == AnomalyLabel::Consequence && call.cause == i
                    && call.location == found.calls[i].location && call.begin <= found.calls[i].begin
                    && call.durationNs > found.calls[i].durationNs && call.reason == AnomalyReason::Callee;
            });
        CHECK(explained);
    }
    CHECK(slowFlux > 0);
}

TEST_CASE("what all locations do at the same call is how the program runs")
{
    ExperimentBuilder builder("habit");
    for (int rank = 0; rank < 4; ++rank) {
        std::vector<Call> calls;
        TimeNs now = 0;
        for (int i = 0; i < 60; ++i) {
            const TimeNs length =
                1000 + (i * 37 + rank * 11) % 50 + (i == 0 ? 20000 : 0) + (i == 30 && rank == 2 ? 9000 : 0);
            calls.push_back({now, now + length, "f", 0});
            now += length + 10;
        }
        builder.process("node", calls);
    }
    const ExperimentPtr experiment = builder.finish();
    CHECK(anomaliesOf(*experiment, judged(*experiment)) == std::set<Place>{{2, 0, "f", 30}});
}

TEST_CASE("a habit of two locations is what both do, of one what it does at every so manieth call")
{
    const auto found = [](int ranks, const std::function<TimeNs(int, int)>& more) {
        ExperimentBuilder builder("habits");
        for (int rank = 0; rank < ranks; ++rank) {
            std::vector<Call> calls;
            TimeNs now = rank * 5'000;  // nobody stands still at once
            for (int i = 0; i < 400; ++i) {
                const TimeNs length = 1000 + (i * 37 + rank * 11) % 50 + more(rank, i);
                calls.push_back({now, now + length, "f", 0});
                now += length + 10;
            }
            builder.process("node", calls);
        }
        const ExperimentPtr experiment = builder.finish();
        return anomaliesOf(*experiment, judged(*experiment));
    };
    using Places = std::set<Place>;
    CHECK(found(2,
                [](int rank, int i) -> TimeNs {
                    return i == 0 || i == 30 || i == 60 || (rank == 1 && i == 77) ? 9000 + rank * 400 : 0;
                })
          == Places{{1, 0, "f", 77}});
    CHECK(found(2, [](int rank, int i) -> TimeNs { return i == 0 || i == 30 ? 9000 + rank * 400 : 0; })
          == Places{{0, 0, "f", 30}, {1, 0, "f", 30}});
    CHECK(found(1, [](int, int i) -> TimeNs { return i % 50 == 49 ? 20000
                                                  : i == 120      ? 9000
                                                                  : 0; })
          == Places{{0, 0, "f", 120}});
    // Not through the whole run, or not as often: that is no habit.
    CHECK(found(1, [](int, int i) -> TimeNs { return i % 50 == 49 && i < 250 ? 20000 : 0; }).size() == 5);
    CHECK(found(1, [](int, int i) -> TimeNs { return i % 150 == 49 ? 20000 : 0; }).size() == 3);
    CHECK(found(2, [](int rank, int i) -> TimeNs { return rank == 0 && i % 50 == 49 ? 20000 : 0; }).size()
          == 8);
}

TEST_CASE("a wait for a slow rank is its consequence, through ranks in between as well")
{
    // Rank 2 is slow once; rank 1 waits for it, and rank 0 for rank 1.
    ExperimentBuilder builder("chain");
    const int steps = 40, slow = 20;
    const TimeNs step = 1000, delay = 5000;
    std::vector<std::vector<Call>> calls(3);
    for (int i = 0; i < steps; ++i)
        for (int rank = 0; rank < 3; ++rank) {
            // Everybody works 600 + some; rank 2 sends at its end, rank 1 receives, works 50, sends, rank 0
            // receives.
            const TimeNs begin = i * step + (i > slow ? delay : 0);
            const TimeNs late = i == slow ? delay : 0;
            const TimeNs jitter = (i * 7 + rank * 3) % 5;
            if (rank == 2) {
                calls[2].push_back({begin, begin + 600 + jitter + late, "work", 0});
                calls[2].push_back({begin + 610 + late, begin + 620 + late, "MPI_Send", 0});
            } else if (rank == 1) {
                calls[1].push_back({begin, begin + 600 + jitter, "work", 0});
                calls[1].push_back({begin + 605, begin + 630 + late, "MPI_Recv", 0});
                calls[1].push_back({begin + 640 + late, begin + 650 + late, "MPI_Send", 0});
            } else {
                calls[0].push_back({begin, begin + 600 + jitter, "work", 0});
                calls[0].push_back({begin + 630, begin + 660 + late, "MPI_Recv", 0});
            }
        }
    for (const auto& each : calls) builder.process("node", each);
    for (int i = 0; i < steps; ++i) {
        const TimeNs begin = i * step + (i > slow ? delay : 0) + (i == slow ? delay : 0);
        builder.message(2, begin + 612, 1, begin + 628, 8);
        builder.message(1, begin + 642, 0, begin + 658, 8);
    }
    builder.paradigm("MPI_Send", Paradigm::Mpi).paradigm("MPI_Recv", Paradigm::Mpi);
    const ExperimentPtr experiment = withCallsOfMessages(*builder.finish());
    const FoundAnomalies found = judged(*experiment);
    REQUIRE(anomaliesOf(*experiment, found) == std::set<Place>{{2, 0, "work", 20}});
    CHECK(found.calls[0].severityNs > delay - 10);
    CHECK(found.calls[0].severityNs < delay + 10);
    std::set<Place> waiting;
    for (std::size_t i = found.anomalies; i < found.calls.size(); ++i) {
        CHECK(found.calls[i].cause == 0);
        CHECK(found.calls[i].reason == AnomalyReason::Wait);
        waiting.insert(placeOf(*experiment, found, found.calls[i]));
    }
    CHECK(waiting == std::set<Place>{{0, 0, "MPI_Recv", 20}, {1, 0, "MPI_Recv", 20}});
    CHECK(found.calls[0].costNs >= 2 * delay - 100);
    CHECK(found.calls[0].costNs <= 2 * delay);

    // Backwards: the parts of a consequence and the rest are what it lost; forwards: all waits are its cost.
    for (std::size_t i = found.anomalies; i < found.calls.size(); ++i) {
        const CallExplanation why =
            explainCall(*experiment, found, found.calls[i].location, found.calls[i].call);
        REQUIRE(why.parts.size() == 1);
        CHECK(why.parts[0].anomaly == 0);
        CHECK(why.parts[0].lostNs + why.restNs == why.lostNs);
        CHECK(why.parts[0].lostNs >= delay - 100);
        CHECK(why.parts[0].chain.links.size() == (found.calls[i].location == LocationId(0u) ? 2 : 1));
    }
    TimeNs cost = 0;
    for (const BlamedWait& wait : waitsFor(found, 0)) cost += wait.lostNs;
    CHECK(cost == found.calls[0].costNs);

    // The chain from rank 0 leads over the wait of rank 1, with the same seconds on each link.
    for (std::uint32_t wait = 0; wait < found.waits->states.size(); ++wait) {
        const WaitState& state = found.waits->states[wait];
        if (state.location != LocationId(0u) || state.lengthNs() < delay - 100) continue;
        const CauseChain chain = found.delays.chain(*found.waits, wait, 0);
        REQUIRE(chain.links.size() == 2);
        CHECK(chain.end == ChainEnd::AtDelay);
        CHECK(found.waits->states[chain.links[1].wait].location == LocationId(1u));
        CHECK(chain.links[0].blamedNs <= state.lengthNs());
    }
}

namespace {

std::vector<JudgedCall> streamed(const Experiment& experiment, const StreamParams& params)
{
    const auto found = streamAnomalies(experiment, FunctionsOfCalls(experiment), params, Task());
    REQUIRE(found.has_value());
    return *found;
}

/// Cutting the end of the run off changes nothing before it.
void checkKnowsNoFuture(const Experiment& experiment, const StreamParams& params)
{
    const TimeNs end = experiment.trace->extent.end / 2;
    const auto found = streamed(experiment, params), before = streamed(test::cutAt(experiment, end), params);
    const auto endOf = [](const JudgedCall& call) { return call.begin + call.durationNs; };
    std::size_t same = 0;
    for (; same < before.size() && endOf(before[same]) < end; ++same) {
        REQUIRE(same < found.size());
        CHECK(before[same].location == found[same].location);
        CHECK(before[same].call == found[same].call);
        CHECK(before[same].score == found[same].score);
    }
    CHECK(same > 3);
    CHECK((same == found.size() || endOf(found[same]) >= end));
}

std::set<Place> placesOfCalls(const Experiment& experiment, const std::vector<JudgedCall>& calls)
{
    FoundAnomalies places;
    places.places = placesOf(experiment.definitions);
    std::set<Place> found;
    for (const JudgedCall& call : calls) found.insert(placeOf(experiment, places, call));
    return found;
}

}  // namespace

TEST_CASE("a stream finds anomalies by what came before them alone")
{
    const ProgramWithTruth program = randomProgram(21, 6, 400, 1000.0, 0.01, 4.0);
    const std::set<Place> anomalies = placesOfCalls(*program.experiment, streamed(*program.experiment, {}));
    CHECK(common(program.truth, anomalies) + 2 >= program.truth.size());
    CHECK(anomalies.size() <= common(program.truth, anomalies) + program.truth.size() / 4);
}

TEST_CASE("every detector judges a stream, and no model of it sees the future")
{
    const ProgramWithTruth program = randomProgram(21, 6, 400, 1000.0, 0.01, 100.0);
    std::set<Place> slow;
    for (const Place& place : program.truth)
        if (std::get<2>(place) == "flux") slow.insert(place);
    REQUIRE(slow.size() > 5);
    for (std::size_t i = 0; i < kAnomalyDetectors; ++i) {
        StreamParams params;
        params.judge.detector = static_cast<AnomalyDetector>(i);
        INFO(name(params.judge.detector));
        checkKnowsNoFuture(*program.experiment, params);
        const auto found = placesOfCalls(*program.experiment, streamed(*program.experiment, params));
        CHECK(common(slow, found) + 1 >= slow.size());  // the first calls of a function are not judged
        params.ageNs = program.experiment->trace->extent.lengthNs() / 3;
        checkKnowsNoFuture(*program.experiment, params);
    }
}

TEST_CASE("a stream forgets what is older than its age")
{
    // Calls become ten times as long in the middle of the run: with an age that is usual after a while.
    std::vector<Call> calls;
    TimeNs now = 0;
    for (int i = 0; i < 600; ++i) {
        const TimeNs length = (i < 300 ? 1000 : 10000) + (i * 37) % 90;
        calls.push_back({now, now + length, "f", 0});
        now += length + 10;
    }
    const ExperimentPtr experiment = ExperimentBuilder("regimes").process("node", calls).finish();
    const FunctionsOfCalls functions(*experiment);
    const auto lastOf = [&](TimeNs age) {
        const auto found = streamAnomalies(
            *experiment, functions, {.judge = {.detector = AnomalyDetector::Robust}, .ageNs = age}, Task());
        REQUIRE(found.has_value());
        REQUIRE_FALSE(found->empty());
        CHECK(found->front().call == 300);
        return found->back().call;
    };
    CHECK(lastOf(400'000) < 400);
    CHECK(lastOf(0) > 580);
    CHECK_FALSE(streamAnomalies(*experiment, functions, {.ageNs = -1}, Task()).has_value());
}

TEST_CASE("judged as they end, all calls are told once, and anomalies are those of the stream")
{
    const auto experiment = openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task());
    REQUIRE(experiment.has_value());
    const StreamParams params;
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;
    std::size_t twice = 0;
    const auto found = findAnomaliesAsCallsEnd(**experiment, params, Task(), {}, [&](const JudgedCall& call) {
        CHECK(call.label == AnomalyLabel::Normal);
        twice += !told.emplace(call.location.value(), call.call).second;
    });
    REQUIRE(found.has_value());
    CHECK(found->anomalies == found->calls.size());
    const auto sameCalls = streamed(**experiment, params);
    CHECK(placesOfCalls(**experiment, found->calls) == placesOfCalls(**experiment, sameCalls));
    for (std::size_t i = 1; i < found->calls.size(); ++i)
        CHECK(found->calls[i - 1].severityNs >= found->calls[i].severityNs);
    for (const JudgedCall& call : found->calls)
        twice += !told.emplace(call.location.value(), call.call).second;
    CHECK(twice == 0);
    std::size_t calls = 0;
    for (std::size_t i = 0; i < (*experiment)->trace->locations.size(); ++i)
        CallWalk((*experiment)->trace->locations[i].intervals, *found->functionsOfCalls, 0)
            .run([&](const MeasuredCall&) { ++calls; }, [] { return true; });
    CHECK(told.size() == calls);
    StreamParams chosen;
    chosen.judge.features = AnomalyFeatures::Time;
    chosen.judge.chosen = {CallFeature::Children};
    const auto byChildren = findAnomaliesAsCallsEnd(**experiment, chosen, Task());
    REQUIRE(byChildren.has_value());
    REQUIRE(byChildren->anomalies > 0);
    CHECK(whyOf(byChildren->calls[0]) == "children");
}

TEST_CASE("shares of a wait never exceed it, and random traces give the same for any number of threads")
{
    for (std::uint64_t seed = 0; seed < 15; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.threadsPerProcess = 2, .regions = 3, .intervalsPerLocation = 200});
        const FoundAnomalies one = judged(experiment, {}, 1);
        const FoundAnomalies many = judged(experiment, {}, 4);
        REQUIRE(one.calls.size() == many.calls.size());
        for (std::size_t i = 0; i < one.calls.size(); ++i) {
            CHECK(one.calls[i].location == many.calls[i].location);
            CHECK(one.calls[i].call == many.calls[i].call);
            CHECK(one.calls[i].score == many.calls[i].score);
            CHECK(one.calls[i].severityNs == many.calls[i].severityNs);
        }
        for (std::uint32_t wait = 0; wait < one.waits->states.size(); ++wait) {
            CHECK(one.delays.blamedNs(wait) <= one.waits->states[wait].lengthNs());
            for (const DelayShare& share : one.delays.sharesOf(wait))
                CHECK(one.delays.chain(*one.waits, wait, share.delay).links.size()
                      <= one.waits->states.size());
        }
    }
}

TEST_CASE("every detector finds a call that is a hundred times as long, and none fails on odd input")
{
    const ProgramWithTruth program = randomProgram(3, 4, 200, 1000.0, 0.003, 100.0);
    std::set<Place> slow;
    for (const Place& place : program.truth)
        if (std::get<2>(place) == "flux") slow.insert(place);
    ExperimentBuilder odd("odd");
    odd.process("node", {{5, 5, "once", 0}, {6, 9, "twice", 0}, {9, 9, "twice", 0}});
    odd.process("node", {});
    std::vector<Call> equal;
    for (int i = 0; i < 100; ++i) equal.push_back({i * 10, i * 10 + 7, "equal", 0});
    odd.process("node", equal);
    const ExperimentPtr oddCalls = odd.finish();
    for (std::size_t i = 0; i < kAnomalyDetectors; ++i) {
        AnomalyParams params;
        params.detector = static_cast<AnomalyDetector>(i);
        INFO(name(params.detector));
        CHECK(common(slow, anomaliesOf(*program.experiment, judged(*program.experiment, params)))
              == slow.size());
        CHECK(judged(*oddCalls, params).calls.empty());
    }
    CHECK_FALSE(findAnomalies(*oddCalls, {.sigma = 0.0}, Task()).has_value());
    CHECK_FALSE(findAnomalies(*oddCalls, {.labelHeight = 0}, Task()).has_value());
    CHECK_FALSE(findAnomalies(Experiment(), {}, Task()).has_value());
}

}  // namespace skein::find_anomalies_test
