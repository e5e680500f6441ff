// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/message_skip.h"

#include "core/base/read_ahead.h"

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
            block.earliestReceive =
                block.received == 0 ? received : std::min(block.earliestReceive, received);
            block.latestReceive = std::max(block.latestReceive, received);
            ++block.received;
        }
        blocks.push(block);
    }
    blocks_ = blocks.finish();
}

std::vector<std::uint32_t> MessageSkip::underWay(const Column<Message>& messages, TimeNs begin,
                                                 std::size_t limit) const
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

/// The last block that begins before the time; 0 where none does.
std::size_t MessageSkip::blockBefore(TimeNs time) const
{
    const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), time,
                                        [](const Block& block, TimeNs t) { return block.firstSend < t; });
    return static_cast<std::size_t>(found - blocks_.begin()) - (found == blocks_.begin() ? 0 : 1);
}

std::uint32_t MessageSkip::firstSentAt(const Column<Message>& messages, TimeNs time) const
{
    const std::size_t first = blockBefore(time) * kBlock;
    const auto* const end = messages.begin() + std::min(first + kBlock, messages.size());
    const auto* const found =
        std::lower_bound(messages.begin() + first, end, time,
                         [](const Message& message, TimeNs t) { return message.sendTime < t; });
    return static_cast<std::uint32_t>(found - messages.begin());
}

void MessageSkip::expect(const Column<Message>& messages, TimeNs time) const
{
    readAhead(messages, blockBefore(time) * kBlock, kBlock);
}

}  // namespace skein
