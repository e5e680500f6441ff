// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction/prediction_scene.h"

#include "algorithms/comm/comm_phases.h"
#include "algorithms/comm/communication_time.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/machine_session.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "views/common/scene/data/communication_trial.h"

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
        const auto times = communicationTimes(experiment, spans, Task()).value();
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
