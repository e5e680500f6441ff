// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/task.h"
#include "core/trace/events.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein {

/// One end of the messages of a location, sends or receives, in the order of their times there. It knows the
/// range of the other ends' times for every block of 64, so it finds messages that cross a span without
/// reading all before it.
class MessageEnds {
public:
    enum class End : std::uint8_t { Send, Receive };
    static constexpr std::size_t kBlock = 64;

    MessageEnds() = default;
    /// `order`: indexes of matched messages; they are sorted here.
    MessageEnds(const Column<Message>& messages, End end, std::vector<std::uint32_t> order);

    std::size_t size() const { return order_.size(); }
    std::uint32_t operator[](std::size_t at) const { return order_[at]; }
    TimeNs time(const Column<Message>& messages, std::size_t at) const
    {
        return ownTime(messages[order_[at]]);
    }
    /// The first at or after the time. O(log n).
    std::size_t firstAt(const Column<Message>& messages, TimeNs time) const;
    /// Messages that end here outside the span but cross into it: at most `limit` from before the span and as
    /// many from after it, the nearest first.
    std::vector<std::uint32_t> reachingInto(const Column<Message>& messages, TimeSpan span,
                                            std::size_t limit) const;

private:
    struct Reach {
        TimeNs earliest;  ///< of the other ends of a block
        TimeNs latest;
    };

    TimeNs ownTime(const Message& message) const
    {
        return end_ == End::Send ? message.sendTime : message.receiveTime;
    }
    TimeNs otherTime(const Message& message) const
    {
        return end_ == End::Send ? message.receiveTime : message.sendTime;
    }

    End end_ = End::Send;
    std::vector<std::uint32_t> order_;
    std::vector<Reach> reaches_;
};

/// The matched messages that a location sent and received. Messages to itself count as sent.
/// Immutable; safe to read from several threads.
struct LocationMessages {
    MessageEnds sends;
    MessageEnds receives;
    std::vector<LocationId> peers;  ///< the other ends' locations, sorted

    std::size_t size() const { return sends.size() + receives.size(); }
};

/// `messages` are sorted by send time. O(all messages). Incomplete after a stop request: discard it.
LocationMessages messagesOf(const Column<Message>& messages, LocationId location, const Task& task);

}  // namespace skein
