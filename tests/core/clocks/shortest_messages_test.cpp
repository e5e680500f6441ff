// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/shortest_messages.h"

#include "core/clocks/clock_offsets.h"
#include "core/index/trace_summary.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <map>
#include <random>
#include <utility>

namespace skein::shortest_messages_test {
namespace {

using namespace clocks;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::uint32_t kLocations = 40;

/// Messages in the order of their sends, some without a receive, some of nobody, some that arrive too early.
std::vector<Message> randomMessages(std::size_t count, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::vector<Message> messages(count);
    TimeNs now = 0;
    for (Message& message : messages) {
        now += static_cast<TimeNs>(random() % 50);
        message.sendTime = now;
        if (random() % 10 > 0) message.receiveTime = now + static_cast<TimeNs>(random() % 5000) - 20;
        message.sender = LocationId(static_cast<std::uint32_t>(random() % kLocations));
        message.receiver = LocationId(static_cast<std::uint32_t>(random() % (kLocations + 1)));
    }
    return messages;
}

/// Two locations a clock; the last two have none.
std::vector<std::uint32_t> clocksOfPairs()
{
    std::vector<std::uint32_t> clocks;
    for (std::uint32_t location = 0; location < kLocations; ++location)
        clocks.push_back(location < kLocations - 2 ? location / 2 : kNoClock);
    return clocks;
}

/// The definition, one message after the other.
std::pair<std::map<Pair, TimeNs>, Violations> expectedOf(const std::vector<Message>& messages,
                                                         const std::vector<ClockOffset>& offsets)
{
    const std::vector<std::uint32_t> clocks = clocksOfPairs();
    std::map<Pair, TimeNs> shortest;
    Violations violations;
    for (const Message& message : messages) {
        if (message.receiveTime == kNoTime || message.receiver.value() >= kLocations) continue;
        const std::uint32_t from = clocks[message.sender.index()], to = clocks[message.receiver.index()];
        if (from == kNoClock || to == kNoClock || from == to) continue;
        const TimeNs took = message.receiveTime - std::llround(offsets[to].offsetNs) - message.sendTime
            + std::llround(offsets[from].offsetNs);
        const auto [known, isNew] = shortest.try_emplace({from, to}, took);
        if (!isNew) known->second = std::min(known->second, took);
        violations.count += took < 0;
        violations.worstNs = std::max(violations.worstNs, -took);
    }
    return {shortest, violations};
}

std::map<Pair, TimeNs> byPair(const MessageFacts& facts)
{
    std::map<Pair, TimeNs> shortest;
    for (const MessageBound& bound : facts.shortest) shortest[{bound.from, bound.to}] = bound.bound;
    REQUIRE(shortest.size() == facts.shortest.size());
    return shortest;
}

}  // namespace

TEST_CASE("clocks: the shortest message of every pair is found on any number of threads")
{
    const std::vector<Message> messages = randomMessages(150'000, 7);
    std::vector<ClockOffset> offsets(kLocations / 2);
    for (std::size_t clock = 0; clock < offsets.size(); ++clock)
        offsets[clock].offsetNs = 37.0 * static_cast<double>(clock % 5);
    for (const std::vector<ClockOffset>& used : {std::vector<ClockOffset>(offsets.size()), offsets}) {
        const auto [shortest, violations] = expectedOf(messages, used);
        REQUIRE(violations.count > 0);
        for (const int threads : {1, 2, 5}) {
            const MessageFacts facts =
                factsOfAll(messages, clocksOfPairs(), Correction(used), Task().withThreads(threads));
            CHECK(byPair(facts) == shortest);
            CHECK(facts.violations.count == violations.count);
            CHECK(facts.violations.worstNs == violations.worstNs);
        }
    }
}

TEST_CASE("clocks: a part of the messages gives bounds that are wider and never wrong")
{
    const std::vector<Message> messages = randomMessages(100'000, 11);
    const auto all = byPair(factsOfAll(messages, clocksOfPairs(), {}, Task()));
    const auto some = byPair(factsOfSome(messages, 10'000, clocksOfPairs(), {}));
    CHECK(some.size() == all.size());
    std::size_t wider = 0;
    for (const auto& [pair, bound] : some) {
        CHECK(bound >= all.at(pair));
        wider += bound > all.at(pair);
    }
    CHECK(wider > 0);
    CHECK(byPair(factsOfSome(messages, messages.size(), clocksOfPairs(), {})) == all);
    CHECK(factsOfSome({}, 10, clocksOfPairs(), {}).shortest.empty());
}

TEST_CASE("clocks: a walk looks at about one row in so many, out of step with any period")
{
    constexpr std::size_t kRows = 1'000'000;
    for (const std::size_t step : {1u, 2u, 12u, 384u}) {
        std::size_t looked = 0;
        std::vector<std::size_t> ofPhase(step);
        for (std::size_t row = 0; row < kRows; row = nextOfWalk(row, step)) {
            ++looked;
            ++ofPhase[row % step];
        }
        INFO("step " << step);
        CHECK(looked > kRows / step / 10 * 9);
        CHECK(looked < kRows / step / 9 * 10 + 2);
        for (const std::size_t count : ofPhase) CHECK(count > 0);
    }
}

TEST_CASE("clocks: estimates are the same bits for any number of threads, with drift as well")
{
    const Experiment truth = test::randomExperiment(
        5, {.processes = 4, .intervalsPerLocation = 2000, .messages = 4000, .collectives = 200});
    for (const ClockModel model : {ClockModel::Automatic, ClockModel::Constant, ClockModel::Linear}) {
        const ClockOffsets one = estimateClockOffsets(truth, model, Task().withThreads(1)).value();
        const ClockOffsets five = estimateClockOffsets(truth, model, Task().withThreads(5)).value();
        REQUIRE(one.groups.size() == five.groups.size());
        for (std::size_t clock = 0; clock < one.groups.size(); ++clock) {
            CHECK(one.groups[clock].offsetNs == five.groups[clock].offsetNs);
            CHECK(one.groups[clock].drift == five.groups[clock].drift);
            CHECK(one.groups[clock].errorNs == five.groups[clock].errorNs);
        }
        CHECK(one.remainingNs == five.remainingNs);
    }
}

TEST_CASE("a summary tells what one pass over the trace tells")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment = test::randomExperiment(seed, {.messages = 300});
        std::uint64_t bytes = 0;
        for (const Message& message : experiment.trace->messages) bytes += message.bytes;
        const TraceSummary summary = traceSummaryOf(experiment, Task()).value();
        CHECK(summary.totals.messageBytes == bytes);
        CHECK(summary.totals.unmatchedSends == experiment.trace->unmatchedSendCount());
        CHECK(summary.totals.maximumDepth == experiment.trace->maximumDepth());
        CHECK(summary.clocks.groups.size() == experiment.definitions.locationGroups.size());
    }
    Experiment profile;
    CHECK_FALSE(traceSummaryOf(profile, Task()));
    CHECK_FALSE(traceTotalsOf(profile, Task()));
}

}  // namespace skein::shortest_messages_test
