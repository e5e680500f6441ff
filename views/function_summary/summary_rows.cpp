// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/function_summary/summary_rows.h"

#include "algorithms/profile/summarize.h"

namespace skein {
namespace {

std::optional<Error> add(SummaryRows& into, const Session& session, std::uint32_t index,
                         const std::optional<TimeSpan>& window, const Task& task)
{
    const Experiment& experiment = *session.experiments[index];
    if (!experiment.trace && (!experiment.profile || window)) {
        into.someWithoutTimes = into.someWithoutTimes || experiment.profile;
        return std::nullopt;
    }
    const auto profile = profileOf(experiment, window, task);
    if (!profile) return profile.error();
    const auto column = metricColumn(experiment, **profile, {});
    if (!column) return std::nullopt;
    for (RegionRow& region : profileByRegion(experiment, **profile, *column)) {
        into.totalExclusive += region.values.exclusive;
        into.rows.push_back({index, std::move(region)});
    }
    return std::nullopt;
}

}  // namespace

Result<SummaryRows> makeSummaryRows(const Session& session, const SessionClock& clock, const std::optional<TimeSpan>& span,
                                    const Task& task)
{
    SummaryRows result;
    result.wholeRun = !span;
    const auto count = static_cast<double>(session.experiments.size());
    for (std::uint32_t index = 0; index < session.experiments.size(); ++index) {
        std::optional<TimeSpan> window;
        if (span) window = clock.toExperiment(index, *span);
        const auto error = add(result, session, index, window, task.part(index / count, (index + 1) / count));
        if (task.stopRequested()) return cancelled();
        if (error) return tl::make_unexpected(*error);
    }
    return result;
}

}  // namespace skein
