// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/wait_states.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace skein::wait_states_test {

namespace {

struct Call {
    std::string region;
    TimeNs begin = 0;
    TimeNs end = 0;
    std::uint16_t depth = 0;
};

/// One location a rank; calls in the order of their entry.
Experiment experimentOf(const std::vector<std::vector<Call>>& ranks)
{
    Experiment experiment;
    CallTreeBuilder tree;
    std::map<std::string, RegionId> regions;
    auto trace = std::make_shared<Trace>();
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        Location location;
        location.kind = LocationKind::CpuThread;
        location.rank = static_cast<std::int64_t>(rank);
        experiment.definitions.locations.push_back(location);
        std::vector<TimeNs> begin, end;
        std::vector<std::uint32_t> path;
        std::vector<std::uint16_t> depth;
        std::vector<CallPathId> above;
        for (const Call& call : ranks[rank]) {
            const auto [region, isNew] = regions.try_emplace(call.region, RegionId(regions.size()));
            if (isNew)
                experiment.definitions.regions.push_back(
                    {call.region,
                     "",
                     "",
                     "",
                     0,
                     0,
                     {},
                     call.region.starts_with("MPI") ? Paradigm::Mpi : Paradigm::User,
                     {}});
            begin.push_back(call.begin);
            end.push_back(call.end);
            above.resize(call.depth);
            above.push_back(tree.child(call.depth == 0 ? CallPathId() : above.back(), region->second));
            path.push_back(above.back().value());
            depth.push_back(call.depth);
        }
        LocationTrace one;
        one.intervals = {Column(begin), Column(end), Column(path), Column(depth)};
        trace->locations.push_back(one);
    }
    experiment.callTree = std::make_shared<const CallTree>(std::move(tree).finish());
    experiment.trace = trace;
    return experiment;
}

Experiment withMessage(Experiment experiment, Message message)
{
    auto trace = std::make_shared<Trace>(*experiment.trace);
    trace->messages = Column(std::vector<Message>{message});
    experiment.trace = trace;
    return experiment;
}

struct Sizes {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
};

/// One operation of the first call of every location; it ends so long after the calls.
Experiment withCollective(Experiment experiment, CollectiveKind kind, LocationId root,
                          const std::vector<Sizes>& sizes, TimeNs after = 0)
{
    auto trace = std::make_shared<Trace>(*experiment.trace);
    std::vector<CollectiveMember> members;
    for (std::uint32_t rank = 0; rank < sizes.size(); ++rank) {
        const TimeSpan span = trace->locations[rank].intervals.span(0);
        members.push_back(
            {span.begin, span.end + after, sizes[rank].sent, sizes[rank].received, LocationId(rank), 0});
    }
    const auto count = static_cast<std::uint32_t>(members.size());
    trace->collectiveMembers = Column(members);
    trace->collectives = Column(std::vector<CollectiveOperation>{
        {members.front().begin, members.front().end, 0, count, {}, root, kind}});
    experiment.trace = trace;
    return experiment;
}

WaitStates waitsOf(const Experiment& experiment)
{
    auto waits = findWaitStates(experiment, Task());
    REQUIRE(waits.has_value());
    return *waits;
}

}  // namespace

TEST_CASE("a receive that begins before the send waits for the late sender")
{
    const Message message{60, 70, 8, LocationId(0), LocationId(1), {}, 0, 0, 0};
    const auto waits =
        waitsOf(withMessage(experimentOf({{{"MPI_Send", 50, 65}}, {{"MPI_Recv", 20, 70}}}), message));
    REQUIRE(waits.states.size() == 1);
    const WaitState& state = waits.states[0];
    CHECK(state.kind == WaitKind::LateSender);
    CHECK((state.begin == 20 && state.end == 50));
    CHECK((state.location == LocationId(1) && state.cause == LocationId(0) && state.causeInterval == 0));
}

TEST_CASE("a blocking send waits for a late receiver until the receive begins")
{
    const Message message{12, 90, 8, LocationId(0), LocationId(1), {}, 0, 0, 0};
    const auto waits =
        waitsOf(withMessage(experimentOf({{{"MPI_Send", 10, 85}}, {{"MPI_Recv", 60, 90}}}), message));
    REQUIRE(waits.states.size() == 1);
    CHECK(waits.states[0].kind == WaitKind::LateReceiver);
    CHECK((waits.states[0].begin == 10 && waits.states[0].end == 60));

    // A send that had returned before, and one that does not block, wait for nobody.
    CHECK(waitsOf(withMessage(experimentOf({{{"MPI_Send", 10, 40}}, {{"MPI_Recv", 60, 90}}}), message))
              .states.empty());
    CHECK(waitsOf(withMessage(experimentOf({{{"MPI_Isend", 10, 85}}, {{"MPI_Recv", 60, 90}}}), message))
              .states.empty());
}

TEST_CASE("a call that sends and receives waits once, for the partner that came last")
{
    // Rank 1 comes 40 after rank 0 and 10 after rank 2; everybody sends to the next rank and receives from
    // the one before.
    Experiment ring = experimentOf(
        {{{"MPI_Sendrecv()", 10, 90}}, {{"MPI_Sendrecv()", 50, 95}}, {{"MPI_Sendrecv()", 40, 99}}});
    auto trace = std::make_shared<Trace>(*ring.trace);
    std::vector<Message> messages;
    for (std::uint32_t rank = 0; rank < 3; ++rank)
        messages.push_back({55, 80, 8, LocationId(rank), LocationId((rank + 1) % 3), {}, 0, 0, 0});
    trace->messages = Column(messages);
    ring.trace = trace;
    const auto waits = waitsOf(ring);
    REQUIRE(waits.states.size() == 2);
    CHECK((waits.states[0].location == LocationId(0) && waits.states[0].lengthNs() == 40
           && waits.states[0].cause == LocationId(1)));
    CHECK(waits.states[0].kind == WaitKind::LateReceiver);
    CHECK((waits.states[1].location == LocationId(2) && waits.states[1].lengthNs() == 10
           && waits.states[1].kind == WaitKind::LateSender));

    // Two that exchange: the later one is late as a sender and as a receiver.
    Experiment both = experimentOf({{{"MPI_Sendrecv()", 10, 90}}, {{"MPI_Sendrecv()", 50, 95}}});
    trace = std::make_shared<Trace>(*both.trace);
    trace->messages = Column(std::vector<Message>{{55, 80, 8, LocationId(0), LocationId(1), {}, 0, 0, 0},
                                                  {55, 80, 8, LocationId(1), LocationId(0), {}, 0, 0, 0}});
    both.trace = trace;
    const auto exchange = waitsOf(both);
    REQUIRE(exchange.states.size() == 1);
    CHECK((exchange.states[0].kind == WaitKind::LateSender && exchange.states[0].lengthNs() == 40));
}

TEST_CASE("members of a barrier wait for the last to enter")
{
    Experiment experiment =
        experimentOf({{{"MPI_Barrier", 10, 52}}, {{"MPI_Barrier", 50, 53}}, {{"MPI_Barrier", 30, 51}}});
    auto trace = std::make_shared<Trace>(*experiment.trace);
    std::vector<CollectiveMember> members;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        const TimeSpan span = trace->locations[rank].intervals.span(0);
        members.push_back({span.begin, span.end, 0, 0, LocationId(rank), 0});
    }
    trace->collectiveMembers = Column(members);
    trace->collectives =
        Column(std::vector<CollectiveOperation>{{10, 53, 0, 3, {}, {}, CollectiveKind::Barrier}});
    experiment.trace = trace;
    const auto waits = waitsOf(experiment);
    REQUIRE(waits.states.size() == 2);
    CHECK((waits.states[0].lengthNs() == 40 && waits.states[0].cause == LocationId(1)));
    CHECK(waits.states[1].lengthNs() == 20);

    const auto byCause = sumWaitStates(experiment, waits, WaitGrouping::Cause);
    REQUIRE(byCause.size() == 1);
    CHECK((byCause[0].item == 1 && byCause[0].totalNs == 60 && byCause[0].longestNs == 40));

    // With a root: the others wait for it in a broadcast, it waits for the first of them in a reduction.
    trace->collectives = Column(
        std::vector<CollectiveOperation>{{10, 53, 0, 3, {}, LocationId(2), CollectiveKind::Broadcast}});
    const auto broadcast = waitsOf(experiment);
    REQUIRE(broadcast.states.size() == 1);
    CHECK((broadcast.states[0].location == LocationId(0) && broadcast.states[0].lengthNs() == 20));
    trace->collectives =
        Column(std::vector<CollectiveOperation>{{10, 53, 0, 3, {}, LocationId(2), CollectiveKind::Reduce}});
    CHECK(waitsOf(experiment).states.empty());  // somebody had entered before
    trace->collectives =
        Column(std::vector<CollectiveOperation>{{10, 53, 0, 3, {}, LocationId(0), CollectiveKind::Reduce}});
    const auto reduce = waitsOf(experiment);
    REQUIRE(reduce.states.size() == 1);
    CHECK((reduce.states[0].location == LocationId(0) && reduce.states[0].cause == LocationId(2)
           && reduce.states[0].kind == WaitKind::EarlyReduce));
}

TEST_CASE("the root of a reduction waits until the first other member enters, not the last")
{
    const Experiment calls =
        experimentOf({{{"MPI_Reduce", 10, 90}}, {{"MPI_Reduce", 70, 75}}, {{"MPI_Reduce", 30, 35}}});
    const auto waits =
        waitsOf(withCollective(calls, CollectiveKind::Reduce, LocationId(0), {{0, 8}, {8, 0}, {8, 0}}));
    REQUIRE(waits.states.size() == 1);
    CHECK((waits.states[0].location == LocationId(0) && waits.states[0].lengthNs() == 20
           && waits.states[0].cause == LocationId(2)));

    // One that has nothing to give does not count, and a root that gets nothing does not wait.
    const auto without =
        waitsOf(withCollective(calls, CollectiveKind::Gather, LocationId(0), {{0, 8}, {8, 0}, {0, 0}}));
    REQUIRE(without.states.size() == 1);
    CHECK((without.states[0].lengthNs() == 60 && without.states[0].cause == LocationId(1)));
    CHECK(waitsOf(withCollective(calls, CollectiveKind::Gather, LocationId(0), {{0, 0}, {8, 0}, {8, 4}}))
              .states.empty());
}

TEST_CASE("members that give nothing let nobody wait, and members that get nothing do not wait, where sizes "
          "are told")
{
    const Experiment calls = experimentOf(
        {{{"MPI_Allgatherv", 10, 90}}, {{"MPI_Allgatherv", 30, 90}}, {{"MPI_Allgatherv", 70, 90}}});
    const auto lengths = [](const WaitStates& waits) {
        std::vector<TimeNs> all;
        for (const WaitState& state : waits.states) all.push_back(state.lengthNs());
        return all;
    };
    CHECK(lengths(waitsOf(withCollective(calls, CollectiveKind::AllGatherV, {}, {{8, 8}, {8, 8}, {8, 8}})))
          == std::vector<TimeNs>{60, 40});
    CHECK(lengths(waitsOf(withCollective(calls, CollectiveKind::AllGatherV, {}, {{8, 8}, {8, 8}, {0, 8}})))
          == std::vector<TimeNs>{20});
    CHECK(lengths(waitsOf(withCollective(calls, CollectiveKind::AllGatherV, {}, {{8, 0}, {8, 8}, {8, 8}})))
          == std::vector<TimeNs>{40});
    CHECK(lengths(waitsOf(withCollective(calls, CollectiveKind::AllGatherV, {}, {{0, 0}, {0, 0}, {0, 0}})))
          == std::vector<TimeNs>{60, 40});
    CHECK(lengths(waitsOf(
              withCollective(calls, CollectiveKind::Scatter, LocationId(2), {{0, 8}, {0, 0}, {8, 8}})))
          == std::vector<TimeNs>{60});
}

TEST_CASE("a collective that goes on after its call does not make that call wait")
{
    const Experiment calls = experimentOf({{{"MPI_Iallreduce", 10, 40}}, {{"MPI_Iallreduce", 30, 35}}});
    CHECK(waitsOf(withCollective(calls, CollectiveKind::AllReduce, {}, {{8, 8}, {8, 8}})).states.size() == 1);
    CHECK(
        waitsOf(withCollective(calls, CollectiveKind::AllReduce, {}, {{8, 8}, {8, 8}}, 500)).states.empty());
}

TEST_CASE("a call that only asks for messages does not wait for them, nor does one outside MPI")
{
    const Message message{60, 70, 8, LocationId(0), LocationId(1), {}, 0, 0, 0};
    for (const char* name : {"MPI_Test", "MPI_Testall", "compute"})
        CHECK(waitsOf(withMessage(experimentOf({{{"MPI_Send", 50, 65}}, {{name, 20, 70}}}), message))
                  .states.empty());
    // Nor does what a sender did outside MPI before it sent tell when the send began.
    const auto waits =
        waitsOf(withMessage(experimentOf({{{"compute", 10, 65}}, {{"MPI_Wait", 20, 70}}}), message));
    REQUIRE(waits.states.size() == 1);
    CHECK(waits.states[0].lengthNs() == 40);
}

TEST_CASE("collectives that are only regions are found when they can be nothing else")
{
    const auto found = waitsOf(experimentOf({{{"MPI_Allreduce()", 10, 52}, {"MPI_Allreduce()", 60, 80}},
                                             {{"MPI_Allreduce()", 50, 53}, {"MPI_Allreduce()", 60, 81}}}));
    CHECK(found.inferredCollectives == 2);
    REQUIRE(found.states.size() == 1);
    CHECK((found.states[0].kind == WaitKind::WaitAtNxN && found.states[0].lengthNs() == 40));

    // Calls that do not overlap were not one operation, so nothing of this name is.
    CHECK(waitsOf(experimentOf({{{"MPI_Allreduce()", 10, 20}}, {{"MPI_Allreduce()", 50, 53}}}))
              .inferredCollectives
          == 0);
    CHECK(waitsOf(experimentOf({{{"MPI_Allreduce()", 10, 60}},
                                {{"MPI_Allreduce()", 50, 63}, {"MPI_Allreduce()", 70, 73}}}))
              .inferredCollectives
          == 0);
}

TEST_CASE("wait states of random traces lie in their calls, once a call, and sum up alike in every grouping")
{
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Experiment experiment = test::randomExperiment(seed, {});
        const auto waits = waitsOf(experiment);
        TimeNs total = 0;
        std::set<std::pair<LocationId, std::uint32_t>> calls;
        for (const WaitState& state : waits.states) {
            CHECK(calls.emplace(state.location, state.interval).second);
            const TimeSpan call =
                experiment.trace->locations[state.location.index()].intervals.span(state.interval);
            CHECK((state.begin == call.begin && state.end > state.begin && state.end <= call.end));
            total += state.lengthNs();
            const bool ofMessage = state.kind == WaitKind::LateSender || state.kind == WaitKind::LateReceiver;
            REQUIRE((state.message != kNoMessage) == ofMessage);
            if (!ofMessage) continue;
            REQUIRE(state.message < experiment.trace->messages.size());
            const Message& message = experiment.trace->messages[state.message];
            const bool receives = state.kind == WaitKind::LateSender;
            CHECK(state.location == (receives ? message.receiver : message.sender));
            CHECK(state.interval == (receives ? message.receiveInterval : message.sendInterval));
            CHECK(state.cause == (receives ? message.sender : message.receiver));
            CHECK(state.causeInterval == (receives ? message.sendInterval : message.receiveInterval));
        }
        for (const auto grouping :
             {WaitGrouping::Cause, WaitGrouping::Kind, WaitGrouping::Location, WaitGrouping::Region}) {
            TimeNs sum = 0;
            for (const WaitSum& each : sumWaitStates(experiment, waits, grouping)) sum += each.totalNs;
            CHECK(sum == total);
        }
        const auto again = findWaitStates(experiment, Task().withThreads(1));
        CHECK(std::equal(waits.states.begin(), waits.states.end(), again->states.begin(), again->states.end(),
                         [](const WaitState& a, const WaitState& b) {
                             return a.begin == b.begin && a.end == b.end && a.cause == b.cause
                                 && a.kind == b.kind && a.message == b.message;
                         }));
    }
}

TEST_CASE("wait states of regions that every rank defines for itself are summed by name")
{
    const auto experiment = openExperiment(test::sourcePath("examples/eztrace-lulesh-8/trace-otf2"), Task());
    REQUIRE(experiment.has_value());
    std::map<std::string, std::uint64_t> counts;
    const auto sums = sumWaitStates(**experiment, waitsOf(**experiment), WaitGrouping::Region);
    for (const WaitSum& sum : sums)
        counts[(*experiment)->definitions.region(RegionId(sum.item)).name] = sum.count;
    CHECK(sums.size() == 3);
    CHECK(counts
          == std::map<std::string, std::uint64_t>{
              {"MPI_Allreduce", 63}, {"MPI_Barrier", 7}, {"MPI_Reduce", 1}});
}

TEST_CASE("the delays injected into a heat flow make its neighbours wait")
{
    const auto experiment = openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task());
    REQUIRE(experiment.has_value());
    const auto waits = waitsOf(**experiment);
    CHECK(waits.inferredCollectives > 0);
    const auto byKind = sumWaitStates(**experiment, waits, WaitGrouping::Kind);
    const auto time = [&](WaitKind kind) {
        const auto found = std::find_if(byKind.begin(), byKind.end(), [&](const WaitSum& sum) {
            return sum.item == static_cast<std::uint32_t>(kind);
        });
        return found == byKind.end() ? TimeNs{0} : found->totalNs;
    };
    CHECK(time(WaitKind::LateSender) > 0);
    // TAU puts a barrier of its own before every allreduce: what it spent there is what we call waiting, less
    // the time that the barrier itself took.
    TimeNs synchronizing = 0;
    for (const LocationTrace& location : (*experiment)->trace->locations)
        for (std::size_t i = 0; i < location.intervals.size(); ++i) {
            const RegionId region =
                (*experiment)->callTree->region(CallPathId(location.intervals.callPath[i]));
            if ((*experiment)->definitions.region(region).name == "MPI Collective Sync")
                synchronizing += location.intervals.span(i).lengthNs();
        }
    CHECK(time(WaitKind::WaitAtNxN) < synchronizing);
    CHECK(time(WaitKind::WaitAtNxN) > synchronizing * 95 / 100);
}

TEST_CASE("asking again and again whether a message has come is waiting for it")
{
    const Experiment experiment =
        withMessage(experimentOf({{{"MPI_Send", 50, 60}},
                                  {{"MPI_Test", 1, 5},
                                   {"MPI_Wait", 6, 9},
                                   {"MPI_Test", 10, 14},
                                   {"work", 15, 20},
                                   {"MPI_Test()", 45, 55},
                                   {"MPI_Testall", 70, 75}}}),
                    {55, 75, 8, LocationId(0), LocationId(1), {}, 0, 0, 5, kNoTime});
    const WaitStates waits = findWaitStates(experiment, Task()).value();
    REQUIRE(waits.states.size() == 2);
    CHECK(waits.states[0].interval == 2);
    CHECK(waits.states[0].lengthNs() == 4);
    CHECK(waits.states[1].interval == 4);
    CHECK(waits.states[1].end == 50);
    CHECK(waits.states[1].cause == LocationId(0));
    for (const WaitState& state : waits.states) CHECK(state.message == 0);
}

TEST_CASE("a collective that was not recorded waits as long as its processes meet before it")
{
    const Experiment experiment = experimentOf(
        {{{"MPI_Allreduce()", 10, 40}, {"MPI Collective Sync", 12, 30, 1}, {"MPI_Reduce", 41, 50}},
         {{"MPI_Comm_rank", 0, 5},
          {"main", 6, 60},
          {"MPI_Allreduce()", 28, 42, 1},
          {"MPI Collective Sync", 29, 31, 2}}});
    const WaitStates waits = findWaitStates(experiment, Task()).value();
    // Both processes call it once and at the same time: it is found by its name.
    REQUIRE(waits.inferredCollectives == 1);
    CHECK(waits.states.size() == 1);
    const Experiment alone = experimentOf(
        {{{"MPI_Allreduce()", 10, 40}, {"MPI Collective Sync", 12, 30, 1}, {"MPI_Reduce", 41, 50}},
         {{"MPI_Comm_rank", 0, 5}}});
    const WaitStates met = findWaitStates(alone, Task()).value();
    REQUIRE(met.states.size() == 1);
    CHECK(met.states[0].kind == WaitKind::WaitAtCollective);
    CHECK(met.states[0].lengthNs() == 18);
    CHECK(met.states[0].interval == 0);
    CHECK_FALSE(met.states[0].cause.valid());
    CHECK(causeName(alone, met.states[0].cause) == "not recorded");
    const auto times = mpiTimes(alone, met, {}, {}, Task()).value();
    REQUIRE(times.size() == 3);
    CHECK(times[0].mpiNs == 30);
    CHECK(times[0].allWaitedNs() == 18);
    CHECK(times[0].workNs == 12);
    CHECK(times[1].mpiNs == 9);
    CHECK(times[1].unexplainedNs == 9);
    CHECK(times[2].workNs == 5);
    const auto part = mpiTimes(alone, met, TimeSpan{20, 45}, {}, Task()).value();
    REQUIRE(part.size() == 2);
    CHECK(part[0].mpiNs == 20);
    CHECK(part[0].allWaitedNs() == 10);
    CHECK(part[1].unexplainedNs == 4);
}

TEST_CASE("time in MPI is waiting, work and what is not explained, and windows side by side sum up to it")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Experiment experiment = test::randomExperiment(seed);
        for (std::size_t region = 0; region < experiment.definitions.regions.size(); region += 2)
            experiment.definitions.regions[region].name =
                std::array{"MPI_Recv", "MPI_Send", "MPI_Init"}[region / 2 % 3];
        const WaitStates waits = findWaitStates(experiment, Task()).value();
        TimeNs outermost = 0;
        for (const LocationTrace& location : experiment.trace->locations) {
            TimeNs until = -1;
            for (std::size_t call = 0; call < location.intervals.size(); ++call) {
                const RegionId region =
                    experiment.callTree->region(CallPathId(location.intervals.callPath[call]));
                const TimeSpan span = location.intervals.span(call);
                if (!isMpi(experiment.definitions.region(region)) || span.end <= until) continue;
                outermost += span.lengthNs();
                until = span.end;
            }
        }
        TimeNs all = 0, parts = 0;
        const auto whole = mpiTimes(experiment, waits, {}, {}, Task()).value();
        for (const MpiTime& time : whole) {
            CHECK(time.mpiNs == time.allWaitedNs() + time.workNs + time.unexplainedNs);
            CHECK(time.workNs >= 0);
            CHECK(time.unexplainedNs >= 0);
            all += time.mpiNs;
        }
        CHECK(all == outermost);
        const TimeNs end = experiment.trace->extent.end + 1;
        for (const TimeSpan window : {TimeSpan{0, end / 3}, TimeSpan{end / 3, end}}) {
            const auto part = mpiTimes(experiment, waits, window, {}, Task()).value();
            for (const MpiTime& time : part) {
                CHECK(time.mpiNs == time.allWaitedNs() + time.workNs + time.unexplainedNs);
                parts += time.mpiNs;
            }
        }
        CHECK(parts == all);
        TimeNs byLocation = 0;
        for (std::uint32_t location = 0; location < experiment.trace->locations.size(); ++location) {
            const auto own =
                mpiTimes(experiment, waits, {}, std::vector{LocationId(location)}, Task()).value();
            for (const MpiTime& time : own) {
                CHECK(time.mpiNs == time.allWaitedNs() + time.workNs + time.unexplainedNs);
                byLocation += time.mpiNs;
            }
        }
        CHECK(byLocation == all);
    }
}

}  // namespace skein::wait_states_test
