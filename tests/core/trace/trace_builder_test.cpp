// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"
#include "tests/support/catch.h"

#include <random>

namespace skein::trace_builder_test {

namespace {

Definitions definitionsOf(std::size_t locations, std::size_t regions,
                          std::uint64_t ticksPerSecond = 1'000'000'000)
{
    Definitions definitions;
    definitions.clock.ticksPerSecond = ticksPerSecond;
    for (std::size_t index = 0; index < locations; ++index) {
        Location& location = definitions.locations.emplace_back();
        location.kind = LocationKind::CpuThread;
        location.rank = static_cast<std::int64_t>(index);
    }
    for (std::size_t index = 0; index < regions; ++index)
        definitions.regions.emplace_back().name = "region" + std::to_string(index);
    return definitions;
}

/// One location whose story is told by "+region@time" and "-region@time".
struct Story {
    struct Step {
        char kind;
        int region;
        Tick time;
    };
    Definitions definitions = definitionsOf(1, 8);
    ImportReport report;
    FinishedTrace finished;

    explicit Story(const std::vector<Step>& steps)
    {
        TraceBuilder builder(1);
        LocationTraceBuilder& location = builder[LocationId(0)];
        for (const Step& step : steps) {
            const Tick now = location.record(step.time);
            if (step.kind == '+') location.enter(now, RegionId(step.region));
            else location.leave(now, RegionId(step.region));
        }
        finished = finishTrace(std::move(builder), definitions, report, Task()).value();
    }
    /// "region depth begin-end" of every interval.
    std::string intervals() const
    {
        const CallIntervals& calls = finished.trace->locations[0].intervals;
        std::string text;
        for (std::size_t index = 0; index < calls.size(); ++index)
            text += std::to_string(finished.callTree->region(CallPathId(calls.callPath[index])).value()) + " "
                + std::to_string(calls.depth[index]) + " " + std::to_string(calls.begin[index]) + "-"
                + std::to_string(calls.end[index]) + "; ";
        return text;
    }
};

}  // namespace

TEST_CASE("Nested calls become intervals in preorder with times from the first event")
{
    const Story story(
        {{'+', 0, 100}, {'+', 1, 110}, {'-', 1, 120}, {'+', 1, 130}, {'-', 1, 140}, {'-', 0, 150}});
    REQUIRE(story.intervals() == "0 0 0-50; 1 1 10-20; 1 1 30-40; ");
    REQUIRE(story.report.empty());
    REQUIRE(story.finished.trace->extent == TimeSpan{0, 50});
    REQUIRE(story.finished.callTree->size() == 2);
    REQUIRE(story.definitions.clock.originTicks == 100);
}

TEST_CASE("A leave of an outer call ends those above it")
{
    const Story story({{'+', 0, 0}, {'+', 1, 1}, {'+', 2, 2}, {'-', 0, 9}, {'+', 3, 10}, {'-', 3, 11}});
    REQUIRE(story.intervals() == "0 0 0-9; 1 1 1-9; 2 2 2-9; 3 0 10-11; ");
    REQUIRE(story.report.count(IssueKind::LeaveOutOfOrder) == 1);
    REQUIRE(!story.report.lostData());
}

TEST_CASE("Crossing calls end together when nothing happened between their leaves")
{
    const Story story({{'+', 0, 0}, {'+', 1, 4}, {'-', 0, 9}, {'-', 1, 12}});
    REQUIRE(story.intervals() == "0 0 0-12; 1 1 4-12; ");
    REQUIRE(story.report.count(IssueKind::LeaveOutOfOrder) == 1);
    REQUIRE(story.report.count(IssueKind::LeaveWithoutEnter) == 0);
}

TEST_CASE("A crossing call's late leave after other calls is dropped and reported as lost")
{
    const Story story({{'+', 0, 0}, {'+', 1, 4}, {'-', 0, 9}, {'+', 2, 10}, {'-', 1, 11}, {'-', 2, 12}});
    REQUIRE(story.intervals() == "0 0 0-9; 1 1 4-9; 2 0 10-12; ");
    REQUIRE(story.report.count(IssueKind::LeaveWithoutEnter) == 1);
    REQUIRE(story.report.lostData());
}

TEST_CASE("Leaves without enters are dropped; a repeated leave loses nothing")
{
    const Story lost({{'-', 1, 0}, {'+', 0, 1}, {'-', 0, 2}});
    REQUIRE(lost.intervals() == "0 0 1-2; ");
    REQUIRE(lost.report.count(IssueKind::LeaveWithoutEnter) == 1);
    REQUIRE(lost.report.lostData());
    const Story repeated({{'+', 0, 1}, {'-', 0, 2}, {'-', 0, 3}});
    REQUIRE(repeated.report.count(IssueKind::RepeatedLeave) == 1);
    REQUIRE(!repeated.report.lostData());
}

TEST_CASE("Calls that are never left end with the last event of their location")
{
    const Story story({{'+', 0, 0}, {'+', 1, 4}, {'+', 2, 5}, {'-', 2, 7}});
    REQUIRE(story.intervals() == "0 0 0-7; 1 1 4-7; 2 2 5-7; ");
    REQUIRE(story.report.count(IssueKind::EnterWithoutLeave) == 2);
}

TEST_CASE("Times that run backwards are held at their predecessor")
{
    const Story story({{'+', 0, 10}, {'+', 1, 4}, {'-', 1, 20}, {'-', 0, 15}});
    REQUIRE(story.intervals() == "0 0 0-10; 1 1 0-10; ");
    REQUIRE(story.report.count(IssueKind::TimeBackwards) == 2);
}

TEST_CASE("Depth saturates in a recursion deeper than 65 535")
{
    TraceBuilder builder(1);
    Definitions definitions = definitionsOf(1, 1);
    LocationTraceBuilder& location = builder[LocationId(0)];
    for (Tick time = 0; time < 70'000; ++time) location.enter(location.record(time), RegionId(0));
    for (Tick time = 70'000; time < 140'000; ++time) location.leave(location.record(time), RegionId(0));
    ImportReport report;
    const auto finished = finishTrace(std::move(builder), definitions, report, Task()).value();
    REQUIRE(report.empty());
    REQUIRE(finished.trace->maximumDepth() == 65'536);
    REQUIRE(finished.trace->locations[0].intervals.end[69'999] == 70'000);
}

TEST_CASE("Any sequence of enters and leaves gives properly nested intervals")
{
    std::mt19937 random(GENERATE(1u, 2u, 3u, 4u, 5u));
    std::vector<Story::Step> steps;
    for (Tick time = 0; time < 2000; ++time)
        steps.push_back({random() % 2 ? '+' : '-', static_cast<int>(random() % 8), time});
    const Story story(steps);
    const CallIntervals& calls = story.finished.trace->locations[0].intervals;
    std::vector<std::size_t> open;
    for (std::size_t index = 0; index < calls.size(); ++index) {
        REQUIRE(calls.begin[index] <= calls.end[index]);
        open.resize(calls.depth[index]);
        const CallPathId parent = story.finished.callTree->parent(CallPathId(calls.callPath[index]));
        REQUIRE(parent.valid() == !open.empty());
        if (!open.empty()) {
            REQUIRE(calls.begin[open.back()] <= calls.begin[index]);
            REQUIRE(calls.end[index] <= calls.end[open.back()]);
            REQUIRE(parent.value() == calls.callPath[open.back()]);
        }
        open.push_back(index);
    }
}

TEST_CASE("Non-blocking receives are matched in the order of their posts, whatever order they complete in")
{
    TraceBuilder builder(2);
    Definitions definitions = definitionsOf(2, 1);
    definitions.communicators.resize(1);
    LocationTraceBuilder& sender = builder[LocationId(0)];
    LocationTraceBuilder& receiver = builder[LocationId(1)];
    for (const std::uint64_t bytes : {100u, 200u})
        sender.send(sender.record(bytes), LocationId(1), CommunicatorId(0), 7, bytes);
    receiver.postReceive(receiver.record(50), 11);
    receiver.postReceive(receiver.record(60), 12);
    receiver.postReceive(receiver.record(61), 13);
    receiver.completeReceive(receiver.record(300), 12, LocationId(0), CommunicatorId(0), 7, 200);
    receiver.completeReceive(receiver.record(400), 11, LocationId(0), CommunicatorId(0), 7, 100);
    REQUIRE(receiver.cancelReceive(13));
    ImportReport report;
    const auto trace = finishTrace(std::move(builder), definitions, report, Task()).value().trace;
    REQUIRE(trace->messages.size() == 2);
    REQUIRE(trace->messages[0].bytes == 100);
    REQUIRE(trace->messages[0].receiveTime == 350);
    REQUIRE(trace->messages[1].receiveTime == 250);
    REQUIRE(trace->unmatchedReceives.empty());
}

TEST_CASE("The k-th collectives of a communicator's processes are one operation, those on a self "
          "communicator are not")
{
    TraceBuilder builder(3);
    Definitions definitions = definitionsOf(3, 1);
    definitions.communicators.resize(2);
    definitions.communicators[1].self = true;
    for (std::uint32_t index = 0; index < 3; ++index) {
        LocationTraceBuilder& location = builder[LocationId(index)];
        for (Tick call = 0; call < 2; ++call) {
            const auto row = location.beginCollective(location.record(call * 100 + index));
            location.endCollective(row, location.record(call * 100 + 50 + index), CollectiveKind::AllReduce,
                                   CommunicatorId(0), {}, 8, 24);
        }
        const auto alone = location.beginCollective(location.record(300));
        location.endCollective(alone, location.record(310), CollectiveKind::Barrier, CommunicatorId(1), {}, 0,
                               0);
        location.beginCollective(location.record(320));
    }
    ImportReport report;
    const auto trace = finishTrace(std::move(builder), definitions, report, Task()).value().trace;
    REQUIRE(trace->collectives.size() == 5);
    REQUIRE(trace->collectives[1].begin == 100);
    REQUIRE(trace->collectives[1].end == 152);
    REQUIRE(trace->collectives[1].memberCount == 3);
    REQUIRE(trace->collectiveMembers[trace->collectives[1].firstMember + 2].begin == 102);
    REQUIRE(trace->collectiveMembers[trace->collectives[1].firstMember + 2].bytesReceived == 24);
    REQUIRE(trace->collectives[4].memberCount == 1);
}

TEST_CASE("Tables of all locations are sorted by time and location for any number of threads")
{
    const auto build = [](int threads) {
        TraceBuilder builder(5);
        Definitions definitions = definitionsOf(5, 1);
        std::mt19937 random(3);
        for (std::uint32_t index = 0; index < 5; ++index) {
            LocationTraceBuilder& location = builder[LocationId(index)];
            for (Tick time = 0; time < 100'000; time += 1 + random() % 3)
                location.send(location.record(time), LocationId((index + 1) % 5), CommunicatorId(0), 0, time);
        }
        ImportReport report;
        return finishTrace(std::move(builder), definitions, report, Task({}, {}, threads)).value().trace;
    };
    const auto one = build(1), two = build(2);
    REQUIRE(one->messages.size() > 200'000);
    REQUIRE(one->messages.size() == two->messages.size());
    const auto key = [](const Message& message) { return std::pair(message.sendTime, message.sender); };
    bool sorted = true, equal = true;
    for (std::size_t row = 1; row < one->messages.size(); ++row) {
        sorted = sorted && key(one->messages[row - 1]) < key(one->messages[row]);
        equal = equal && key(one->messages[row]) == key(two->messages[row]);
    }
    REQUIRE(sorted);
    REQUIRE(equal);
}

TEST_CASE("A cancelled finish says so")
{
    TraceBuilder builder(1);
    Definitions definitions = definitionsOf(1, 1);
    builder[LocationId(0)].enter(builder[LocationId(0)].record(1), RegionId(0));
    std::stop_source stop;
    stop.request_stop();
    ImportReport report;
    const auto finished = finishTrace(std::move(builder), definitions, report, Task(stop.get_token()));
    REQUIRE(!finished);
    REQUIRE(finished.error().cancelled());
}

TEST_CASE("A single time far ahead is damage, two in a row are what the clock says")
{
    constexpr std::uint64_t ticksPerSecond = 1000;
    constexpr Tick century = Tick{100} * 366 * 24 * 60 * 60 * ticksPerSecond;
    TraceBuilder builder(3, ticksPerSecond);
    LocationTraceBuilder& damaged = builder[LocationId(0)];
    CHECK(damaged.record(100) == 100);
    CHECK(damaged.record(century) == 100);
    CHECK(damaged.record(110) == 110);
    CHECK(damaged.record(90) == 110);
    CHECK(damaged.record(century) == 110);
    CHECK(damaged.record(2 * century) == 110);
    CHECK(damaged.record(120) == 120);
    LocationTraceBuilder& leapt = builder[LocationId(1)];
    CHECK(leapt.record(0) == 0);
    CHECK(leapt.record(century) == 0);
    CHECK(leapt.record(century + 5) == century + 5);
    CHECK(leapt.record(century + 6) == century + 6);
    LocationTraceBuilder& last = builder[LocationId(2)];
    CHECK(last.record(~Tick{0}) == ~Tick{0});
    CHECK(last.record(0) == ~Tick{0});
}

}  // namespace skein::trace_builder_test
