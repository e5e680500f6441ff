// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_critical_path.h"

#include "algorithms/anomaly/functions_of_calls.h"
#include "core/base/units.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

double percentOf(TimeNs part, TimeNs whole)
{
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Result<TraceCriticalPath> traceCriticalPath(const Experiment& experiment, const Task& task)
{
    auto path = criticalPath(experiment, FunctionsOfCalls(experiment), kGainsOfPath, task);
    if (!path) return tl::make_unexpected(path.error());
    TraceCriticalPath of{std::move(*path), {}};
    of.byLocation.assign(experiment.trace->locations.size(), 0);
    for (const PathPiece& piece : of.path.pieces)
        of.byLocation[piece.location.index()] += piece.span.lengthNs();
    return of;
}

std::string criticalPathText(const Experiment& experiment, const TraceCriticalPath& of)
{
    const CriticalPath& path = of.path;
    if (path.lengthNs <= 0 || of.byLocation.empty()) return {};
    std::string text = fmt::format("Critical path {} through {} of {} process{}",
                                   formatDuration(static_cast<double>(path.lengthNs)), path.processesOnPath,
                                   path.processes, path.processes == 1 ? "" : "es");
    const auto most = std::max_element(of.byLocation.begin(), of.byLocation.end());
    text += fmt::format(
        ": {:.0f} % on {}", percentOf(*most, path.lengthNs),
        displayName(experiment.definitions, LocationId(std::size_t(most - of.byLocation.begin()))));
    if (!path.functions.empty())
        text += fmt::format(", {:.0f} % in {}", percentOf(path.functions[0].criticalNs, path.lengthNs),
                            functionName(experiment.definitions, path.functions[0].function));
    if (path.contradiction) text += "; clocks contradict each other, it stops there";
    return text;
}

}  // namespace skein
