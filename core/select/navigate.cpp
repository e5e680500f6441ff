// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/navigate.h"

#include "core/select/translate.h"

#include <algorithm>
#include <tuple>

namespace skein {
namespace {

const CallIntervals& callsBeside(const Session& session, IntervalRef call)
{
    return session.experiments[call.experiment]->trace->locations[call.location.index()].intervals;
}

IntervalRef callOrNone(std::uint32_t experiment, LocationId location, std::uint32_t interval)
{
    return interval == kNoInterval ? IntervalRef() : IntervalRef{experiment, location, interval};
}

MessageEnd sendEnd(std::uint32_t experiment, std::uint32_t index, const Message& message)
{
    return {{experiment, index},
            {experiment, message.sender},
            message.sendTime,
            callOrNone(experiment, message.sender, message.sendInterval)};
}

MessageEnd receiveEnd(std::uint32_t experiment, std::uint32_t index, const Message& message)
{
    return {{experiment, index},
            {experiment, message.receiver},
            message.receiveTime,
            callOrNone(experiment, message.receiver, message.receiveInterval)};
}

std::optional<MessageEnd> otherEndOf(const Session& session, MessageRef reference,
                                     const std::vector<IntervalRef>& calls)
{
    const Message& message = session.experiments[reference.experiment]->trace->messages[reference.index];
    if (!message.matched()) return std::nullopt;
    const MessageEnd sent = sendEnd(reference.experiment, reference.index, message);
    const MessageEnd received = receiveEnd(reference.experiment, reference.index, message);
    const bool atReceive = calls.size() == 1 && calls.front() == received.call;
    return atReceive ? sent : received;
}

std::optional<MessageEnd> otherEndOf(const Session& session, IntervalRef call)
{
    const Column<Message>& messages = session.experiments[call.experiment]->trace->messages;
    std::optional<std::uint32_t> received, sent;
    for (std::uint32_t index = 0; index < messages.size(); ++index) {
        const Message& message = messages[index];
        if (!message.matched()) continue;
        if (message.receiver == call.location && message.receiveInterval == call.index
            && (!received || messages[*received].receiveTime < message.receiveTime))
            received = index;
        if (!sent && message.sender == call.location && message.sendInterval == call.index) sent = index;
    }
    if (received) return sendEnd(call.experiment, *received, messages[*received]);
    if (sent) return receiveEnd(call.experiment, *sent, messages[*sent]);
    return std::nullopt;
}

}  // namespace

IntervalRef neighbourCall(const Session& session, IntervalRef call, Direction direction)
{
    if (!exists(session, call)) return {};
    const CallTree& tree = *session.experiments[call.experiment]->callTree;
    const CallIntervals& calls = callsBeside(session, call);
    const RegionId wanted = tree.region(CallPathId(calls.callPath[call.index]));
    const auto matches = [&](std::uint32_t index) {
        return tree.region(CallPathId(calls.callPath[index])) == wanted;
    };
    if (direction == Direction::Forward) {
        for (std::uint32_t index = call.index + 1; index < calls.size(); ++index)
            if (matches(index)) return {call.experiment, call.location, index};
        return {};
    }
    for (std::uint32_t index = call.index; index-- > 0;)
        if (matches(index)) return {call.experiment, call.location, index};
    return {};
}

std::optional<MessageEnd> otherEnd(const Session& session, const Selection& selected)
{
    for (const MessageRef& message : selected.messages)
        if (exists(session, message)) return otherEndOf(session, message, selected.intervals);
    for (const IntervalRef& call : selected.intervals)
        if (exists(session, call)) return otherEndOf(session, call);
    return std::nullopt;
}

Selection selectionAt(const Session& session, const MessageEnd& end)
{
    Selection selected = end.call.valid() ? select(session, end.call) : select(session, end.location);
    selected.messages = {end.message};
    return selected;
}

std::vector<Mark> withMark(std::vector<Mark> marks, const Mark& added)
{
    const auto key = [](const Mark& mark) { return std::tuple(mark.span.begin, mark.span.end); };
    const auto place = std::lower_bound(marks.begin(), marks.end(), added,
                                        [&](const Mark& a, const Mark& b) { return key(a) < key(b); });
    if (place != marks.end() && key(*place) == key(added)) place->note = added.note;
    else marks.insert(place, added);
    return marks;
}

std::vector<Mark> withoutMark(std::vector<Mark> marks, TimeSpan span)
{
    std::erase_if(marks, [&](const Mark& mark) { return mark.span == span; });
    return marks;
}

}  // namespace skein
