// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/location_messages.h"

#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <set>

namespace skein::location_messages_test {

TEST_CASE("the messages of a location are its matched sends and receives, each by its time there")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Experiment experiment = test::randomExperiment(seed, {.messages = 300});
        const auto& messages = experiment.trace->messages;
        for (std::uint32_t id = 0; id < experiment.definitions.locations.size(); ++id) {
            const LocationId location(id);
            const LocationMessages found = messagesOf(messages, location, Task());
            std::set<std::uint32_t> sent, received;
            std::set<LocationId> peers;
            for (std::uint32_t at = 0; at < messages.size(); ++at) {
                const Message& message = messages[at];
                if (!message.matched()) continue;
                if (message.sender == location) sent.insert(at), peers.insert(message.receiver);
                else if (message.receiver == location) received.insert(at), peers.insert(message.sender);
            }
            CHECK(found.peers == std::vector(peers.begin(), peers.end()));
            for (const auto& [ends, wanted] :
                 {std::pair(&found.sends, sent), std::pair(&found.receives, received)}) {
                std::set<std::uint32_t> listed;
                for (std::size_t at = 0; at < ends->size(); ++at) {
                    listed.insert((*ends)[at]);
                    if (at > 0) CHECK(ends->time(messages, at - 1) <= ends->time(messages, at));
                }
                CHECK(listed == wanted);
            }
        }
    }
}

TEST_CASE("messages that only reach into a span are found from both of its sides, the nearest first")
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.processes = 3, .intervalsPerLocation = 400, .messages = 2000});
        const auto& messages = experiment.trace->messages;
        const LocationMessages found = messagesOf(messages, LocationId(1), Task());
        const TimeNs whole = experiment.trace->extent.end;
        for (const TimeSpan span :
             {TimeSpan{whole / 3, whole / 2}, TimeSpan{0, whole + 1}, TimeSpan{whole / 2, whole / 2 + 10}}) {
            for (const bool sends : {true, false}) {
                const MessageEnds& ends = sends ? found.sends : found.receives;
                std::set<std::uint32_t> wanted;
                for (std::size_t at = 0; at < ends.size(); ++at) {
                    const Message& message = messages[ends[at]];
                    const TimeNs own = sends ? message.sendTime : message.receiveTime;
                    const TimeNs other = sends ? message.receiveTime : message.sendTime;
                    if ((own < span.begin && other >= span.begin) || (own >= span.end && other < span.end))
                        wanted.insert(ends[at]);
                }
                const auto reaching = ends.reachingInto(messages, span, 10'000);
                CHECK(std::set(reaching.begin(), reaching.end()) == wanted);
                CHECK(reaching.size() == wanted.size());
                CHECK(ends.reachingInto(messages, span, 2).size() <= 4);
            }
        }
    }
}

}  // namespace skein::location_messages_test
