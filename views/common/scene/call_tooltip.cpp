// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/call_tooltip.h"

#include "core/base/units.h"
#include "views/common/scene/call_stack.h"
#include "views/common/scene/time_axis.h"

#include <fmt/format.h>
#include <optional>

namespace skein {
namespace {

/// Inclusive time minus that of the calls directly below. O(calls below); nullopt where these are too many to
/// count while the pointer moves.
std::optional<TimeNs> ownTime(const CallIntervals& calls, std::uint32_t call)
{
    constexpr std::uint32_t kMostCalls = 200'000;
    TimeNs own = calls.end[call] - calls.begin[call];
    for (std::uint32_t below = call + 1; below < calls.size() && calls.depth[below] > calls.depth[call];
         ++below) {
        if (below - call > kMostCalls) return std::nullopt;
        if (calls.depth[below] == calls.depth[call] + 1) own -= calls.end[below] - calls.begin[below];
    }
    return own;
}

}  // namespace

std::string tooltipText(const std::string& text)
{
    return elideMiddle(text, 90, FontStyle::Normal, ApproximateTextMeasure(1 / 0.6));
}

std::vector<std::string> callTooltip(const TimelineData& data, IntervalRef interval)
{
    const Experiment& experiment = *data.session.experiments[interval.experiment];
    const CallIntervals& calls = experiment.trace->locations[interval.location.index()].intervals;
    const Region& region = experiment.definitions.region(
        experiment.callTree->region(CallPathId(calls.callPath[interval.index])));
    const TimeSpan span = calls.span(interval.index);
    std::vector<std::string> lines{tooltipText(displayName(region))};
    const auto own = ownTime(calls, interval.index);
    lines.push_back(own ? fmt::format("{}, own time {}", formatDuration(static_cast<double>(span.lengthNs())),
                                      formatDuration(static_cast<double>(*own)))
                        : formatDuration(static_cast<double>(span.lengthNs())));
    const TimeSpan shown = data.clock.toSession(interval.experiment, span);
    lines.push_back(fmt::format("from {} to {}", exactTime(shown.begin), exactTime(shown.end)));
    lines.push_back(displayName(experiment.definitions, interval.location));
    if (!region.sourceFile.empty())
        lines.push_back(tooltipText(fmt::format("{}:{}", region.sourceFile, region.beginLine)));
    return lines;
}

}  // namespace skein
