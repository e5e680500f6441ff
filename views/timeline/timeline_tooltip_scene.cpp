// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "views/common/scene/call_tooltip.h"
#include "views/timeline/timeline_scene.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

std::vector<std::string> aboutMessage(const TimelineData& data, MessageRef reference)
{
    const Experiment& experiment = *data.session.experiments[reference.experiment];
    const Message& message = experiment.trace->messages[reference.index];
    const Definitions& definitions = experiment.definitions;
    std::vector<std::string> lines;
    lines.push_back(fmt::format("Message of {}", formatBytes(static_cast<double>(message.bytes))));
    lines.push_back(fmt::format("{} → {}", displayName(definitions, message.sender), displayName(definitions, message.receiver)));
    lines.push_back(fmt::format("{} under way", formatDuration(static_cast<double>(message.receiveTime - message.sendTime))));
    lines.push_back(fmt::format("sent at {}", exactTime(data.clock.toSession(reference.experiment, message.sendTime))));
    if (message.communicator.valid() && message.communicator.index() < definitions.communicators.size())
        lines.push_back(fmt::format("tag {}, {}", message.tag, definitions.communicators[message.communicator.index()].name));
    return lines;
}

}  // namespace

std::vector<std::string> timelineTooltip(const TimelineData& data, const Hover& hover)
{
    if (hover.message.valid()) return aboutMessage(data, hover.message);
    if (hover.interval.valid()) return callTooltip(data, hover.interval);
    if (!hover.location.valid()) return {};
    const Experiment& experiment = *data.session.experiments[hover.location.experiment];
    return {displayName(experiment.definitions, hover.location.id)};
}

}  // namespace skein
