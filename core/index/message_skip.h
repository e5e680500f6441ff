// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/task.h"
#include "core/trace/events.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein::disk {
struct Fields;
}

namespace skein {

/// Finds the messages in flight during a span without reading all that were sent before, and counts messages
/// without reading each one. It knows the first and last times of every block of 256 messages. Immutable;
/// safe to read from several threads.
class MessageSkip {
public:
    static constexpr std::size_t kBlock = 256;

    /// Block b: messages [b · kBlock, (b + 1) · kBlock); the last block may be shorter.
    struct Block {
        TimeNs firstSend = kNoTime;
        TimeNs lastSend = kNoTime;
        TimeNs earliestReceive = kNoTime;  ///< kNoTime: none was received
        TimeNs latestReceive = kNoTime;
        std::uint64_t received = 0;
    };

    MessageSkip() = default;
    /// `messages` are sorted by send time. O(messages). Incomplete after a stop request: discard it.
    explicit MessageSkip(const Column<Message>& messages, const Task& task = {});

    /// The first message sent at or after the time. Reads the messages of one block. O(log n).
    std::uint32_t firstSentAt(const Column<Message>& messages, TimeNs time) const;
    /// Asks the system to read what firstSentAt() needs, if it is on disk.
    void expect(const Column<Message>& messages, TimeNs time) const;

    /// The messages sent before `begin` and received at or after it, the last sent first; at most `limit`.
    std::vector<std::uint32_t> underWay(const Column<Message>& messages, TimeNs begin,
                                        std::size_t limit) const;

    const Column<Block>& blocks() const { return blocks_; }
    std::size_t bytes() const { return blocks_.bytes(); }

private:
    friend struct disk::Fields;
    std::size_t blockBefore(TimeNs time) const;

    Column<Block> blocks_;
};

}  // namespace skein
