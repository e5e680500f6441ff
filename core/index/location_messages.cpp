// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/location_messages.h"

#include <algorithm>
#include <set>
#include <utility>

namespace skein {

MessageEnds::MessageEnds(const Column<Message>& messages, End end, std::vector<std::uint32_t> order)
    : end_(end), order_(std::move(order))
{
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t left, std::uint32_t right) {
        return ownTime(messages[left]) < ownTime(messages[right]);
    });
    for (std::size_t at = 0; at < order_.size(); ++at) {
        const TimeNs other = otherTime(messages[order_[at]]);
        if (at % kBlock == 0) reaches_.push_back({other, other});
        reaches_.back() = {std::min(reaches_.back().earliest, other),
                           std::max(reaches_.back().latest, other)};
    }
}

std::size_t MessageEnds::firstAt(const Column<Message>& messages, TimeNs time) const
{
    const auto found =
        std::lower_bound(order_.begin(), order_.end(), time,
                         [&](std::uint32_t index, TimeNs t) { return ownTime(messages[index]) < t; });
    return static_cast<std::size_t>(found - order_.begin());
}

std::vector<std::uint32_t> MessageEnds::reachingInto(const Column<Message>& messages, TimeSpan span,
                                                     std::size_t limit) const
{
    std::vector<std::uint32_t> found;
    for (std::size_t at = firstAt(messages, span.begin); at > 0 && found.size() < limit;) {
        if (at % kBlock == 0 && reaches_[at / kBlock - 1].latest < span.begin) at -= kBlock;
        else if (otherTime(messages[order_[--at]]) >= span.begin) found.push_back(order_[at]);
    }
    const std::size_t most = found.size() + limit;
    for (std::size_t at = firstAt(messages, span.end); at < order_.size() && found.size() < most;) {
        if (at % kBlock == 0 && reaches_[at / kBlock].earliest >= span.end) at += kBlock;
        else if (const std::uint32_t index = order_[at++]; otherTime(messages[index]) < span.end)
            found.push_back(index);
    }
    return found;
}

LocationMessages messagesOf(const Column<Message>& messages, LocationId location, const Task& task)
{
    constexpr std::size_t kStep = 1 << 16;
    LocationMessages result;
    std::vector<std::uint32_t> sent, received;
    std::set<LocationId> peers;
    for (std::size_t at = 0; at < messages.size(); ++at) {
        if (at % kStep == 0 && task.stopRequested()) return result;
        const Message& message = messages[at];
        if ((message.sender != location && message.receiver != location) || !message.matched()) continue;
        const bool sends = message.sender == location;
        (sends ? sent : received).push_back(static_cast<std::uint32_t>(at));
        peers.insert(sends ? message.receiver : message.sender);
    }
    result.peers.assign(peers.begin(), peers.end());
    result.sends = MessageEnds(messages, MessageEnds::End::Send, std::move(sent));
    result.receives = MessageEnds(messages, MessageEnds::End::Receive, std::move(received));
    return result;
}

}  // namespace skein
