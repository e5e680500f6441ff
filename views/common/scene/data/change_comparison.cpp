// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/change_comparison.h"

#include "algorithms/calltree/compare_runs.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

/// Seconds that the locations of a table spent in a span together.
double secondsOf(const MeasuredTable& table, TimeSpan span)
{
    return static_cast<double>(span.lengthNs()) / 1e9
        * static_cast<double>(std::max<std::size_t>(1, table.locations));
}

std::string pathText(const CallTable& table, std::size_t node)
{
    std::string text;
    for (const auto& name : table.path(node)) {
        if (!text.empty()) text += " => ";
        text += name;
    }
    return text;
}

void addCallPaths(const MeasuredTable& table, std::uint32_t node, std::uint32_t experiment,
                  std::vector<CallPathRef>& to)
{
    if (node >= table.callPaths.size()) return;
    for (const CallPathId id : table.callPaths[node]) to.push_back({experiment, id});
}

}  // namespace

Result<ChangeComparison> compareAroundChange(const Session& session, const SessionBehavior& behavior,
                                             std::size_t change, const Task& task)
{
    ChangeComparison found;
    found.periods = periodsAround(behavior, change);
    if (found.periods.before.lengthNs() <= 0 || found.periods.after.lengthNs() <= 0)
        return fail(ErrorCode::NotRecorded, "There is no time on one side of this change.");
    const std::uint32_t number = behavior.request.experiment;
    const Experiment& experiment = *session.experiments[number];
    const SessionClock clock = sessionClock(session, behavior.request.clockShiftsNs);
    std::vector<MeasuredTable> tables;
    for (const TimeSpan& span : {found.periods.before, found.periods.after}) {
        const double from = tables.empty() ? 0.0 : 0.5;
        auto table = measuredTable(experiment, {clock.toExperiment(number, span), {}}, {"", false, false},
                                   task.part(from, from + 0.5));
        if (!table) return Unexpected(table.error());
        tables.push_back(std::move(*table));
    }
    const auto compared = compareRuns({{&tables[0]}}, {{&tables[1]}}, {});
    if (!compared) return fail(ErrorCode::NotRecorded, "The periods cannot be compared: they have no time.");
    const double before = secondsOf(tables[0], found.periods.before);
    const double after = secondsOf(tables[1], found.periods.after);
    for (std::size_t node = 0; node < compared->changes.size(); ++node) {
        ChangedPath path{pathText(compared->joint.table, node),
                         std::string(compared->joint.table.name(node)),
                         {},
                         compared->changes[node].a / before,
                         compared->changes[node].b / after};
        if (path.before == 0 && path.after == 0) continue;
        for (std::size_t run = 0; run < tables.size(); ++run)
            if (compared->joint.has(run, node))
                addCallPaths(tables[run], compared->joint.nodeOf[run][node], number, path.callPaths);
        std::sort(path.callPaths.begin(), path.callPaths.end());
        path.callPaths.erase(std::unique(path.callPaths.begin(), path.callPaths.end()), path.callPaths.end());
        found.paths.push_back(std::move(path));
    }
    std::stable_sort(found.paths.begin(), found.paths.end(), [](const ChangedPath& a, const ChangedPath& b) {
        return std::abs(a.difference()) > std::abs(b.difference());
    });
    return found;
}

}  // namespace skein
