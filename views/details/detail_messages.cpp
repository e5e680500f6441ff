// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_messages.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/common/scene/axes/time_axis.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace skein {
namespace {

class MessageRows {
public:
    MessageRows(const Session& session, const ViewState& state)
        : session_(session), clock_(sessionClock(session, state.clockShiftsNs))
    {
    }

    void add(DetailTable& table, MessageRef ref) const
    {
        const Message& message = session_.experiments[ref.experiment]->trace->messages[ref.index];
        const bool matched = message.matched();
        const auto flightNs = static_cast<double>(matched ? message.receiveTime - message.sendTime : 0);
        const auto bytes = static_cast<double>(message.bytes);
        table.rows.push_back({name(ref.experiment, message.sender),
                              message.receiver.valid() ? name(ref.experiment, message.receiver) : "unknown",
                              formatBytes(bytes), at(ref.experiment, message.sendTime),
                              matched ? at(ref.experiment, message.receiveTime) : "never",
                              matched ? formatDuration(flightNs) : "–",
                              flightNs > 0 ? formatBytes(bytes * 1e9 / flightNs) + "/s" : "–",
                              fmt::format("{}", message.tag)});
        const TimeSpan span{message.sendTime, matched ? message.receiveTime : message.sendTime + 1};
        table.spans.push_back(clock_.toSession(ref.experiment, span));
    }

private:
    std::string at(std::uint32_t index, TimeNs time) const
    {
        return exactTime(clock_.toSession(index, time));
    }
    std::string name(std::uint32_t index, LocationId id) const
    {
        const Experiment& owner = *session_.experiments[index];
        std::string text = displayName(owner.definitions, id);
        return session_.experiments.size() < 2 ? text : owner.name + ": " + text;
    }

    const Session& session_;
    const SessionClock clock_;
};

}  // namespace

std::vector<DetailTable> messageDetails(const Session& session, const ViewState& state)
{
    const std::vector<MessageRef>& messages = state.selected.messages;
    if (messages.size() < 2) return {};
    DetailTable table{
        "Messages", {"From", "To", "Size", "Sent", "Received", "Under way", "Bandwidth", "Tag"}, {}, 0, {}};
    const MessageRows rows(session, state);
    for (const MessageRef& message : messages) {
        if (!exists(session, message)) continue;
        if (table.rows.size() < kMostDetailRows) rows.add(table, message);
        else ++table.left;
    }
    if (table.rows.empty()) return {};
    return {std::move(table)};
}

}  // namespace skein
