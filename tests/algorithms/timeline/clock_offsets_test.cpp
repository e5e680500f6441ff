// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/correct_clocks.h"
#include "core/clocks/clock_offsets.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <cmath>

namespace skein::clock_offsets_test {

using test::randomExperiment;

namespace {

/// The same run seen by clocks that are off: the inverse of a correction, by the same means.
Experiment withClocks(const Experiment& experiment, const std::vector<ClockOffset>& clocks)
{
    ClockOffsets inverse;
    for (const ClockOffset& clock : clocks) inverse.groups.push_back({-clock.offsetNs, -clock.drift, 0.0});
    return correctClocks(experiment, inverse, Task()).value();
}

TimeNs worstEarly(const Trace& trace)
{
    TimeNs worst = 0;
    for (const Message& message : trace.messages)
        if (message.matched()) worst = std::max(worst, message.sendTime - message.receiveTime);
    for (const CollectiveOperation& operation : trace.collectives) {
        if (operation.kind == CollectiveKind::Broadcast) continue;
        TimeNs last = 0;
        const auto members =
            trace.collectiveMembers.span().subspan(operation.firstMember, operation.memberCount);
        for (const CollectiveMember& member : members) last = std::max(last, member.begin);
        for (const CollectiveMember& member : members) worst = std::max(worst, last - member.end);
    }
    return worst;
}

template <typename Rows, typename Time>
bool sortedBy(const Rows& rows, Time time)
{
    return std::is_sorted(rows.begin(), rows.end(),
                          [&](const auto& a, const auto& b) { return a.*time < b.*time; });
}

}  // namespace

TEST_CASE("clocks that agree are left alone")
{
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Experiment experiment = randomExperiment(seed, {.threadsPerProcess = 2});
        const ClockOffsets offsets = estimateClockOffsets(experiment, ClockModel::Automatic, Task()).value();
        CHECK_FALSE(offsets.needed());
        CHECK(offsets.violations == 0);
        CHECK(correctClocks(experiment, offsets, Task()).value().trace == experiment.trace);
    }
}

TEST_CASE(
    "known offsets are found within the error that is told, and no fact is violated after the correction")
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        test::RandomTraceOptions options{.processes = 6, .threadsPerProcess = 2, .messages = 400};
        if (seed % 3 == 1) options.messages = 0;
        if (seed % 3 == 2) options.collectives = 0;
        const Experiment truth = randomExperiment(seed, options);
        std::vector<ClockOffset> clocks(6);
        for (std::size_t i = 1; i < clocks.size(); ++i)
            clocks[i].offsetNs = static_cast<double>((seed * 7919 + i * 104729) % 200000) - 50000.0;
        const Experiment seen = withClocks(truth, clocks);
        const ClockOffsets offsets = estimateClockOffsets(seen, ClockModel::Automatic, Task()).value();
        REQUIRE(offsets.violations > 0);
        REQUIRE(offsets.remainingNs == 0);
        for (std::size_t i = 0; i < clocks.size(); ++i) {
            INFO("seed " << seed << " clock " << i << " error " << offsets.groups[i].errorNs);
            CHECK(std::fabs(offsets.groups[i].offsetNs - clocks[i].offsetNs)
                  <= offsets.groups[i].errorNs + 1.0);
            CHECK(offsets.groups[i].errorNs < 2000.0);
        }
        const Experiment corrected = correctClocks(seen, offsets, Task()).value();
        CHECK(worstEarly(*corrected.trace) == 0);
    }
}

TEST_CASE("only the clocks that are off are moved")
{
    const Experiment truth = randomExperiment(3, {.processes = 6, .messages = 400});
    std::vector<ClockOffset> clocks(6);
    clocks[4].offsetNs = 1e6;
    const ClockOffsets offsets =
        estimateClockOffsets(withClocks(truth, clocks), ClockModel::Automatic, Task()).value();
    for (std::size_t i : {0u, 1u, 2u, 3u, 5u}) CHECK(offsets.groups[i].offsetNs == 0.0);
    CHECK(offsets.groups[4].offsetNs == Approx(1e6).margin(offsets.groups[4].errorNs));
}

TEST_CASE("clocks that drift are followed by lines")
{
    test::RandomTraceOptions options{.processes = 4,
                                     .intervalsPerLocation = 2000,
                                     .messages = 4000,
                                     .unmatchedShare = 0.0,
                                     .collectives = 200};
    const Experiment truth = randomExperiment(5, options);
    std::vector<ClockOffset> clocks{{0, 0, 0}, {30000, 0.05, 0}, {-20000, -0.04, 0}, {10, 0.08, 0}};
    const Experiment seen = withClocks(truth, clocks);
    const ClockOffsets offsets = estimateClockOffsets(seen, ClockModel::Automatic, Task()).value();
    CHECK(offsets.groups[1].drift == Approx(0.05).epsilon(0.1));
    CHECK(offsets.groups[2].drift == Approx(-0.04).epsilon(0.1));
    CHECK(offsets.remainingNs < offsets.worstViolationNs / 20);
    const Experiment corrected = correctClocks(seen, offsets, Task()).value();
    CHECK(worstEarly(*corrected.trace) <= offsets.remainingNs);
    const ClockOffsets constant = estimateClockOffsets(seen, ClockModel::Constant, Task()).value();
    CHECK(constant.remainingNs > offsets.remainingNs);
}

TEST_CASE("a wrongly matched message widens the error instead of ruining the rest")
{
    Experiment experiment = randomExperiment(6, {.processes = 4, .messages = 400});
    auto trace = std::make_shared<Trace>(*experiment.trace);
    std::vector<Message> messages(trace->messages.begin(), trace->messages.end());
    const auto wrong = std::find_if(messages.begin(), messages.end(), [](const Message& m) {
        return m.matched() && m.sender.value() == 1 && m.receiver.value() == 2;
    });
    REQUIRE(wrong != messages.end());
    wrong->receiveTime = wrong->sendTime - 1000;
    trace->messages = Column<Message>(std::move(messages));
    experiment.trace = trace;
    const ClockOffsets offsets = estimateClockOffsets(experiment, ClockModel::Automatic, Task()).value();
    CHECK(offsets.violations == 1);
    CHECK(offsets.worstViolationNs == 1000);
    CHECK(offsets.remainingNs <= 1000);
    for (const ClockOffset& clock : offsets.groups) CHECK(std::fabs(clock.offsetNs) <= clock.errorNs + 1.0);
}

TEST_CASE("a correction keeps every table sorted, everything counted and the first event at zero")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment truth = randomExperiment(seed);
        std::vector<ClockOffset> clocks{{0, 0, 0}, {700, 0, 0}, {-900, 0, 0}, {123, 0, 0}};
        const Experiment skewed = withClocks(truth, clocks);
        const Trace& seen = *skewed.trace;
        CHECK(sortedBy(seen.messages, &Message::sendTime));
        CHECK(sortedBy(seen.unmatchedReceives, &Message::receiveTime));
        CHECK(sortedBy(seen.collectives, &CollectiveOperation::begin));
        CHECK(seen.messages.size() == truth.trace->messages.size());
        CHECK(seen.unmatchedSendCount() == truth.trace->unmatchedSendCount());
        CHECK(seen.extent.begin == 0);
        TimeNs first = seen.extent.end, last = 0;
        for (std::size_t i = 0; i < seen.locations.size(); ++i) {
            const LocationTrace& location = seen.locations[i];
            first = std::min(first, location.extent.begin);
            last = std::max(last, location.extent.end);
            const CallIntervals& before = truth.trace->locations[i].intervals;
            const TimeNs moved = location.intervals.begin[0] - before.begin[0];
            for (std::size_t k = 0; k < before.size(); ++k) {
                REQUIRE(location.intervals.begin[k] - before.begin[k] == moved);
                REQUIRE(location.intervals.end[k] - before.end[k] == moved);
            }
        }
        CHECK(first == 0);
        CHECK(last == seen.extent.end);
        for (const CollectiveOperation& operation : seen.collectives) {
            const auto members =
                seen.collectiveMembers.span().subspan(operation.firstMember, operation.memberCount);
            for (const CollectiveMember& member : members)
                CHECK((operation.begin <= member.begin && member.end <= operation.end));
        }
        // Back again: the truth, to the nanosecond.
        ClockOffsets back;
        back.groups = clocks;
        const Experiment returned = correctClocks(skewed, back, Task()).value();
        const Trace& again = *returned.trace;
        CHECK(again.extent == truth.trace->extent);
        CHECK(std::equal(again.messages.begin(), again.messages.end(), truth.trace->messages.begin(),
                         [](const Message& a, const Message& b) {
                             return a.sendTime == b.sendTime && a.receiveTime == b.receiveTime
                                 && a.sender == b.sender && a.bytes == b.bytes;
                         }));
    }
}

TEST_CASE("profiles and offsets of something else are refused, and a stop is obeyed")
{
    Experiment experiment = randomExperiment(1);
    std::stop_source stop;
    stop.request_stop();
    CHECK(
        estimateClockOffsets(experiment, ClockModel::Automatic, Task(stop.get_token())).error().cancelled());
    CHECK_FALSE(correctClocks(experiment, {}, Task()));
    experiment.trace = nullptr;
    CHECK_FALSE(estimateClockOffsets(experiment, ClockModel::Automatic, Task()));
}

namespace {

/// A trace without collective events, whose clocks are put off by known times. Without its messages only the
/// collectives that its regions show tell about the clocks.
Experiment skewedTauTrace(const std::string& path, std::vector<ClockOffset>& clocks, bool messages)
{
    Experiment experiment = **openExperiment(test::sourcePath(path), Task());
    REQUIRE(experiment.trace->collectives.empty());
    if (!messages) {
        auto trace = std::make_shared<Trace>(*experiment.trace);
        trace->messages = {};
        experiment.trace = trace;
    }
    clocks.assign(experiment.definitions.locationGroups.size(), {});
    for (std::size_t i = 1; i < clocks.size(); ++i)
        clocks[i].offsetNs = 1e6 * static_cast<double>((i * 7919) % 50) - 20e6;
    return withClocks(experiment, clocks);
}

/// Two processes that call MPI_Allreduce equally often, the second so much later each time.
Experiment twoWithAllreduces(const std::vector<TimeNs>& later)
{
    Experiment experiment;
    Definitions& definitions = experiment.definitions;
    definitions.regions.emplace_back().name = "MPI_Allreduce()";
    CallTreeBuilder tree;
    tree.child({}, RegionId(0));
    experiment.callTree = std::make_shared<const CallTree>(std::move(tree).finish());
    auto trace = std::make_shared<Trace>();
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        LocationGroup& group = definitions.locationGroups.emplace_back();
        group.kind = LocationGroupKind::Process;
        group.rank = rank;
        Location& location = definitions.locations.emplace_back();
        location.group = LocationGroupId(static_cast<std::uint32_t>(rank));
        location.rank = rank;
        std::vector<TimeNs> begin, end;
        for (std::size_t k = 0; k < later.size(); ++k) {
            begin.push_back(static_cast<TimeNs>(10'000 * k) + (rank == 1 ? later[k] : 0));
            end.push_back(begin.back() + 100);
        }
        LocationTrace& calls = trace->locations.emplace_back();
        calls.intervals.callPath = Column<std::uint32_t>(std::vector<std::uint32_t>(later.size(), 0));
        calls.intervals.depth = Column<std::uint16_t>(std::vector<std::uint16_t>(later.size(), 0));
        calls.events = 2 * later.size();
        calls.extent = {begin.front(), end.back()};
        trace->extent.end = std::max(trace->extent.end, end.back());
        calls.intervals.begin = Column<TimeNs>(std::move(begin));
        calls.intervals.end = Column<TimeNs>(std::move(end));
    }
    experiment.trace = std::move(trace);
    return experiment;
}

}  // namespace

TEST_CASE("known offsets of TAU traces are found within the error, from collectives that are only regions")
{
    for (const bool messages : {false, true})
        for (const std::string path : {"examples/lulesh-8/trace-tau", "examples/lulesh-8/trace-otf2"}) {
            std::vector<ClockOffset> clocks;
            const Experiment seen = skewedTauTrace(path, clocks, messages);
            const ClockOffsets offsets = estimateClockOffsets(seen, ClockModel::Constant, Task()).value();
            INFO(path << (messages ? " with" : " without") << " messages");
            CHECK(offsets.inferredCollectives >= 4);
            CHECK(offsets.violations > 0);
            for (std::size_t i = 0; i < clocks.size(); ++i) {
                INFO("clock " << i << ": " << offsets.groups[i].offsetNs << " ± " << offsets.groups[i].errorNs
                              << ", truth " << clocks[i].offsetNs);
                CHECK(std::fabs(offsets.groups[i].offsetNs - clocks[i].offsetNs)
                      <= offsets.groups[i].errorNs + 1.0);
                CHECK(offsets.groups[i].errorNs < 5e6);
            }
        }
}

TEST_CASE("calls that constant offsets do not explain, or that are too few, say nothing about clocks")
{
    const ClockOffsets steady =
        estimateClockOffsets(twoWithAllreduces({3000, 3010, 2990, 3020, 3000}), ClockModel::Automatic, Task())
            .value();
    CHECK(steady.inferredCollectives == 5);
    CHECK(steady.groups[1].offsetNs == Approx(3000).margin(100));
    CHECK(steady.groups[1].errorNs <= 100);
    const ClockOffsets other =
        estimateClockOffsets(twoWithAllreduces({3000, -500, 2000, 40, 3000}), ClockModel::Automatic, Task())
            .value();
    CHECK(other.inferredCollectives == 0);
    CHECK_FALSE(other.needed());
    const ClockOffsets few =
        estimateClockOffsets(twoWithAllreduces({3000, 3000}), ClockModel::Automatic, Task()).value();
    CHECK(few.inferredCollectives == 0);
    CHECK_FALSE(few.needed());
}

}  // namespace skein::clock_offsets_test
