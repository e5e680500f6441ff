// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/message_tooltip.h"

#include "core/base/units.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/calls/call_stack.h"

#include <fmt/format.h>

namespace skein {
namespace {

/// "MPI_Send 12 µs"; empty where the end lay outside of all calls.
std::string aboutCall(const TimelineData& data, IntervalRef call)
{
    if (call.index == kNoInterval || !canBeDrawn(data, call)) return {};
    const Experiment& experiment = *data.session.experiments[call.experiment];
    const CallIntervals& calls = callsOf(data, {call.experiment, call.location});
    const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[call.index]));
    if (!region.valid()) return {};
    return displayName(experiment.definitions.region(region)) + " "
        + formatDuration(static_cast<double>(calls.span(call.index).lengthNs()));
}

}  // namespace

std::vector<std::string> messageTooltip(const TimelineData& data, MessageRef reference)
{
    const Experiment& experiment = *data.session.experiments[reference.experiment];
    const Message& message = experiment.trace->messages[reference.index];
    const Definitions& definitions = experiment.definitions;
    std::vector<std::string> lines;
    lines.push_back(fmt::format("Message of {}, {} → {}", formatBytes(static_cast<double>(message.bytes)),
                                displayName(definitions, message.sender),
                                displayName(definitions, message.receiver)));
    if (data.session.experiments.size() > 1) lines.push_back("in " + experiment.name);
    lines.push_back(fmt::format("{} under way, sent at {}",
                                formatDuration(static_cast<double>(message.receiveTime - message.sendTime)),
                                exactTime(data.clock.toSession(reference.experiment, message.sendTime))));
    const std::string sends = aboutCall(data, {reference.experiment, message.sender, message.sendInterval});
    const std::string receives =
        aboutCall(data, {reference.experiment, message.receiver, message.receiveInterval});
    if (!sends.empty() && !receives.empty()) lines.push_back(fmt::format("{} → {}", sends, receives));
    if (message.communicator.valid() && message.communicator.index() < definitions.communicators.size())
        lines.push_back(fmt::format("tag {}, {}", message.tag,
                                    definitions.communicators[message.communicator.index()].name));
    return lines;
}

}  // namespace skein
