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

/// Finds the messages that are under way in a span of time without looking at all sent before it, and counts
/// messages without looking at each: for blocks of 256 messages it knows when they were sent and received.
/// Immutable; reading from several threads is safe.
class MessageSkip {
public:
    static constexpr std::size_t kBlock = 256;

    /// Block b: messages [b · kBlock, (b + 1) · kBlock), as far as there are so many.
    struct Block {
        TimeNs firstSend = kNoTime;
        TimeNs lastSend = kNoTime;
        TimeNs earliestReceive = kNoTime;  ///< kNoTime: none was received
        TimeNs latestReceive = kNoTime;
        std::uint64_t received = 0;
    };

    MessageSkip() = default;
    /// `messages` are sorted by send time. O(messages). After a stop request it is incomplete and to be
    /// dropped.
    explicit MessageSkip(const Column<Message>& messages, const Task& task = {});

    /// The first message that was sent at or after the time. Looks at the messages of one block. O(log n).
    std::uint32_t firstSentAt(const Column<Message>& messages, TimeNs time) const;
    /// Has the system read what firstSentAt() will look at, where that is on a disk.
    void expect(const Column<Message>& messages, TimeNs time) const;

    /// The messages sent before the span whose receive lies in it or after it, at most `limit`, the last sent
    /// first.
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
