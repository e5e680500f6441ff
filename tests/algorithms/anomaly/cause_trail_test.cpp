// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/cause_trail.h"
#include "algorithms/anomaly/explain_call.h"
#include "tests/support/catch.h"
#include "tests/support/small_session.h"

#include <algorithm>
#include <random>

namespace skein::cause_trail_test {

using test::Call;
using test::ExperimentBuilder;

namespace {

FoundAnomalies judged(const Experiment& experiment)
{
    const auto found = findAnomalies(experiment, {}, Task());
    REQUIRE(found.has_value());
    return *found;
}

/// What every trail must be.
void checkTrail(const CauseTrail& trail)
{
    TimeNs attributed = 0;
    std::vector<TimeNs> through(trail.links.size(), 0);
    for (std::size_t i = trail.links.size(); i-- > 0;) {
        const TrailLink& link = trail.links[i];
        attributed += link.attributedNs;
        through[i] += link.attributedNs;
        CHECK(link.throughNs == through[i]);
        if (link.parent == kNoTrailLink) continue;
        REQUIRE(link.parent < i);
        through[link.parent] += through[i];
    }
    CHECK(attributed + trail.restNs == trail.lostNs);
}

void checkShortened(const CauseTrail& trail)
{
    for (const std::size_t most : {0U, 1U, 2U, 5U, 1000U}) {
        const CauseTrail less = shortened(trail, most);
        CHECK(less.links.size() == std::min(most, trail.links.size()));
        TimeNs attributed = 0;
        for (std::size_t i = 0; i < less.links.size(); ++i) {
            attributed += less.links[i].attributedNs;
            if (less.links[i].parent != kNoTrailLink) CHECK(less.links[i].parent < i);
        }
        CHECK(attributed + less.restNs == trail.lostNs);
    }
}

/// The two cases of Xie et al. 2019, section 6: all ranks call `foi`, which works and then meets the others
/// at a barrier. In step 20 rank 2 is slow, in its call of `work` or in `foi` itself.
enum class Slow { Callee, Root };
ExperimentPtr stepsWithBarrier(Slow slow)
{
    ExperimentBuilder builder("barrier");
    constexpr TimeNs kStep = 2000, kDelay = 9000;
    constexpr int kSteps = 40, kOdd = 20;
    for (int rank = 0; rank < 3; ++rank) {
        std::vector<Call> calls;
        for (int i = 0; i < kSteps; ++i) {
            const TimeNs begin = i * kStep + (i > kOdd ? kDelay : 0);
            const TimeNs late = i == kOdd ? kDelay : 0, mine = rank == 2 ? late : 0;
            const TimeNs jitter = (i * 7 + rank * 3) % 5;
            const TimeNs worked = begin + 700 + jitter + (slow == Slow::Callee ? mine : 0);
            calls.push_back({begin, begin + 1020 + late, "foi", 0});
            calls.push_back({begin + 10, worked, "work", 1});
            calls.push_back({begin + 720 + mine, begin + 1000 + late, "MPI_Barrier", 1});
        }
        builder.process("node", calls);
    }
    builder.paradigm("MPI_Barrier", Paradigm::Mpi);
    return builder.finish();
}

std::string functionAt(const Experiment& experiment, LocationId location, std::uint32_t call)
{
    const CallIntervals& calls = experiment.trace->locations[location.index()].intervals;
    return experiment.definitions
        .regions[experiment.callTree->region(CallPathId(calls.callPath[call])).index()]
        .name;
}

/// Ranks in a ring that work, send to the right and receive from the left, with rare delays at random places.
ExperimentPtr randomRing(std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    const std::size_t ranks = 3 + random() % 4;
    constexpr int kSteps = 60;
    std::vector<std::vector<Call>> calls(ranks);
    std::vector<TimeNs> now(ranks, 0);
    std::vector<Message> messages;
    for (int step = 0; step < kSteps; ++step) {
        std::vector<TimeNs> sent(ranks), begun = now;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const TimeNs late = random() % 80 == 0 ? static_cast<TimeNs>(3000 + random() % 9000) : 0;
            const TimeNs end = begun[rank] + 600 + static_cast<TimeNs>(random() % 9) + late;
            calls[rank].push_back({begun[rank], 0, "foi", 0});
            calls[rank].push_back({begun[rank] + 5, end, "work", 1});
            sent[rank] = end + 5;
            calls[rank].push_back({end + 1, end + 15, "MPI_Send", 1});
            now[rank] = end + 20;
        }
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const std::size_t left = (rank + ranks - 1) % ranks;
            const TimeNs received = std::max(now[rank], sent[left]) + 10;
            Message message;
            message.sender = LocationId(left);
            message.receiver = LocationId(rank);
            message.sendTime = sent[left];
            message.receiveTime = received;
            message.bytes = 8;
            message.sendInterval = static_cast<std::uint32_t>(4 * step + 2);
            message.receiveInterval = static_cast<std::uint32_t>(4 * step + 3);
            messages.push_back(message);
            calls[rank].push_back({now[rank], received + 5, "MPI_Recv", 1});
            now[rank] = received + 10;
            calls[rank][calls[rank].size() - 4].end = now[rank];
        }
    }
    ExperimentBuilder builder("ring");
    for (const auto& each : calls) builder.process("node", each);
    builder.paradigm("MPI_Send", Paradigm::Mpi).paradigm("MPI_Recv", Paradigm::Mpi);
    auto experiment = std::make_shared<Experiment>(*builder.finish());
    Trace trace = *experiment->trace;
    trace.messages = Column<Message>(std::move(messages));
    experiment->trace = std::make_shared<const Trace>(std::move(trace));
    return experiment;
}

/// What came by no other wait is drawn directly, and nothing else is.
void checkDirect(const FoundAnomalies& found, std::uint32_t anomaly, const CauseTrail& cost)
{
    TimeNs direct = 0, drawn = 0;
    for (std::uint32_t wait = 0; wait < found.waits->states.size(); ++wait)
        for (const DelayShare& share : found.delays.sharesOf(wait))
            if (found.delayOf[share.delay] == anomaly && share.via == kNoWait) direct += share.lengthNs;
    for (const TrailLink& link : cost.links)
        if (link.parent == kNoTrailLink) drawn += link.attributedNs;
    CHECK(drawn == direct);
}

constexpr std::uint32_t kOddFoi = 60;  ///< its number among the calls of each rank

}  // namespace

TEST_CASE("an execution that a barrier dominates leads to the call of the peer, with what was lost")
{
    const ExperimentPtr experiment = stepsWithBarrier(Slow::Callee);
    const FoundAnomalies found = judged(*experiment);
    REQUIRE(found.anomalies == 1);
    CHECK(functionAt(*experiment, found.calls[0].location, found.calls[0].call) == "work");
    REQUIRE(functionAt(*experiment, LocationId(0), kOddFoi) == "foi");
    for (const std::uint32_t rank : {0U, 1U}) {
        const CauseTrail trail = trailBack(*experiment, found, {LocationId(rank), kOddFoi});
        checkTrail(trail);
        CHECK(trail.lostNs == 9000);
        REQUIRE(trail.links.size() == 1);
        const TrailLink& link = trail.links[0];
        CHECK(link.waiting == CallOfLocation{LocationId(rank), kOddFoi + 2});
        CHECK(link.causeLocation == LocationId(2));
        REQUIRE(link.causeCall.has_value());
        CHECK(functionAt(*experiment, link.causeLocation, *link.causeCall) == "work");
        CHECK(link.anomaly == 0);
        CHECK(link.attributedNs > 8900);
        CHECK(std::abs(trail.restNs) < 100);
    }
}

TEST_CASE("a delay in the execution itself is its own cause, and what it cost the others is found forwards")
{
    const ExperimentPtr experiment = stepsWithBarrier(Slow::Root);
    const FoundAnomalies found = judged(*experiment);
    REQUIRE(found.anomalies == 1);
    CHECK(found.calls[0].location == LocationId(2));
    CHECK(found.calls[0].call == kOddFoi);
    const CauseTrail own = trailBack(*experiment, found, {LocationId(2), kOddFoi});
    checkTrail(own);
    REQUIRE(own.links.size() == 1);
    CHECK(own.links[0].wait == kNoWait);
    CHECK(own.links[0].causeCall == kOddFoi);
    CHECK(own.links[0].attributedNs == found.calls[0].severityNs);
    CHECK(std::abs(own.restNs) < 100);
    const CauseTrail cost = trailForward(found, {LocationId(2), kOddFoi});
    checkTrail(cost);
    CHECK(cost.lostNs == found.calls[0].costNs);
    CHECK(cost.restNs == 0);
    REQUIRE(cost.links.size() == 2);
    for (const TrailLink& link : cost.links) {
        CHECK(link.parent == kNoTrailLink);
        CHECK(link.causeLocation == LocationId(2));
        CHECK(link.attributedNs > 8900);
    }
    CHECK(trailForward(found, {LocationId(0), kOddFoi}).links.empty());
}

TEST_CASE("trails of random programs explain what explanations do, and cost what anomalies cost")
{
    std::size_t links = 0, behind = 0;
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const ExperimentPtr ring = randomRing(seed);
        const Experiment& experiment = *ring;
        const FoundAnomalies found = judged(experiment);
        for (std::size_t location = 0; location < experiment.trace->locations.size(); ++location)
            for (std::uint32_t call = 0; call < experiment.trace->locations[location].intervals.size();
                 call += 3) {
                const CallOfLocation of{LocationId(location), call};
                const CauseTrail trail = trailBack(experiment, found, of);
                checkTrail(trail);
                checkShortened(trail);
                const CallExplanation why = explainCall(experiment, found, of.location, call);
                CHECK(trail.lostNs == why.lostNs);
                CHECK(trail.restNs == why.restNs);
                CHECK(trail.contradiction >= why.contradiction);
                links += trail.links.size();
                for (const TrailLink& link : trail.links) behind += link.parent != kNoTrailLink;
            }
        for (std::size_t i = 0; i < found.anomalies; ++i) {
            const CauseTrail cost = trailForward(found, {found.calls[i].location, found.calls[i].call});
            checkTrail(cost);
            CHECK(cost.lostNs == found.calls[i].costNs);
            checkDirect(found, static_cast<std::uint32_t>(i), cost);
            links += cost.links.size();
        }
    }
    CHECK(links > 100);
    CHECK(behind > 100);
}

}  // namespace skein::cause_trail_test
