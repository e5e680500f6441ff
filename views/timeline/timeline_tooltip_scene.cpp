// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "views/timeline/timeline_scene.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

/// Inclusive time minus that of the calls directly below. O(calls below); nullopt where these are too many to count
/// while the pointer moves.
std::optional<TimeNs> ownTime(const CallIntervals& calls, std::uint32_t call)
{
    constexpr std::uint32_t kMostCalls = 200'000;
    TimeNs own = calls.end[call] - calls.begin[call];
    for (std::uint32_t below = call + 1; below < calls.size() && calls.depth[below] > calls.depth[call]; ++below) {
        if (below - call > kMostCalls) return std::nullopt;
        if (calls.depth[below] == calls.depth[call] + 1) own -= calls.end[below] - calls.begin[below];
    }
    return own;
}

std::string shortened(const std::string& text)
{
    return elideMiddle(text, 90, FontStyle::Normal, ApproximateTextMeasure(1 / 0.6));
}

std::vector<std::string> aboutMessage(const Experiment& experiment, const Message& message)
{
    const Definitions& definitions = experiment.definitions;
    std::vector<std::string> lines;
    lines.push_back(fmt::format("Message of {}", formatBytes(static_cast<double>(message.bytes))));
    lines.push_back(fmt::format("{} → {}", displayName(definitions, message.sender), displayName(definitions, message.receiver)));
    lines.push_back(fmt::format("{} under way", formatDuration(static_cast<double>(message.receiveTime - message.sendTime))));
    lines.push_back(fmt::format("sent at {}", exactTime(message.sendTime)));
    if (message.communicator.valid() && message.communicator.index() < definitions.communicators.size())
        lines.push_back(fmt::format("tag {}, {}", message.tag, definitions.communicators[message.communicator.index()].name));
    return lines;
}

std::vector<std::string> aboutCall(const TimelineData& data, IntervalRef interval)
{
    const Experiment& experiment = *data.session.experiments[interval.experiment];
    const CallIntervals& calls = experiment.trace->locations[interval.location.index()].intervals;
    const Region& region = experiment.definitions.region(experiment.callTree->region(CallPathId(calls.callPath[interval.index])));
    const TimeSpan span = calls.span(interval.index);
    std::vector<std::string> lines{shortened(displayName(region))};
    const auto own = ownTime(calls, interval.index);
    lines.push_back(own ? fmt::format("{}, own time {}", formatDuration(static_cast<double>(span.lengthNs())),
                                      formatDuration(static_cast<double>(*own)))
                        : formatDuration(static_cast<double>(span.lengthNs())));
    const TimeSpan shown = data.clock.toSession(interval.experiment, span);
    lines.push_back(fmt::format("from {} to {}", exactTime(shown.begin), exactTime(shown.end)));
    lines.push_back(displayName(experiment.definitions, interval.location));
    if (!region.sourceFile.empty()) lines.push_back(shortened(fmt::format("{}:{}", region.sourceFile, region.beginLine)));
    return lines;
}

}  // namespace

std::vector<std::string> timelineTooltip(const TimelineData& data, const Hover& hover)
{
    if (hover.message.valid()) {
        const Experiment& experiment = *data.session.experiments[hover.message.experiment];
        return aboutMessage(experiment, experiment.trace->messages[hover.message.index]);
    }
    if (hover.interval.valid()) return aboutCall(data, hover.interval);
    if (!hover.location.valid()) return {};
    const Experiment& experiment = *data.session.experiments[hover.location.experiment];
    return {displayName(experiment.definitions, hover.location.id)};
}

}  // namespace skein
