// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/message_skip.h"

#include <algorithm>

namespace skein {

MessageSkip::MessageSkip(const Column<Message>& messages)
{
    ColumnBuilder<TimeNs> latestOfBlocks;
    latestOfBlocks.reserve(messages.size() / kBlock + 1);
    for (std::size_t from = 0; from < messages.size(); from += kBlock) {
        TimeNs latest = kNoTime;
        for (std::size_t at = from; at < std::min(from + kBlock, messages.size()); ++at)
            latest = std::max(latest, messages[at].receiveTime);
        latestOfBlocks.push(latest);
    }
    latestReceive_ = latestOfBlocks.finish();
}

std::vector<std::uint32_t> MessageSkip::underWay(const Column<Message>& messages, TimeNs begin, std::size_t limit) const
{
    std::vector<std::uint32_t> found;
    std::size_t at = firstSentAt(messages, begin);
    while (at > 0 && found.size() < limit) {
        if (at % kBlock == 0 && latestReceive_[at / kBlock - 1] < begin) {
            at -= kBlock;
            continue;
        }
        if (messages[--at].receiveTime >= begin) found.push_back(static_cast<std::uint32_t>(at));
    }
    return found;
}

std::uint32_t firstSentAt(const Column<Message>& messages, TimeNs time)
{
    const auto found = std::lower_bound(messages.begin(), messages.end(), time,
                                        [](const Message& message, TimeNs t) { return message.sendTime < t; });
    return static_cast<std::uint32_t>(found - messages.begin());
}

}  // namespace skein
