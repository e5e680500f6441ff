// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/message_skip.h"

#include <algorithm>

namespace skein {

MessageSkip::MessageSkip(const Column<Message>& messages, const Task& task)
{
    ColumnBuilder<Block> blocks;
    blocks.reserve(messages.size() / kBlock + 1);
    for (std::size_t from = 0; from < messages.size(); from += kBlock) {
        if (task.stopRequested()) return;
        const std::size_t to = std::min(from + kBlock, messages.size());
        Block block{messages[from].sendTime, messages[to - 1].sendTime, kNoTime, kNoTime, 0};
        for (std::size_t at = from; at < to; ++at) {
            const TimeNs received = messages[at].receiveTime;
            if (received == kNoTime) continue;
            block.earliestReceive = block.received == 0 ? received : std::min(block.earliestReceive, received);
            block.latestReceive = std::max(block.latestReceive, received);
            ++block.received;
        }
        blocks.push(block);
    }
    blocks_ = blocks.finish();
}

std::vector<std::uint32_t> MessageSkip::underWay(const Column<Message>& messages, TimeNs begin, std::size_t limit) const
{
    std::vector<std::uint32_t> found;
    std::size_t at = firstSentAt(messages, begin);
    while (at > 0 && found.size() < limit) {
        if (at % kBlock == 0 && blocks_[at / kBlock - 1].latestReceive < begin) {
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
