// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cut_experiment.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace skein::test {

Experiment cutAt(const Experiment& experiment, TimeNs end)
{
    Experiment cut = experiment;
    Trace trace = *cut.trace;
    for (LocationTrace& location : trace.locations) {
        const CallIntervals& calls = location.intervals;
        const auto kept = static_cast<std::size_t>(
            std::lower_bound(calls.begin.begin(), calls.begin.end(), end) - calls.begin.begin());
        std::vector<TimeNs> begins(calls.begin.begin(), calls.begin.begin() + kept),
            ends(calls.end.begin(), calls.end.begin() + kept);
        for (TimeNs& each : ends) each = std::min(each, end);
        location.intervals = {
            Column<TimeNs>(begins), Column<TimeNs>(ends),
            Column<std::uint32_t>(std::vector(calls.callPath.begin(), calls.callPath.begin() + kept)),
            Column<std::uint16_t>(std::vector(calls.depth.begin(), calls.depth.begin() + kept))};
        location.extent.end = std::min(location.extent.end, end);
    }
    std::vector<Message> messages;
    for (Message message : trace.messages) {
        if (message.sendTime >= end) continue;
        if (message.matched() && message.receiveTime >= end) {
            message.receiveTime = kNoTime;
            message.receiveInterval = kNoInterval;
        }
        messages.push_back(message);
    }
    trace.messages = Column<Message>(std::move(messages));
    std::vector<CollectiveOperation> operations;
    std::vector<CollectiveMember> members(trace.collectiveMembers.begin(), trace.collectiveMembers.end());
    for (CollectiveOperation operation : trace.collectives) {
        const auto first = members.begin() + static_cast<std::ptrdiff_t>(operation.firstMember);
        const auto last = first + operation.memberCount;
        operation.end = std::min(operation.end, end);
        if (std::all_of(first, last, [end](const CollectiveMember& each) { return each.begin < end; }))
            operations.push_back(operation);
        for (auto each = first; each != last; ++each) each->end = std::min(each->end, end);
    }
    trace.collectives = Column<CollectiveOperation>(std::move(operations));
    trace.collectiveMembers = Column<CollectiveMember>(std::move(members));
    trace.extent.end = end;
    cut.trace = std::make_shared<const Trace>(std::move(trace));
    return cut;
}

}  // namespace skein::test
