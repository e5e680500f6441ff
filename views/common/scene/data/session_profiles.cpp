// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_profiles.h"

#include "algorithms/profile/restrict.h"
#include "core/select/filters.h"
#include "core/select/metric_choice.h"
#include "views/common/scene/data/shared_results.h"

namespace skein {

SessionProfiles::SessionProfiles(const Session& session, const ProfileQuery& query)
    : session_(session), query_(query), span_(query.span), clock_(sessionClock(session, query.clockShiftsNs))
{
    if (const auto kept = keptSpan(query.filters)) span_ = span_ ? span_->intersected(*kept) : *kept;
}

std::optional<TimeSpan> SessionProfiles::spanOf(std::uint32_t experiment) const
{
    return span_ ? std::optional(clock_.toExperiment(experiment, *span_)) : std::nullopt;
}

bool SessionProfiles::canTell(std::uint32_t experiment) const
{
    const Experiment& asked = *session_.experiments[experiment];
    return asked.trace || (asked.profile && !span_);
}

Result<QueriedProfile> SessionProfiles::of(std::uint32_t experiment, const Task& task) const
{
    const Experiment& asked = *session_.experiments[experiment];
    const std::string metric = profileMetricName(session_, query_.metric);
    const ProfilePart part{spanOf(experiment), keptLocations(session_, experiment, query_.filters), metric};
    auto profile = query_.results
        ? profileOfPart(*query_.results, session_.experiments[experiment], part, task)
        : profileOfPart(asked, part, task);
    if (!profile) return tl::make_unexpected(profile.error());
    auto column = metricColumn(asked, **profile, metric);
    QueriedProfile found{std::move(*profile), std::move(column)};
    found.locations = part.locations;
    const bool timeWanted = metric.empty() && query_.metric != kCallsMetric;
    if (timeWanted && found.column && !isTime(asked, found.cube(), *found.column))
        found.insteadOfTime = metricName(asked, found.cube(), *found.column);
    return found;
}

Result<void> forEachExperiment(const Session& session, const Task& task,
                               const std::function<std::optional<Error>(std::uint32_t, const Task&)>& add)
{
    const auto count = static_cast<double>(session.experiments.size());
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const auto error = add(number, task.part(number / count, (number + 1) / count));
        if (task.stopRequested()) return cancelled();
        if (error) return tl::make_unexpected(*error);
    }
    return {};
}

}  // namespace skein
