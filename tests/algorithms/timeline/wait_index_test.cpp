// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/wait_index.h"

#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <random>
#include <tuple>

namespace skein::wait_index_test {

namespace {

/// Waits that may overlap and begin together, on some of the locations.
WaitStates randomWaits(std::mt19937& random, std::size_t count)
{
    std::vector<WaitState> states;
    for (std::size_t i = 0; i < count; ++i) {
        WaitState state;
        state.begin = random() % 1000;
        state.end = state.begin + 1 + (random() % 10 == 0 ? random() % 400 : random() % 8);
        state.location = LocationId(static_cast<std::uint32_t>(random() % 3 * 2));
        state.cause = LocationId(static_cast<std::uint32_t>(random() % 6));
        state.interval = static_cast<std::uint32_t>(random() % 5);
        states.push_back(state);
    }
    std::sort(states.begin(), states.end(), [](const WaitState& a, const WaitState& b) {
        return std::tuple(a.location, a.begin, a.interval) < std::tuple(b.location, b.begin, b.interval);
    });
    return {Column<WaitState>(std::move(states)), 0};
}

}  // namespace

TEST_CASE("an index of wait states finds by location and time what a look at all of them finds")
{
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
        const WaitStates waits = randomWaits(random, round * 7u);
        const WaitIndex index(waits);
        for (std::uint32_t location = 0; location < 7; ++location) {
            const auto [first, end] = index.spans().rowsOf(LocationId(location));
            const auto here =
                std::count_if(waits.states.begin(), waits.states.end(),
                              [&](const WaitState& state) { return state.location == LocationId(location); });
            REQUIRE(static_cast<std::ptrdiff_t>(end - first) == here);
            for (TimeNs time = -5; time < 1500; time += 13) {
                std::size_t ending = first, beginning = first;
                while (ending < end && waits.states[ending].end <= time) ++ending;
                while (beginning < end && waits.states[beginning].begin < time) ++beginning;
                REQUIRE(index.spans().firstEndingAfter(LocationId(location), time) == ending);
                REQUIRE(index.spans().firstBeginningAt(index.found().states, LocationId(location), time)
                        == beginning);
            }
            for (std::uint32_t interval = 0; interval < 5; ++interval) {
                TimeNs longest = 0;
                for (std::size_t number = first; number < end; ++number) {
                    const WaitState& state = waits.states[number];
                    if (state.interval == interval && state.begin >= 100 && state.begin < 600)
                        longest = std::max(longest, state.lengthNs());
                }
                const WaitState* found = index.ofCall(LocationId(location), interval, {100, 600});
                REQUIRE((found ? found->lengthNs() : 0) == longest);
            }
        }
    }
}

TEST_CASE("wait states of spans side by side sum up to all of them")
{
    std::mt19937 random(4);
    const WaitStates waits = randomWaits(random, 300);
    TimeNs all = 0, parts = 0;
    for (const WaitState& state : waits.states) all += state.lengthNs();
    for (TimeNs from = 0; from < 2000; from += 77) {
        const WaitStates part = waitsWithin(waits, {from, from + 77});
        for (const WaitState& state : part.states) {
            REQUIRE(state.begin >= from);
            REQUIRE(state.end <= from + 77);
            parts += state.lengthNs();
        }
    }
    CHECK(parts == all);
}

TEST_CASE("wait states for messages that are as wanted are those of the message that was waited for longest")
{
    const MessageRules rules{{MessageRuleEffect::Hide, *parseAttributeConditions("tag=1; bytes<2500")}};
    std::size_t kept = 0, left = 0, collective = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Experiment experiment = test::randomExperiment(seed, {.messages = 200, .collectives = 12});
        const WaitStates all = findWaitStates(experiment, Task()).value();
        const WaitStates some = waitsForMessages(all, *experiment.trace, MessageFilter(experiment, rules));
        auto next = some.states.begin();
        for (const WaitState& state : all.states) {
            const bool inCollective = state.message == kNoMessage;
            if (!inCollective) {
                const Message& message = experiment.trace->messages[state.message];
                if (message.tag == 1 && message.bytes < 2500) {
                    ++left;
                    continue;
                }
            }
            REQUIRE(next != some.states.end());
            CHECK(next->message == state.message);
            CHECK((next->location == state.location && next->interval == state.interval));
            ++next;
            ++(inCollective ? collective : kept);
        }
        CHECK(next == some.states.end());
        CHECK(waitsForMessages(all, *experiment.trace, {}).states.size() == all.states.size());
    }
    CHECK(kept > 0);
    CHECK(left > 0);
    CHECK(collective > 0);
}

}  // namespace skein::wait_index_test
