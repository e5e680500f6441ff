// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/message_sums.h"
#include "core/session/experiment.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <map>
#include <random>

namespace skein::message_sums_test {
namespace {

using Pairs = std::map<std::pair<LocationId, LocationId>, MessageSum>;

/// By going through all messages.
Pairs pairsByHand(const Trace& trace, const std::optional<TimeSpan>& span)
{
    Pairs pairs;
    for (const Message& message : trace.messages) {
        if (!span || span->contains(message.sendTime)) pairs[{message.sender, message.receiver}].add(message);
    }
    return pairs;
}

Pairs asMap(const std::vector<PairSum>& sums)
{
    Pairs pairs;
    for (const PairSum& pair : sums) pairs[{pair.sender, pair.receiver}] = pair.sum;
    CHECK(pairs.size() == sums.size());
    return pairs;
}

/// Many messages of few pairs, so that sums are kept in between; `shuffled`: not in the order of time.
std::shared_ptr<const Trace> manyMessages(std::size_t count, std::uint32_t locations, bool shuffled)
{
    std::mt19937_64 random(count);
    std::vector<Message> messages;
    for (std::size_t i = 0; i < count; ++i) {
        Message message;
        message.sendTime = static_cast<TimeNs>(i / 3);
        if (i % 7 > 0) message.receiveTime = message.sendTime + static_cast<TimeNs>(random() % 1000);
        message.bytes = random() >> (random() % 64);
        message.bytes %= std::uint64_t{1} << 40;
        message.sender = LocationId(static_cast<std::uint32_t>(random() % locations));
        message.receiver = LocationId(static_cast<std::uint32_t>(random() % locations));
        messages.push_back(message);
    }
    if (shuffled) std::shuffle(messages.begin(), messages.end(), random);
    auto trace = std::make_shared<Trace>();
    trace->messages = Column<Message>(std::move(messages));
    return trace;
}

}  // namespace

TEST_CASE("message sums of any span are those of the messages that were sent in it")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment = test::randomExperiment(seed);
        const auto sums = MessageSums::create(experiment.trace, {}, Task()).value();
        for (const std::optional<TimeSpan>& span :
             {std::optional<TimeSpan>(), std::optional(TimeSpan{100, 700}), std::optional(TimeSpan{50, 50})})
            CHECK(asMap(sums->pairs(span)) == pairsByHand(*experiment.trace, span));
    }
}

TEST_CASE("message sums are exact wherever spans begin and end between the sums that are kept")
{
    for (const bool shuffled : {false, true}) {
        const auto trace = manyMessages(70'000, 6, shuffled);
        const auto sums = MessageSums::create(trace, {}, Task()).value();
        std::mt19937_64 random(5);
        for (int i = 0; i < 12; ++i) {
            const auto a = static_cast<TimeNs>(random() % 24'000), b = static_cast<TimeNs>(random() % 24'000);
            const TimeSpan span{std::min(a, b), std::max(a, b)};
            CHECK(asMap(sums->pairs(span)) == pairsByHand(*trace, span));
            const auto [first, last] = sums->sentIn(span);
            std::uint64_t count = 0;
            for (std::size_t k = first; k < last; ++k)
                count += span.contains(trace->messages[sums->messageAt(k)].sendTime) ? 1 : 0;
            CHECK(count == last - first);
            SizeHistogram sizes;
            for (const Message& message : trace->messages) {
                if (!span.contains(message.sendTime)) continue;
                std::size_t sizeClass = 0;
                while (SizeHistogram::largest(sizeClass) < message.bytes) ++sizeClass;
                ++sizes.messages[sizeClass];
                sizes.bytes[sizeClass] += message.bytes;
            }
            CHECK(sums->sizes(span) == sizes);
        }
    }
}

TEST_CASE("message sums over time share the messages out among the parts of a span")
{
    const auto trace = manyMessages(9'000, 4, false);
    const auto sums = MessageSums::create(trace, {}, Task()).value();
    const TimeSpan span{101, 2'222};
    for (const std::size_t bins : {std::size_t{1}, std::size_t{7}, std::size_t{5000}}) {
        const auto parts = sums->overTime(span, bins);
        REQUIRE(parts.size() == bins);
        std::vector<MessageSum> expected(bins);
        for (const Message& message : trace->messages) {
            if (!span.contains(message.sendTime)) continue;
            std::size_t bin = 0;
            while (message.sendTime
                   >= span.begin + span.lengthNs() * static_cast<TimeNs>(bin + 1) / static_cast<TimeNs>(bins))
                ++bin;
            expected[bin].add(message);
        }
        CHECK(parts == expected);
    }
    CHECK(sums->overTime({10, 10}, 3).empty());
    CHECK(sums->overTime(span, 0).empty());
}

TEST_CASE("message sums leave out what does not count: both ends, or one of them")
{
    const auto trace = manyMessages(70'000, 6, true);
    const auto sums = MessageSums::create(trace, {}, Task()).value();
    const TimeSpan span{3'001, 21'007};
    constexpr std::size_t kBins = 13;
    const std::vector<char> some{1, 1, 0, 1, 1, 1}, few{0, 1, 0, 0, 1};
    for (const CountedMessages& counted : {CountedMessages{}, CountedMessages{some, {}},
                                           CountedMessages{{}, few}, CountedMessages{some, few}}) {
        SizeHistogram sizes;
        std::vector<MessageSum> parts(kBins);
        std::size_t left = 0;
        for (const Message& message : trace->messages) {
            const std::size_t from = message.sender.index(), to = message.receiver.index();
            const bool passes = counted.both.empty() || (from != 2 && to != 2);
            const bool meant = counted.either.empty() || from == 1 || from == 4 || to == 1 || to == 4;
            CHECK(counted.count(from, to) == (passes && meant));
            if (!passes || !meant || !span.contains(message.sendTime)) continue;
            std::size_t sizeClass = 0;
            while (SizeHistogram::largest(sizeClass) < message.bytes) ++sizeClass;
            ++sizes.messages[sizeClass];
            sizes.bytes[sizeClass] += message.bytes;
            std::size_t bin = 0;
            while (message.sendTime >= span.begin + span.lengthNs() * static_cast<TimeNs>(bin + 1) / 13)
                ++bin;
            parts[bin].add(message);
            ++left;
        }
        CHECK(left > 1000);
        CHECK(sums->sizes(span, counted) == sizes);
        CHECK(sums->overTime(span, kBins, counted) == parts);
    }
}

TEST_CASE("message sums of no messages are empty")
{
    const auto sums = MessageSums::create(std::make_shared<const Trace>(), {}, Task()).value();
    CHECK(sums->pairs({}).empty());
    CHECK(sums->pairs(TimeSpan{0, 10}).empty());
    CHECK(sums->sizes({}) == SizeHistogram());
    CHECK(sums->overTime({0, 10}, 2) == std::vector<MessageSum>(2));
    std::stop_source stop;
    stop.request_stop();
    CHECK(MessageSums::create(manyMessages(10, 2, false), {}, Task(stop.get_token())).error().cancelled());
}

}  // namespace skein::message_sums_test
