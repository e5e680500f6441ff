// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/call_tooltip.h"
#include "views/common/scene/calls/message_tooltip.h"
#include "views/timeline/timeline_scene.h"

namespace skein {

std::vector<std::string> timelineTooltip(const TimelineData& data, const Hover& hover)
{
    if (hover.message.valid()) return messageTooltip(data, hover.message);
    if (hover.interval.valid()) return callTooltip(data, hover.interval);
    if (!hover.location.valid()) return {};
    const Experiment& experiment = *data.session.experiments[hover.location.experiment];
    return {displayName(experiment.definitions, hover.location.id)};
}

}  // namespace skein
