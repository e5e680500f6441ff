// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/message_tooltip.h"

#include "core/base/units.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/calls/call_stack.h"
#include "views/common/scene/calls/call_tooltip.h"

#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kNameLetters = 15;  ///< of which two stand in a line
constexpr double kLineLetters = 42;

/// "MPI_Send 12 µs"; empty where the end lay outside of all calls.
std::string aboutCall(const TimelineData& data, IntervalRef call)
{
    if (call.index == kNoInterval || !canBeDrawn(data, call)) return {};
    const Experiment& experiment = *data.session.experiments[call.experiment];
    const CallIntervals& calls = callsOf(data, {call.experiment, call.location});
    const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[call.index]));
    if (!region.valid()) return {};
    return tooltipText(displayName(experiment.definitions.region(region)), kNameLetters) + " "
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
                                tooltipText(displayName(definitions, message.sender), kNameLetters),
                                tooltipText(displayName(definitions, message.receiver), kNameLetters)));
    if (data.session.experiments.size() > 1)
        lines.push_back(tooltipText("in " + experiment.name, kLineLetters));
    lines.push_back(fmt::format("{} under way, sent at {}",
                                formatDuration(static_cast<double>(message.receiveTime - message.sendTime)),
                                exactTime(data.clock.toSession(reference.experiment, message.sendTime))));
    const std::string sends = aboutCall(data, {reference.experiment, message.sender, message.sendInterval});
    const std::string receives =
        aboutCall(data, {reference.experiment, message.receiver, message.receiveInterval});
    if (!sends.empty() && !receives.empty()) lines.push_back(fmt::format("{} → {}", sends, receives));
    if (message.communicator.valid() && message.communicator.index() < definitions.communicators.size())
        lines.push_back(tooltipText(fmt::format("tag {}, {}", message.tag,
                                                definitions.communicators[message.communicator.index()].name),
                                    kLineLetters));
    return lines;
}

}  // namespace skein
