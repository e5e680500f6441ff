// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/message_histogram.h"

#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <memory>
#include <numeric>

namespace skein::message_histogram_test {

namespace {

Session randomSession(std::uint64_t seed)
{
    test::RandomTraceOptions many;
    many.messages = 1500;  // several blocks of the index
    many.intervalsPerLocation = 400;
    return {{std::make_shared<const Experiment>(test::randomExperiment(seed, many)),
             std::make_shared<const Experiment>(test::randomExperiment(seed + 100))}};
}

std::vector<TimelineIndexPtr> indexesOf(const Session& session)
{
    std::vector<TimelineIndexPtr> indexes;
    for (const ExperimentPtr& experiment : session.experiments)
        indexes.push_back(std::make_shared<const TimelineIndex>(
            *buildTimelineIndex(*experiment->trace, *experiment->callTree, Task())));
    return indexes;
}

/// Counts the times of one direction in [from, to) of session time, message by message.
std::uint64_t countIn(const Session& session, const SessionClock& clock, TimeSpan bin, TimeNs Message::*time)
{
    std::uint64_t count = 0;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number)
        for (const auto* table : {&session.experiments[number]->trace->messages,
                                  &session.experiments[number]->trace->unmatchedReceives})
            for (std::size_t i = 0; i < table->size(); ++i) {
                const TimeNs at = (*table)[i].*time;
                if (at != kNoTime && bin.contains(clock.toSession(number, at))) ++count;
            }
    return count;
}

}  // namespace

TEST_CASE("a histogram of messages counts every send and every receive in its bin")
{
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Session session = randomSession(seed);
        const std::vector<TimelineIndexPtr> indexes = indexesOf(session);
        REQUIRE(indexes[0]->messages.blocks().size() > 2);
        const SessionClock clock = sessionClock(session, {0, 700});
        const TimeSpan all{clock.extent.begin, clock.extent.end + 1};
        const TimeSpan inside{all.begin + all.lengthNs() / 3, all.begin + all.lengthNs() / 2};
        for (const TimeSpan span : {all, inside})
            for (const TimeNs bin : {7, 100, 5000, 20'000}) {
                const auto histogram = messageHistogram(session, clock, span, bin, {}, {}, Task());
                REQUIRE(histogram);
                const auto indexed = messageHistogram(session, clock, span, bin, indexes, {}, Task());
                REQUIRE(indexed);
                REQUIRE(indexed->sent == histogram->sent);
                REQUIRE(indexed->received == histogram->received);
                CHECK(histogram->begin % bin == 0);
                for (std::size_t i = 0; i < histogram->sent.size(); ++i) {
                    const TimeNs from = histogram->begin + static_cast<TimeNs>(i) * bin;
                    const TimeSpan counted = TimeSpan{from, from + bin}.intersected(span);
                    REQUIRE(histogram->sent[i] == countIn(session, clock, counted, &Message::sendTime));
                    REQUIRE(histogram->received[i]
                            == countIn(session, clock, counted, &Message::receiveTime));
                }
                CHECK(histogram->begin + static_cast<TimeNs>(histogram->sent.size()) * bin >= span.end);
            }
    }
}

TEST_CASE("bins are the shortest round ones that are few enough")
{
    CHECK(roundBinNs({0, 1000}, 100) == 10);
    CHECK(roundBinNs({5, 1005}, 100) == 20);
    CHECK(roundBinNs({0, 1001}, 1000) == 2);
    CHECK(roundBinNs({0, 1'000'000'000}, 300) == 5'000'000);
    CHECK(roundBinNs({0, 10}, 1000) == 1);
    CHECK(roundBinNs({-15, 15}, 2) == 20);
}

TEST_CASE("a histogram of too many bins is refused, and one that is told to stop ends")
{
    const Session session = randomSession(1);
    const SessionClock clock = sessionClock(session);
    CHECK(messageHistogram(session, clock, {0, TimeNs{1} << 40}, 1, {}, {}, Task()).error().code
          == ErrorCode::InvalidArgument);
    CHECK(messageHistogram(session, clock, {0, 100}, 0, {}, {}, Task()).error().code
          == ErrorCode::InvalidArgument);
    CHECK(messageHistogram({}, {}, {0, 0}, 10, {}, {}, Task())->sent.empty());
}

}  // namespace skein::message_histogram_test
