// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/message_skip.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <random>

namespace skein::message_skip_test {

TEST_CASE("the first message sent at or after a time is that of all messages, whatever blocks they are in")
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        std::vector<Message> all(1 + random() % (5 * MessageSkip::kBlock));
        for (Message& message : all)
            message.sendTime =
                static_cast<TimeNs>(random() % (seed % 2 == 0 ? 40 : 100'000));  // many at once, or few
        std::sort(all.begin(), all.end(),
                  [](const Message& left, const Message& right) { return left.sendTime < right.sendTime; });
        const Column<Message> messages(all);
        const MessageSkip skip(messages);
        for (int question = 0; question < 200; ++question) {
            const TimeNs time = question == 0 ? -1
                : question == 1               ? 200'000
                                              : static_cast<TimeNs>(random() % 110'000) >> (random() % 12);
            const auto wanted = std::find_if(all.begin(), all.end(),
                                             [&](const Message& message) { return message.sendTime >= time; })
                - all.begin();
            skip.expect(messages, time);
            REQUIRE(skip.firstSentAt(messages, time) == static_cast<std::uint32_t>(wanted));
        }
    }
}

TEST_CASE("of no messages none is the first")
{
    const MessageSkip skip{Column<Message>()};
    skip.expect({}, 5);
    CHECK(skip.firstSentAt({}, 5) == 0);
}

}  // namespace skein::message_skip_test
