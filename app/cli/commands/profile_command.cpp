// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/commands/derived_profile.h"
#include "app/cli/commands/profile_rows.h"
#include "app/cli/output/text.h"
#include "app/cli/print_rows.h"

#include <fmt/format.h>
#include <numeric>

namespace skein::cli {
namespace {

/// The groups that rows stand for, of locations that recorded something; nullopt: rows stand for locations.
Result<std::optional<SeriesEntities>> groupsOf(const Experiment& experiment, const Profile& profile,
                                               const ProfileOptions& options)
{
    if (!options.isGrouped()) return std::nullopt;
    std::vector<bool> silent(experiment.definitions.locations.size());
    for (std::size_t id = 0; id < silent.size(); ++id)
        silent[id] = scopeSize(experiment, profile, std::vector<LocationId>{LocationId(id)}) == 0;
    auto groups = seriesEntities(experiment.definitions, seriesGrouping(options.groupBy), silent);
    if (!groups) return Unexpected(groups.error());
    return std::optional(std::move(*groups));
}

Result<PreparedProfile> prepare(const OpenSession& opened, std::size_t index, const ProfileOptions& options,
                                const Task& task)
{
    const Experiment& experiment = *opened.session.experiments[index];
    const auto window = windowOf(opened, index, options.window);
    if (!window) return tl::make_unexpected(window.error());
    auto profile = profileOf(experiment, *window, options.metric, task);
    if (!profile) return tl::make_unexpected(std::move(profile.error()));
    const auto column = metricColumn(experiment, **profile, options.metric);
    if (!column) return tl::make_unexpected(column.error());
    auto groups = groupsOf(experiment, **profile, options);
    if (!groups) return Unexpected(groups.error());
    const MetricCube& cube =
        (*profile)->regions.metrics.empty() ? (*profile)->callPaths : (*profile)->regions;
    return PreparedProfile{*profile, *column, isTime(experiment, cube, *column),
                           cube.metrics.empty() ? "TIME" : metricName(experiment, cube, *column),
                           std::move(*groups)};
}

/// Calls that the window cuts, of all call paths.
void tellCut(const Experiment& experiment, const Profile& profile, Sink& err)
{
    const Column<double>& cut = profile.callPaths.durations.cut;
    const double calls = std::accumulate(cut.begin(), cut.end(), 0.0);
    if (calls == 0.0) return;
    err.write(
        fmt::format("skein-cli: the window cuts {:.0f} calls of {}: their parts inside are in the times, "
                    "but not in mean, min, max and σ.\n",
                    calls, printable(experiment.path.string())));
}

void tellMetric(const Experiment& experiment, const std::string& metric, Sink& err)
{
    err.write(fmt::format("skein-cli: {} has no time: {} is shown. --metric takes another one.\n",
                          printable(experiment.path.string()), printable(metric)));
}

Result<ExitCode> derivedProfile(const OpenSession& opened, const ProfileOptions& options,
                                const Invocation& invocation)
{
    if (options.ofRegions())
        return printDerivedProfile(
            opened,
            {options.metric, options.window, options.by == ProfileBy::Region, options.top, options.format},
            invocation);
    return fail(ErrorCode::InvalidArgument, "Expressions are worked out --by region or --by callpath.");
}

Result<void> checkGrouping(const ProfileOptions& options)
{
    if (!options.isGrouped()) return {};
    if (options.ofRegions())
        return fail(ErrorCode::InvalidArgument,
                    "--group-by goes with --by location and --by region-location.");
    if (seriesGrouping(options.groupBy).entity == SeriesEntity::Communicator)
        return fail(ErrorCode::InvalidArgument,
                    "Locations are in several communicators: --group-by takes no communicators.");
    return {};
}

Result<ExitCode> profile(const ProfileOptions& options, const Invocation& invocation)
{
    if (const auto possible = checkGrouping(options); !possible) return Unexpected(possible.error());
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    if (isDerivedMetric(*opened, options.metric)) return derivedProfile(*opened, options, invocation);
    std::vector<PreparedProfile> prepared;
    for (std::size_t index = 0; index < opened->labels.size(); ++index) {
        const ExperimentPtr& experiment = opened->session.experiments[index];
        auto one = prepare(*opened, index, options, invocation.task);
        if (!one) return tl::make_unexpected(std::move(one.error()));
        if (options.by == ProfileBy::CallPath && isFlat(*one->profile))
            invocation.err.write(fmt::format(
                "skein-cli: {} is a flat profile: every region is shown as a call path of its own. "
                "TAU_CALLPATH=1 records who called whom.\n",
                printable(experiment->path.string())));
        tellCut(*experiment, *one->profile, invocation.err);
        if (options.metric.empty() && !one->time) tellMetric(*experiment, one->metric, invocation.err);
        prepared.push_back(std::move(*one));
    }
    return printRows(*opened, options.format, profileFields(options, prepared), invocation,
                     [&](std::size_t index, const Emit& emit) {
                         return emitProfileRows(*opened->session.experiments[index], prepared[index], options,
                                                emit);
                     });
}

Action defineProfile(CommandLine& line)
{
    auto options = std::make_shared<ProfileOptions>();
    addPaths(line, options->paths);
    addChoice<ProfileBy>(line, "--by", options->by,
                         {{"callpath", ProfileBy::CallPath},
                          {"region", ProfileBy::Region},
                          {"location", ProfileBy::Location},
                          {"region-location", ProfileBy::RegionLocation}},
                         "What a row is; region, the default, merges regions of one name");
    line.option("--group-by", options->groupBy,
                "What stands for locations in --by location and region-location: location (the default), "
                "process, node, component, or a class of the archive's system tree")
        .valueName("LEVEL");
    line.option("--metric", options->metric,
                "Another metric than the time (see skein-cli metrics), or an expression: time.inc / calls")
        .valueName("M");
    addWindow(line, options->window);
    line.option("--top", options->top, "Only the first N rows").valueName("N");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return profile(*options, invocation); };
}

}  // namespace

Command profileCommand()
{
    return {
        "profile", "Where the time went: calls, inclusive and exclusive time, of traces and profiles",
        "  skein-cli profile trace.otf2 --top 10                      the ten costliest regions\n"
        "  skein-cli profile trace.otf2 --by callpath                 the calling context tree\n"
        "  skein-cli profile trace.otf2 --by location --window 1s:2s  one second, a row a location\n"
        "  skein-cli profile trace.otf2 --by region-location --format csv   a matrix: is it balanced?\n"
        "  skein-cli profile trace.otf2 --by region-location --group-by node   and are its nodes?\n"
        "  skein-cli profile profiles/ --metric PAPI_TOT_CYC          another metric than the time\n"
        "  skein-cli profile run1/ --metric 'imbalance(time.inc)'     worked out of others "
        "(docs/QUERIES.md)\n"
        "  skein-cli profile run1/ run2/ --format csv                 two runs, told apart by `experiment`\n"
        "\n"
        "Values are sums over all locations. The inclusive time of a recursive region counts its\n"
        "outermost calls. Rows that break another row down (samples, call sites) have `breakdown` true:\n"
        "what they took stands in that row and counts in no sum. In a window, times are the parts of\n"
        "calls inside it, and a call counts when it overlaps it. Mean, min, max and σ are of single\n"
        "calls that the window does not cut; profiles have the mean only. What a profile without times\n"
        "shows is named. Max/mean divides the inclusive amount of the location with most by the mean over\n"
        "all locations, those without a call counting 0; lost is the maximum less the mean.\n"
        "A trace's metrics are told by call where they were sampled at every enter and leave.\n",
        defineProfile};
}

}  // namespace skein::cli
