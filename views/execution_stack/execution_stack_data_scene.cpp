// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/execution_stack/execution_stack_data_scene.h"

#include "algorithms/anomaly/execution_tree.h"

#include <algorithm>
#include <map>

namespace skein {
namespace {

struct FoundStackMessage {
    StackMessage message;
    LocationId other;
};

/// Every message whose call on this side lies in the execution. False: stopped.
bool findStackMessages(const Trace& trace, const StackedExecution& execution,
                       std::vector<FoundStackMessage>& found, const Task& task)
{
    const CallIntervals& calls = trace.locations[execution.of.location.index()].intervals;
    const std::uint16_t outer = calls.depth[execution.of.index];
    const auto add = [&](std::uint32_t number, bool sent) {
        const Message& message = trace.messages[number];
        const std::uint32_t call = sent ? message.sendInterval : message.receiveInterval;
        if (call == kNoInterval || call < execution.of.index || call >= execution.end) return;
        FoundStackMessage each;
        each.other = sent ? message.receiver : message.sender;
        each.message.message = {execution.of.experiment, number};
        each.message.time = (sent ? message.sendTime : message.receiveTime) - execution.span.begin;
        each.message.otherTime = (sent ? message.receiveTime : message.sendTime) - execution.span.begin;
        each.message.level = static_cast<std::uint32_t>(calls.depth[call] - outer);
        each.message.sent = sent;
        found.push_back(each);
    };
    for (std::uint32_t number = 0; number < trace.messages.size(); ++number) {
        if (number % kRowsBetweenQuestions == 0 && task.stopRequested()) return false;
        const Message& message = trace.messages[number];
        if (!message.matched()) continue;
        if (message.sender == execution.of.location) add(number, true);
        if (message.receiver == execution.of.location) add(number, false);
    }
    return true;
}

void choosePeers(StackedExecution& execution, const std::vector<FoundStackMessage>& found)
{
    std::map<LocationId, std::uint64_t> counts;
    for (const FoundStackMessage& each : found) ++counts[each.other];
    std::vector<std::pair<std::uint64_t, LocationId>> order;
    for (const auto& [peer, count] : counts) order.emplace_back(count, peer);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    execution.otherPeers = order.size() > kMostStackPeers;
    if (execution.otherPeers) order.resize(kMostStackPeers - 1);
    for (const auto& [count, peer] : order) execution.peers.push_back(peer);
    std::sort(execution.peers.begin(), execution.peers.end());
}

void addStackMessages(StackedExecution& execution, std::vector<FoundStackMessage> found)
{
    choosePeers(execution, found);
    execution.allMessages = found.size();
    std::stable_sort(found.begin(), found.end(), [](const FoundStackMessage& a, const FoundStackMessage& b) {
        return a.message.time < b.message.time;
    });
    // Of too many every n-th, so that all of the time has its share.
    const std::size_t every = found.size() / kMostStackMessages + 1;
    for (std::size_t i = 0; i < found.size(); i += every) {
        const auto peer = std::lower_bound(execution.peers.begin(), execution.peers.end(), found[i].other);
        const bool own = peer != execution.peers.end() && *peer == found[i].other;
        found[i].message.peer = static_cast<std::uint32_t>(
            own ? static_cast<std::size_t>(peer - execution.peers.begin()) : execution.peers.size());
        execution.messages.push_back(found[i].message);
    }
}

}  // namespace

Result<ExecutionStackDataPtr> stackExecutions(const SessionAnomalies& anomalies, const Selection& selected,
                                              const std::vector<CallVerdict>& verdicts, const Task& task)
{
    auto data = std::make_shared<ExecutionStackData>();
    data->session = anomalies.session;
    data->selected = selected.intervals.size();
    for (const IntervalRef& of : executionsToShow(anomalies, selected, kMostStacked)) {
        const Trace& trace = *anomalies.session->experiments[of.experiment]->trace;
        const CallIntervals& calls = trace.locations[of.location.index()].intervals;
        StackedExecution execution;
        execution.of = of;
        execution.span = calls.span(of.index);
        execution.end = endOfExecution(calls, of.index);
        for (std::uint32_t call = of.index; call < execution.end; ++call)
            execution.levels =
                std::max<std::uint32_t>(execution.levels, calls.depth[call] - calls.depth[of.index] + 1U);
        std::vector<FoundStackMessage> found;
        if (!findStackMessages(trace, execution, found, task)) return cancelled();
        addStackMessages(execution, std::move(found));
        for (const LabelledCall& each : labelledCalls(anomalies, of.experiment, verdicts))
            if (each.call.location == of.location && each.call.index >= of.index
                && each.call.index < execution.end)
                execution.odd.push_back(each);
        data->longestNs = std::max(data->longestNs, execution.span.lengthNs());
        data->executions.push_back(std::move(execution));
    }
    return ExecutionStackDataPtr(std::move(data));
}

const CallIntervals& callsOfStack(const ExecutionStackData& data, const StackedExecution& execution)
{
    return data.session->experiments[execution.of.experiment]
        ->trace->locations[execution.of.location.index()]
        .intervals;
}

std::string stackPeerName(const ExecutionStackData& data, const StackedExecution& execution, std::size_t peer)
{
    if (peer >= execution.peers.size()) return "others";
    return displayName(data.session->experiments[execution.of.experiment]->definitions,
                       execution.peers[peer]);
}

}  // namespace skein
