// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/selected_span.h"

#include "core/select/translate.h"

#include <fmt/format.h>

namespace skein {

std::optional<TimeSpan> spanOfSelected(const TimelineData& data, const Selection& selected)
{
    std::optional<TimeSpan> around;
    const auto include = [&](std::uint32_t experiment, TimeSpan span) {
        const TimeSpan session = data.clock.toSession(experiment, span);
        around = around ? around->united(session) : session;
    };
    for (const IntervalRef& call : selected.intervals)
        if (exists(data.session, call))
            include(call.experiment,
                    data.session.experiments[call.experiment]
                        ->trace->locations[call.location.index()]
                        .intervals.span(call.index));
    for (const MessageRef& reference : selected.messages) {
        if (!exists(data.session, reference)) continue;
        const Message& message =
            data.session.experiments[reference.experiment]->trace->messages[reference.index];
        if (message.matched()) include(reference.experiment, {message.sendTime, message.receiveTime});
    }
    return around;
}

std::string noOtherCall(const Session& session, IntervalRef call, Direction direction)
{
    const Experiment& experiment = *session.experiments[call.experiment];
    const CallPathId path(experiment.trace->locations[call.location.index()].intervals.callPath[call.index]);
    return fmt::format("{} has no {} call of {}", displayName(experiment.definitions, call.location),
                       direction == Direction::Forward ? "later" : "earlier",
                       displayName(experiment.definitions.region(experiment.callTree->region(path))));
}

}  // namespace skein
