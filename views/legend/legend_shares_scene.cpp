// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend/legend_shares_scene.h"

#include "core/session/dominant_regions.h"

#include <utility>

namespace skein {
namespace {

OwnTimeShares partsOfWhole(OwnTimeShares times)
{
    double whole = 0;
    for (const auto& [name, time] : times) whole += time;
    if (whole > 0)
        for (auto& [name, time] : times) time /= whole;
    return times;
}

}  // namespace

OwnTimeShares ownTimeShares(const Session& session)
{
    OwnTimeShares times;
    for (const ExperimentPtr& experiment : session.experiments) {
        const RegionOwnTimes known = regionOwnTimes(*experiment);
        for (const RegionOwnTime& own : *known) times[own.name] += own.time;
    }
    return partsOfWhole(std::move(times));
}

std::vector<Filter> withoutRegions(std::vector<Filter> filters)
{
    for (Filter& filter : filters) filter.regions.clear();
    std::erase_if(filters, [](const Filter& filter) { return filter.locations.empty() && !filter.span; });
    return filters;
}

Result<OwnTimeShares> ownTimeSharesOf(const Session& session, const ProfileQuery& query, const Task& task)
{
    OwnTimeShares times;
    const SessionProfiles profiles(session, query);
    const auto add = [&](std::uint32_t index, const Task& part) -> std::optional<Error> {
        if (!profiles.canTell(index)) return std::nullopt;
        const Experiment& experiment = *session.experiments[index];
        const auto found = profiles.of(index, part);
        if (!found) return found.error();
        if (!found->column || !isTime(experiment, found->cube(), *found->column)) return std::nullopt;
        for (const RegionRow& row :
             profileByRegion(experiment, *found->profile, *found->column, found->locations))
            if (!row.breakdown && !row.regions.empty())
                times[displayName(experiment.definitions.region(row.regions.front()))] +=
                    row.values.exclusive;
        return std::nullopt;
    };
    const auto done = forEachExperiment(session, task, add);
    if (!done) return Unexpected(done.error());
    return partsOfWhole(std::move(times));
}

}  // namespace skein
