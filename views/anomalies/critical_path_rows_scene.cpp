// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/critical_path_rows_scene.h"

#include "algorithms/anomaly/functions_of_calls.h"
#include "core/session/experiment_titles.h"

#include <algorithm>

namespace skein {
namespace {

TableCell timeCell(TimeNs ns) { return static_cast<double>(ns); }

void addRowsOf(std::uint32_t number, const Experiment& experiment, const CriticalPath& path,
               const std::string& prefix, std::vector<CriticalPathRow>& rows)
{
    const double whole = static_cast<double>(std::max<TimeNs>(1, path.lengthNs));
    const auto first = static_cast<std::ptrdiff_t>(rows.size());
    const TableCell none = std::string();
    for (std::size_t i = 0; i < path.functions.size(); ++i) {
        const CriticalFunction& each = path.functions[i];
        const bool isDefined = each.function < experiment.definitions.regions.size();
        rows.push_back(
            {isDefined ? RegionRef{number, RegionId(each.function)} : RegionRef(),
             {prefix + functionName(experiment.definitions, each.function), timeCell(each.criticalNs),
              static_cast<double>(each.criticalNs) / whole, each.averageNs, each.imbalanceNs, each.costNs,
              i < path.gainsOf ? timeCell(each.gainNs) : none}});
    }
    for (const auto& [name, ns] : {std::pair("(before the first call)", path.beforeCallsNs),
                                   std::pair("(outside of all calls)", path.outsideCallsNs)})
        if (ns > 0)
            rows.push_back(
                {{}, {prefix + name, timeCell(ns), static_cast<double>(ns) / whole, none, none, none, none}});
    std::stable_sort(rows.begin() + first, rows.end(),
                     [](const CriticalPathRow& a, const CriticalPathRow& b) {
                         return std::get<double>(a.cells[1]) > std::get<double>(b.cells[1]);
                     });
}

}  // namespace

std::vector<CriticalPathRow> criticalPathRows(const Session& session, const SessionCriticalPath& paths)
{
    std::vector<CriticalPathRow> rows;
    const auto titles = experimentTitles(session);
    for (std::uint32_t i = 0; i < session.experiments.size(); ++i)
        if (const TraceCriticalPath* of = paths.of(i))
            addRowsOf(i, *session.experiments[i], of->path,
                      session.experiments.size() > 1 ? titles[i] + ": " : std::string(), rows);
    return rows;
}

}  // namespace skein
