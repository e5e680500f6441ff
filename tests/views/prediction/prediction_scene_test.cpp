// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction/prediction_scene.h"

#include "algorithms/comm/comm_phases.h"
#include "algorithms/comm/communication_time.h"
#include "core/io/importer.h"
#include "core/select/filters.h"
#include "core/session/session_clock.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/machine_session.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "views/common/scene/data/communication_trial.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skein::prediction_scene_test {
namespace {

SessionPtr sessionOfTrace(int runs)
{
    auto session = std::make_shared<Session>();
    const auto trace =
        openExperiment(test::sourcePath("examples/eztrace-lulesh-8/trace-otf2"), Task()).value();
    for (int i = 0; i < runs; ++i) session->experiments.push_back(trace);
    return session;
}

CommunicationTrialPtr reversedPlacement()
{
    CommunicationTrial trial;
    trial.name = "reversed";
    trial.slotOfRank = {5, 0, 3, 6, 1, 7, 2, 4};
    return std::make_shared<const CommunicationTrial>(std::move(trial));
}

}  // namespace

TEST_CASE("prediction: phases of both maps are what skein-cli predict tells")
{
    const SessionPtr session = sessionOfTrace(1);
    const auto base = test::communicationOn(session, "mesh:4x2");
    ResultStore results;
    const auto other = communicationUnder(results, session, base, reversedPlacement(), Task()).value();
    const auto prediction = predictionOf(*session, base, other, "reversed", Task()).value();
    const auto path = test::sourcePath("examples/eztrace-lulesh-8/trace-otf2").string();
    const auto cli = test::runCli({"predict", path, "--topology", "mesh:4x2", "--format", "json"});
    const auto told = nlohmann::json::parse(cli.out);
    REQUIRE(told["phases"].size() == prediction->phases.size());
    for (std::size_t i = 0; i < prediction->phases.size(); ++i) {
        CHECK(prediction->phases[i].asItIs == Approx(told["phases"][i]["seconds"].get<double>()));
        CHECK(prediction->phases[i].bytes == told["phases"][i]["bytes"]);
        CHECK(prediction->phases[i].tried.has_value());
        CHECK(prediction->phases[i].measured.has_value());
    }
    CHECK(prediction->sum(&PredictedPhase::asItIs) == Approx(told["seconds"].get<double>()));
    CHECK(prediction->sum(&PredictedPhase::tried) != prediction->sum(&PredictedPhase::asItIs));
    CHECK_FALSE(prediction->rerun);
    CHECK(prediction->links.empty());
    const test::PlainCanvas plain(1200, 700);
    const std::string text = toText(predictionScene(*prediction, plain.canvas, Task()));
    CHECK(text.find("reversed") != std::string::npos);
    CHECK(text.find("Measured in MPI") != std::string::npos);
}

TEST_CASE("prediction: what filters hide is neither sent nor measured, as if it had not been recorded")
{
    const SessionPtr session = sessionOfTrace(1);
    // Without ranks 2 and 5.
    std::vector<LocationRef> hidden;
    const auto& locations = session->experiments[0]->definitions.locations;
    for (std::uint32_t i = 0; i < locations.size(); ++i)
        if (locations[i].rank == 2 || locations[i].rank == 5) hidden.push_back({0, LocationId(i)});
    for (const char* collectives : {"", "default"}) {
        ResultStore results;
        CommunicationRequest request;
        request.machine.topology = "mesh:4x2";
        request.machine.collectives = collectives;
        const auto all = communicationOf(results, session, request, Task()).value();
        request.filters = {locationFilter(FilterEffect::Hide, "ranks 2 and 5", hidden)};
        const auto base = communicationOf(results, session, request, Task()).value();
        const auto prediction = predictionOf(*session, base, nullptr, "", Task()).value();
        std::uint64_t bytes = 0;
        for (const PredictedPhase& phase : prediction->phases) bytes += phase.bytes;
        CHECK(bytes == base->matrix->totalBytes());
        CHECK(bytes < all->matrix->totalBytes());
        CHECK(predictionText(*prediction).find("6 of 8 ranks pass the filters") != std::string::npos);
        const auto whole = predictionOf(*session, all, nullptr, "", Task()).value();
        CHECK(predictionText(*whole).find("filters") == std::string::npos);
        REQUIRE(whole->phases.size() == prediction->phases.size());
        CHECK(*prediction->sum(&PredictedPhase::asItIs) < *whole->sum(&PredictedPhase::asItIs));
    }
    // The same trace without the messages of these ranks, unfiltered.
    Experiment without = *session->experiments[0];
    auto trace = std::make_shared<Trace>(*without.trace);
    std::vector<Message> kept;
    const auto isHidden = [&](LocationId of) {
        return std::ranges::any_of(hidden, [&](const LocationRef& ref) { return ref.id == of; });
    };
    for (std::size_t i = 0; i < trace->messages.size(); ++i)
        if (!isHidden(trace->messages[i].sender) && !isHidden(trace->messages[i].receiver))
            kept.push_back(trace->messages[i]);
    trace->messages = Column<Message>(std::move(kept));
    without.trace = trace;
    auto other = std::make_shared<Session>();
    other->experiments.push_back(std::make_shared<const Experiment>(std::move(without)));
    const auto expected =
        predictionOf(*other, test::communicationOn(other, "mesh:4x2"), nullptr, "", Task()).value();
    ResultStore results;
    CommunicationRequest request;
    request.machine.topology = "mesh:4x2";
    request.filters = {locationFilter(FilterEffect::Hide, "ranks 2 and 5", hidden)};
    const auto filtered = predictionOf(*session, communicationOf(results, session, request, Task()).value(),
                                       nullptr, "", Task())
                              .value();
    REQUIRE(filtered->phases.size() == expected->phases.size());
    for (std::size_t i = 0; i < expected->phases.size(); ++i) {
        CHECK(filtered->phases[i].asItIs == expected->phases[i].asItIs);
        CHECK(filtered->phases[i].messages == expected->phases[i].messages);
    }
    // The mean time in MPI of all eight is that of the six and of the two.
    CommunicationRequest two = request;
    two.filters = {locationFilter(FilterEffect::Keep, "ranks 2 and 5", hidden)};
    const auto ofTwo =
        predictionOf(*session, communicationOf(results, session, two, Task()).value(), nullptr, "", Task())
            .value();
    const auto ofAll =
        predictionOf(*session, test::communicationOn(session, "mesh:4x2"), nullptr, "", Task()).value();
    const auto measured = [](const PredictionPtr& of) { return *of->sum(&PredictedPhase::measured); };
    CHECK(8 * measured(ofAll) == Approx(6 * measured(filtered) + 2 * measured(ofTwo)));
}

TEST_CASE("prediction: of a scope's ranks are their messages, and their time in MPI")
{
    const SessionPtr session = sessionOfTrace(1);
    const auto& locations = session->experiments[0]->definitions.locations;
    std::vector<LocationRef> both;
    for (std::uint32_t i = 0; i < locations.size(); ++i)
        if (locations[i].rank == 2 || locations[i].rank == 5) both.push_back({0, LocationId(i)});
    ResultStore results;
    CommunicationRequest request;
    request.machine.topology = "mesh:4x2";
    const auto predicted = [&](const CommunicationRequest& asked) {
        return predictionOf(*session, communicationOf(results, session, asked, Task()).value(), nullptr, "",
                            Task())
            .value();
    };
    const PredictionPtr all = predicted(request);
    CommunicationRequest keep = request;
    keep.filters = {locationFilter(FilterEffect::Keep, "ranks 2 and 5", both)};
    request.locations = both;
    const PredictionPtr scope = predicted(request);
    REQUIRE(scope->phases.size() == all->phases.size());
    const Trace& trace = *session->experiments[0]->trace;
    std::size_t less = 0;
    for (std::size_t i = 0; i < scope->phases.size(); ++i) {
        std::uint64_t messages = 0, bytes = 0;
        for (const Message& message : trace.messages) {
            if (!scope->phases[i].span->contains(message.sendTime)) continue;
            const auto rank = [&](LocationId id) { return locations[id.index()].rank; };
            const auto from = rank(message.sender), to = rank(message.receiver);
            if (from != 2 && from != 5 && to != 2 && to != 5) continue;
            ++messages;
            bytes += message.bytes;
        }
        CHECK(scope->phases[i].messages == messages);
        CHECK(scope->phases[i].bytes == bytes);
        less += messages < all->phases[i].messages ? 1 : 0;
    }
    CHECK(less > 0);
    CHECK(scope->sum(&PredictedPhase::measured) == predicted(keep)->sum(&PredictedPhase::measured));
    CHECK(predictionText(*scope).find("filters") == std::string::npos);
}

TEST_CASE("prediction: a phase stands in the same place as predicted and as measured")
{
    const SessionPtr session = sessionOfTrace(1);
    const auto prediction =
        predictionOf(*session, test::communicationOn(session, "mesh:4x2"), nullptr, "", Task()).value();
    const test::PlainCanvas plain(700, 500);
    const PredictionLayout layout = predictionLayout(*prediction, plain.canvas);
    REQUIRE_FALSE(layout.measured.empty());
    const auto phaseAt = [&](const Rect& field, int x) {
        return predictedPhaseAt(*prediction, layout, {x * 1.0, field.y + field.height / 2}, plain.canvas);
    };
    REQUIRE(prediction->phases.size() > 3);
    for (int x = static_cast<int>(layout.predicted.x) + 1; x < layout.predicted.right() - 1; ++x)
        CHECK(phaseAt(layout.predicted, x) == phaseAt(layout.measured, x));
    CHECK(test::unreadable(predictionScene(*prediction, plain.canvas, Task()), plain.measure) == "");
}

TEST_CASE("prediction: what a window of time leaves is what skein-cli predict tells")
{
    const SessionPtr session = sessionOfTrace(1);
    const TimeSpan whole = sessionClock(*session, {}).toSession(0, session->experiments[0]->trace->extent);
    const TimeSpan part{whole.begin + whole.lengthNs() / 4, whole.begin + whole.lengthNs() / 2};
    ResultStore results;
    CommunicationRequest request;
    request.machine.topology = "mesh:4x2";
    request.span = part;
    const auto base = communicationOf(results, session, request, Task()).value();
    const auto prediction = predictionOf(*session, base, nullptr, "", Task()).value();
    const auto path = test::sourcePath("examples/eztrace-lulesh-8/trace-otf2").string();
    const auto cli = test::runCli({"predict", path, "--topology", "mesh:4x2", "--format", "json", "--window",
                                   fmt::format("{}:{}", part.begin, part.end)});
    const auto told = nlohmann::json::parse(cli.out);
    REQUIRE(told["phases"].size() == prediction->phases.size());
    for (std::size_t i = 0; i < prediction->phases.size(); ++i) {
        CHECK(prediction->phases[i].asItIs == Approx(told["phases"][i]["seconds"].get<double>()));
        CHECK(prediction->phases[i].bytes == told["phases"][i]["bytes"]);
    }
    CHECK(prediction->sum(&PredictedPhase::asItIs) == Approx(told["seconds"].get<double>()));
}

TEST_CASE("prediction: a rerun that did what was predicted agrees link by link")
{
    const SessionPtr session = sessionOfTrace(2);
    const auto base = test::communicationOn(session, "mesh:4x2"),
               rerun = test::communicationOn(session, "mesh:4x2", 1);
    const auto prediction = predictionOf(*session, base, rerun, "rerun", Task()).value();
    CHECK(prediction->rerun);
    REQUIRE_FALSE(prediction->links.empty());
    for (const PredictedLink& link : prediction->links) {
        CHECK(link.predicted == link.measured);
        CHECK(link.measured == rerun->traffic.loads[link.link]);
    }
    CHECK(prediction->agreement() == Approx(1.0));
    CHECK(prediction->sum(&PredictedPhase::measured) == prediction->sum(&PredictedPhase::rerun));
}

TEST_CASE("prediction: bytes that a rerun sent elsewhere are seen")
{
    const SessionPtr session = test::sessionOfSums(3, {{{0, 1, 1, 1000}}, {{0, 1, 1, 600}, {1, 2, 1, 500}}});
    const auto base = test::communicationOn(session, "mesh:3"),
               rerun = test::communicationOn(session, "mesh:3", 1);
    const auto prediction = predictionOf(*session, base, rerun, "rerun", Task()).value();
    REQUIRE(prediction->links.size() == 2);
    CHECK(prediction->links[0].predicted == 1000);
    CHECK(prediction->links[0].measured == 600);
    CHECK(prediction->links[1].predicted == 0);
    CHECK(prediction->links[1].measured == 500);
    CHECK(prediction->agreement() == Approx(0.6));
    CHECK_FALSE(
        predictionOf(*session, test::communicationOn(session, "none"), nullptr, "", Task()).has_value());
}

TEST_CASE("time in MPI by span is the time of outermost calls into MPI there")
{
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        Experiment experiment = test::randomExperiment(seed);
        for (std::size_t i = 0; i < experiment.definitions.regions.size(); i += 2)
            experiment.definitions.regions[i].name = "MPI_Send";
        const TimeNs end = experiment.trace->extent.end + 1;
        const std::vector<TimeSpan> spans{{0, end / 3}, {end / 3, end / 2}, {end / 2, end}};
        const auto times = communicationTimes(experiment, spans, {}, Task()).value();
        std::vector<double> counted(3, 0);
        for (const auto& location : experiment.trace->locations) {
            const CallIntervals& calls = location.intervals;
            for (TimeNs at = 0; at < end; ++at) {
                bool inside = false;
                for (std::size_t i = 0; i < calls.size() && !inside; ++i)
                    inside = calls.begin[i] <= at && at < calls.end[i]
                        && isMpi(experiment.definitions.region(
                            experiment.callTree->region(CallPathId(calls.callPath[i]))));
                if (inside) counted[at < end / 3 ? 0 : (at < end / 2 ? 1 : 2)] += 1;
            }
        }
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(times[i] == Approx(counted[i] / static_cast<double>(experiment.trace->locations.size())));
    }
}

}  // namespace skein::prediction_scene_test
