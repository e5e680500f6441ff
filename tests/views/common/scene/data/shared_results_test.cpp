// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/shared_results.h"

#include "tests/support/catch.h"
#include "tests/support/random_calls.h"

#include <stop_token>

namespace skein::shared_results_test {

TEST_CASE("an index is worked out once a trace, and again where that was cancelled")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(3, 200, 4);
    ResultStore results;
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = timelineIndexOf(results, *experiment, Task(stop.get_token()));
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().cancelled());
    const auto found = timelineIndexOf(results, *experiment, Task());
    REQUIRE(found);
    CHECK(timelineIndexOf(results, *experiment, Task()).value() == *found);
    CHECK(timelineIndexOf(results, *test::experimentOfRandomCalls(4, 100), Task()).value() != *found);
    const Session session{{experiment}};
    CHECK(timelineDataOf(results, session, Task()).value()->indexes.front() == *found);
}

TEST_CASE("an experiment that came with an index keeps it")
{
    Experiment experiment = *test::experimentOfRandomCalls(3, 200, 4);
    ResultStore results;
    experiment.timelineIndex =
        std::make_shared<const TimelineIndex>(*timelineIndexOf(results, experiment, Task()).value());
    CHECK(timelineIndexOf(results, experiment, Task()).value() == experiment.timelineIndex);
}

TEST_CASE("the wait states of a trace are the same for every session that it is part of")
{
    const ExperimentPtr one = test::experimentOfRandomCalls(1, 300, 4);
    const ExperimentPtr other = test::experimentOfRandomCalls(2, 300, 4);
    auto profile = std::make_shared<Experiment>(*one);
    profile->trace = nullptr;
    ResultStore results;
    const auto alone = waitsOf(results, Session{{one}}, Task()).value();
    const auto together = waitsOf(results, Session{{profile, other, one}}, Task()).value();
    REQUIRE(together->experiments.size() == 3);
    CHECK(together->of(0) == nullptr);
    CHECK(together->of(1) != nullptr);
    CHECK(together->of(2) == alone->of(0));
}

TEST_CASE("hand-overs are those of the table that the session names")
{
    ResultStore results;
    const ExperimentPtr experiment = test::experimentOfRandomCalls(1, 100, 2);
    const auto none = std::make_shared<const Session>(Session{{experiment}});
    const auto found = handOversOf(results, none, Task()).value();
    CHECK(found->file.empty());
    CHECK(handOversOf(results, none, Task()).value() == found);
    const auto named = std::make_shared<const Session>(Session{{experiment}, "/nowhere/coupling.csv"});
    const auto missing = handOversOf(results, named, Task()).value();
    CHECK(missing->file == "/nowhere/coupling.csv");
    CHECK_FALSE(missing->problem.empty());
}

TEST_CASE("a part of a run has one profile as long as somebody holds it, other parts their own")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(1, 2'000, 4);
    const ExperimentPtr other = test::experimentOfRandomCalls(1, 2'000, 4);
    ResultStore results;
    auto profile = profileOfPart(results, experiment, {}, Task()).value();
    CHECK(profileOfPart(results, experiment, {}, Task()).value() == profile);
    CHECK(profileOfPart(results, experiment, {TimeSpan{0, 1000}, {}}, Task()).value() != profile);
    CHECK(profileOfPart(results, other, {}, Task()).value() != profile);
    const std::weak_ptr<const Profile> kept = profile;
    profile.reset();
    CHECK(kept.expired());
    CHECK(profileOfPart(results, experiment, {}, Task()).has_value());
}

TEST_CASE(
    "whoever waits for the anomalies of a session hears what is known early, and nobody keeps it for ever")
{
    ResultStore results;
    auto session = std::make_shared<const Session>(
        Session{{test::experimentOfRandomCalls(1, 2000, 4), test::experimentOfRandomCalls(2, 2000, 4)}});
    std::vector<SessionAnomaliesPtr> early;
    auto made = anomaliesOf(results, session, {}, Task(),
                            [&](const SessionAnomaliesPtr& known) { early.push_back(known); });
    REQUIRE(made.has_value());
    REQUIRE(early.size() == 2);
    CHECK((*made)->complete());
    CHECK(early[0]->share < early[1]->share);
    CHECK(early[1]->share < 1.0);
    CHECK_FALSE(early[1]->complete());
    CHECK(early[0]->normalCalls == 0);
    CHECK(early[1]->normalCalls < (*made)->normalCalls);
    for (const AnomalyPoint& point : early[0]->points) CHECK(point.call.experiment == 0);
    CHECK(anomaliesOf(results, session, {}, Task()).value() == *made);
    AnomalyParams other;
    other.detector = AnomalyDetector::Robust;
    CHECK(anomaliesOf(results, session, AnomalySearch(other), Task()).value() != *made);
    early.clear();
    *made = nullptr;
    const std::weak_ptr<const Session> left = session;
    session = nullptr;
    CHECK(left.expired());
}

}  // namespace skein::shared_results_test
