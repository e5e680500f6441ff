// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/navigate.h"

#include "core/select/translate.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <memory>

namespace skein::navigate_test {

namespace {

Session randomSession(std::uint64_t seed)
{
    return {{std::make_shared<const Experiment>(test::randomExperiment(seed))}};
}

const CallIntervals& callsOf(const Session& session, LocationId location)
{
    return session.experiments[0]->trace->locations[location.index()].intervals;
}

}  // namespace

TEST_CASE("stepping through the calls of a region meets every one of them in order and leads back")
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Session session = randomSession(seed);
        const Experiment& experiment = *session.experiments[0];
        for (std::uint32_t location = 0; location < experiment.trace->locations.size(); ++location) {
            const CallIntervals& calls = callsOf(session, LocationId(location));
            std::vector<std::vector<std::uint32_t>> byRegion(experiment.definitions.regions.size());
            for (std::uint32_t call = 0; call < calls.size(); ++call)
                byRegion[experiment.callTree->region(CallPathId(calls.callPath[call])).index()].push_back(
                    call);
            for (const auto& expected : byRegion)
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    const IntervalRef here{0, LocationId(location), expected[i]};
                    const IntervalRef next = neighbourCall(session, here, Direction::Forward);
                    REQUIRE(next.valid() == (i + 1 < expected.size()));
                    if (next.valid()) CHECK(next.index == expected[i + 1]);
                    if (next.valid()) CHECK(neighbourCall(session, next, Direction::Backward) == here);
                }
            if (calls.size() > 0)
                CHECK_FALSE(
                    neighbourCall(session, {0, LocationId(location), 0}, Direction::Backward).valid());
        }
    }
    CHECK_FALSE(neighbourCall(randomSession(1), {7, LocationId(0), 0}, Direction::Forward).valid());
}

TEST_CASE("a jump along a message leads to its receive, the next one to its send, and so on")
{
    const Session session = randomSession(3);
    const auto& messages = session.experiments[0]->trace->messages;
    int jumped = 0;
    for (std::uint32_t index = 0; index < messages.size(); ++index) {
        const Message& message = messages[index];
        const auto first = otherEnd(session, select(session, MessageRef{0, index}));
        CHECK(first.has_value() == message.matched());
        // With one call only, that one is where the jump begins.
        if (!first || message.sendInterval == kNoInterval || message.receiveInterval == kNoInterval) continue;
        const IntervalRef sender{0, message.sender, message.sendInterval},
            receiver{0, message.receiver, message.receiveInterval};
        if (sender == receiver) continue;
        CHECK(first->time == message.receiveTime);
        CHECK(first->location.id == message.receiver);
        const auto second = otherEnd(session, selectionAt(session, *first));
        REQUIRE(second);
        CHECK(second->call == sender);
        CHECK(otherEnd(session, selectionAt(session, *second))->call == receiver);
        ++jumped;
    }
    CHECK(jumped > 10);
}

TEST_CASE("a jump from a call follows the message it received last, else the first it sent")
{
    const Session session = randomSession(5);
    const auto& messages = session.experiments[0]->trace->messages;
    int followed = 0;
    for (std::uint32_t location = 0; location < session.experiments[0]->trace->locations.size(); ++location)
        for (std::uint32_t call = 0; call < callsOf(session, LocationId(location)).size(); ++call) {
            std::optional<std::uint32_t> received, sent;
            for (std::uint32_t index = 0; index < messages.size(); ++index) {
                if (!messages[index].matched()) continue;
                const bool in = messages[index].receiver == LocationId(location)
                    && messages[index].receiveInterval == call;
                if (in && (!received || messages[index].receiveTime > messages[*received].receiveTime))
                    received = index;
                if (messages[index].sender == LocationId(location) && messages[index].sendInterval == call
                    && !sent)
                    sent = index;
            }
            Selection selected;
            selected.intervals = {{0, LocationId(location), call}};
            const auto end = otherEnd(session, selected);
            REQUIRE(end.has_value() == (received.has_value() || sent.has_value()));
            if (!end) continue;
            CHECK(end->message.index == received.value_or(sent.value_or(0)));
            CHECK(end->location.id == (received ? messages[*received].sender : messages[*sent].receiver));
            ++followed;
        }
    CHECK(followed > 10);
    CHECK_FALSE(otherEnd(session, {}).has_value());
}

TEST_CASE("marks stay sorted, and a second one on the same span changes the note")
{
    std::vector<Mark> marks;
    marks = withMark(marks, {{50, 50}, "b"});
    marks = withMark(marks, {{10, 90}, "a"});
    marks = withMark(marks, {{50, 40 + 20}, "c"});
    REQUIRE(marks.size() == 3);
    CHECK(marks[0].note == "a");
    CHECK(marks[1].note == "b");
    CHECK(marks[2].note == "c");
    marks = withMark(marks, {{50, 50}, "new"});
    CHECK(marks.size() == 3);
    CHECK(marks[1].note == "new");
}

}  // namespace skein::navigate_test
