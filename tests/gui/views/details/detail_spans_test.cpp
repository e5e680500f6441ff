// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_spans.h"

#include "core/select/translate.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <memory>

namespace skein::detail_spans_test {
namespace {

Session randomSession(std::uint64_t seed)
{
    return {{std::make_shared<const Experiment>(test::randomExperiment(seed)),
             std::make_shared<const Experiment>(test::randomExperiment(seed + 100))}};
}

/// Of calls that `wanted(experiment, location, call path)` is true for, one by one.
template <typename Wanted>
std::optional<TimeSpan> spanByLooking(const Session& session, const SessionClock& clock, Wanted wanted)
{
    std::optional<TimeSpan> around;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const auto& locations = session.experiments[number]->trace->locations;
        for (std::uint32_t location = 0; location < locations.size(); ++location)
            for (std::size_t call = 0; call < locations[location].intervals.size(); ++call) {
                const CallIntervals& calls = locations[location].intervals;
                if (!wanted(number, location, calls.callPath[call])) continue;
                const TimeSpan span = clock.toSession(number, calls.span(call));
                around = around ? around->united(span) : span;
            }
    }
    return around;
}

}  // namespace

TEST_CASE("the span of selected call paths and locations is that of their calls, one by one")
{
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Session session = randomSession(seed);
        const SessionClock clock = sessionClock(session, {0, 500});
        for (std::uint32_t path = 0; path < session.experiments[1]->callTree->size(); ++path) {
            const Selection ofPath = select(session, CallPathRef{1, CallPathId(path)});
            CHECK(spanOfSelectedCalls(session, clock, ofPath, Task())
                  == spanByLooking(session, clock, [&](auto number, auto, auto node) {
                         return number == 1 && node == path;
                     }));
            const Selection both = united(ofPath, select(session, LocationRef{1, LocationId(2)}));
            CHECK(spanOfSelectedCalls(session, clock, both, Task())
                  == spanByLooking(session, clock, [&](auto number, auto location, auto node) {
                         return number == 1 && node == path && location == 2;
                     }));
        }
        CHECK(spanOfSelectedCalls(session, clock, select(session, LocationRef{0, LocationId(1)}), Task())
              == spanByLooking(session, clock, [](auto number, auto location, auto) {
                     return number == 0 && location == 1;
                 }));
        CHECK_FALSE(spanOfSelectedCalls(session, clock, {}, Task()));
    }
}

TEST_CASE("flights of sets of pairs are those of their messages, one by one")
{
    const std::vector<std::vector<RankPair>> sets{{{0, 1}, {1, 0}}, {{1, 0}, {2, 3}, {3, 3}}, {}, {{9, 9}}};
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Experiment experiment = test::randomExperiment(seed);
        const MessageRules rules{{MessageRuleEffect::Hide, *parseAttributeConditions("bytes<50")}};
        const MessageFilter filter = seed % 2 == 0 ? MessageFilter() : MessageFilter(experiment, rules);
        const TimeNs middle = (experiment.trace->extent.begin + experiment.trace->extent.end) / 2;
        for (const std::optional<TimeSpan>& window :
             {std::optional<TimeSpan>(), std::optional(TimeSpan{experiment.trace->extent.begin, middle})}) {
            const auto flights = flightsOf(experiment, sets, window, filter, Task());
            REQUIRE(flights.size() == sets.size());
            for (std::size_t set = 0; set < sets.size(); ++set) {
                double sum = 0, count = 0;
                Flights expected;
                for (const Message& message : experiment.trace->messages) {
                    if (!message.matched() || (window && !window->contains(message.sendTime))) continue;
                    if (seed % 2 != 0 && message.bytes < 50) continue;
                    const auto rankOf = [&](LocationId id) {
                        return static_cast<std::uint32_t>(experiment.definitions.location(id).rank);
                    };
                    const RankPair pair(rankOf(message.sender), rankOf(message.receiver));
                    if (std::find(sets[set].begin(), sets[set].end(), pair) == sets[set].end()) continue;
                    const TimeNs took = message.receiveTime - message.sendTime;
                    sum += static_cast<double>(took);
                    count += 1;
                    expected.longestNs = std::max(expected.longestNs, took);
                    const TimeSpan span{message.sendTime, std::max(message.sendTime, message.receiveTime)};
                    expected.span = expected.span ? expected.span->united(span) : span;
                }
                CHECK(flights[set].longestNs == expected.longestNs);
                CHECK(flights[set].span == expected.span);
                REQUIRE(flights[set].meanNs.has_value() == (count > 0));
                if (count > 0) CHECK(*flights[set].meanNs == Approx(sum / count));
            }
        }
    }
}

}  // namespace skein::detail_spans_test
