// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/call_tooltip.h"

#include "core/base/units.h"
#include "core/trace/nested_calls.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/calls/call_stack.h"

#include <fmt/format.h>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kMostCalls = 200'000;  ///< that are counted while the pointer moves
constexpr double kCallTooltipLetters =
    42;  ///< of a line: a tooltip of five is then sent over X in less than 100 KiB

/// "Rank 3, solver.cpp:120"; the folder stands in *Details*.
std::string whereCalled(const Definitions& definitions, LocationId location, const Region& region)
{
    std::string place = displayName(definitions, location);
    if (region.sourceFile.empty()) return place;
    const std::string& file = region.sourceFile;
    return fmt::format("{}, {}:{}", place, file.substr(file.find_last_of("/\\") + 1), region.beginLine);
}

}  // namespace

std::string tooltipText(const std::string& text, double letters)
{
    return elideMiddle(text, letters, FontStyle::Normal, ApproximateTextMeasure(1 / 0.6));
}

std::vector<std::string> callTooltip(const TimelineData& data, IntervalRef interval)
{
    const Experiment& experiment = *data.session.experiments[interval.experiment];
    const CallIntervals& calls = experiment.trace->locations[interval.location.index()].intervals;
    const Region& region = experiment.definitions.region(
        experiment.callTree->region(CallPathId(calls.callPath[interval.index])));
    const TimeSpan span = calls.span(interval.index);
    std::vector<std::string> lines{tooltipText(displayName(region), kCallTooltipLetters)};
    const TimeSpan shown = data.clock.toSession(interval.experiment, span);
    std::string times =
        fmt::format("{} at {}", formatDuration(static_cast<double>(span.lengthNs())), exactTime(shown.begin));
    if (const auto inCallees = timeInCallees(calls, interval.index, kMostCalls); inCallees.value_or(0) > 0)
        times += fmt::format(", own {}", formatDuration(static_cast<double>(span.lengthNs() - *inCallees)));
    lines.push_back(std::move(times));
    lines.push_back(
        tooltipText(whereCalled(experiment.definitions, interval.location, region), kCallTooltipLetters));
    return lines;
}

}  // namespace skein
