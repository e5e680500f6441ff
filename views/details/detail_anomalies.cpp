// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_anomalies.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/scene/data/shared_results.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace skein {
namespace {

/// "6.2 ms, 84 times the usual": of what was lost against the function's median.
std::string lostText(const FoundAnomalies& found, const JudgedCall& call)
{
    const auto of = std::find_if(found.functions.begin(), found.functions.end(),
                                 [&](const FunctionVerdicts& one) { return one.function == call.function; });
    const std::string lost = formatDuration(static_cast<double>(call.severityNs));
    if (of == found.functions.end() || of->medianNs <= 0) return lost;
    return fmt::format("{}, {:.3g} × the median of {}", lost,
                       static_cast<double>(call.severityNs) / of->medianNs, formatDuration(of->medianNs));
}

void addAnomaly(DetailTable& table, const Session& session, IntervalRef call, const FoundAnomalies& found,
                const JudgedCall& judged)
{
    const Definitions& definitions = session.experiments[call.experiment]->definitions;
    const std::string region =
        displayName(definitions.region(regionOf(session, callPathOf(session, call)).id));
    const bool anomaly = judged.label == AnomalyLabel::Anomaly;
    table.rows.push_back(
        {region, displayName(definitions, call.location), anomaly ? "anomaly" : "consequence",
         fmt::format("{:.3f}", judged.score), lostText(found, judged),
         anomaly ? formatDuration(static_cast<double>(judged.costNs)) : "–", std::string(whyOf(judged))});
}

}  // namespace

std::vector<DetailTable> anomalyDetails(const DetailRequest& request, const Task& task)
{
    const auto& calls = request.state.selected.intervals;
    if (calls.empty()) return {};
    const SessionAnomaliesPtr known = knownAnomalies(*request.results, request.session, request.anomalyRules);
    if (!known) return {};
    DetailTable table{
        "Anomalies", {"Call", "Location", "Is", "Score", "Severity", "Cost others", "Why"}, {}, 0, {}};
    for (std::size_t number = 0; number < known->found.size(); ++number) {
        if (!known->found[number]) continue;
        for (const JudgedCall& judged : known->found[number]->calls) {
            if (task.stopRequested()) return {};
            const IntervalRef call{static_cast<std::uint32_t>(number), judged.location, judged.call};
            if (!std::binary_search(calls.begin(), calls.end(), call) || !exists(*request.session, call))
                continue;
            if (table.rows.size() < kMostDetailRows)
                addAnomaly(table, *request.session, call, *known->found[number], judged);
            else ++table.left;
        }
    }
    if (table.rows.empty()) return {};
    return {std::move(table)};
}

}  // namespace skein
