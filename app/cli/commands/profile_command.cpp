// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/output/text.h"
#include "app/cli/print_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

enum class ProfileBy { CallPath, Location, Region };

struct ProfileOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    ProfileBy by = ProfileBy::Region;
    std::string metric;
    std::string window;
    std::size_t top = 0;  ///< 0: all
};

/// A profile that is ready to be printed.
struct Prepared {
    std::shared_ptr<const Profile> profile;
    std::size_t column = 0;
    bool time = true;
};

FieldKind amountKind(bool time) { return time ? FieldKind::Duration : FieldKind::Number; }

void appendAmounts(std::vector<Field>& fields, bool time)
{
    const std::string unit = time ? "_ns" : "";
    fields.push_back({"calls", "Calls", FieldKind::Count});
    fields.push_back({"inclusive" + unit, "Inclusive", amountKind(time)});
    fields.push_back({"exclusive" + unit, "Exclusive", amountKind(time)});
    fields.push_back({"exclusive_percent", "Exclusive %", FieldKind::Percent});
}

void appendDurations(std::vector<Field>& fields, bool time)
{
    const std::string unit = time ? "_ns" : "";
    fields.push_back({"mean" + unit, "Mean", amountKind(time)});
    fields.push_back({"min" + unit, "Min", amountKind(time)});
    fields.push_back({"max" + unit, "Max", amountKind(time)});
    fields.push_back({"stddev" + unit, "σ", amountKind(time)});
    fields.push_back({"locations", "Locations", FieldKind::Count});
}

/// Tables have the name at the end: numbers stay together, however long a C++ signature is.
template <typename Value>
std::vector<Value> arranged(std::vector<Value> values, const ProfileOptions& options)
{
    if (options.format == Format::Table && options.by != ProfileBy::Location)
        std::rotate(values.begin(), values.begin() + 1, values.end());
    return values;
}

std::vector<Field> columnsOf(const ProfileOptions& options, bool time)
{
    std::vector<Field> fields{{"name", "Region", FieldKind::Text}};
    switch (options.by) {
    case ProfileBy::Region: fields.push_back({"group", "Group", FieldKind::Text}); break;
    case ProfileBy::CallPath:
        fields[0].title = "Call path";
        if (options.format != Format::Table) {
            fields.push_back({"path", "Path", FieldKind::Text});
            fields.push_back({"depth", "Depth", FieldKind::Count});
        }
        break;
    case ProfileBy::Location:
        fields[0].title = "Location";
        fields.push_back({"rank", "Rank", FieldKind::Id});
        fields.push_back({"thread", "Thread", FieldKind::Id});
        fields.push_back({"regions", "Regions", FieldKind::Count});
        break;
    }
    appendAmounts(fields, time);
    if (options.by != ProfileBy::Location) appendDurations(fields, time);
    return arranged(std::move(fields), options);
}

void appendAmounts(std::vector<Cell>& cells, const ProfileValues& values, double whole)
{
    cells.emplace_back(values.calls);
    cells.emplace_back(cleanNs(values.inclusive));
    cells.emplace_back(cleanNs(values.exclusive));
    cells.emplace_back(whole > 0.0 ? std::round(values.exclusive / whole * 1e5) / 1e3 : 0.0);
}

void appendDurations(std::vector<Cell>& cells, const ProfileValues& values, std::size_t locations)
{
    cells.emplace_back(cleanNs(values.mean()));
    const bool known = values.durations.count > 0.0;
    cells.push_back(known ? Cell(cleanNs(values.durations.minimum)) : Cell());
    cells.push_back(known ? Cell(cleanNs(values.durations.maximum)) : Cell());
    cells.push_back(known ? Cell(cleanNs(values.durations.standardDeviation())) : Cell());
    cells.emplace_back(static_cast<std::uint64_t>(locations));
}

/// What stands for a group where none was recorded: one word for the user's code, however it was
/// instrumented.
std::string groupOf(Paradigm paradigm)
{
    const bool user =
        paradigm == Paradigm::Unknown || paradigm == Paradigm::User || paradigm == Paradigm::Compiler;
    return user ? "User" : std::string(name(paradigm));
}

std::string groupOf(const Experiment& experiment, RegionId id)
{
    const Region& region = experiment.definitions.region(id);
    std::string names;
    for (const RegionGroupId group : region.groups) {
        if (group.index() >= experiment.definitions.regionGroups.size()) continue;
        names += (names.empty() ? "" : " | ") + experiment.definitions.regionGroups[group.index()].name;
    }
    return names.empty() ? groupOf(region.paradigm) : names;
}

/// Whether it is not known who called whom.
bool isFlat(const Profile& profile) { return profile.callPaths.rows() == 0 && profile.regions.rows() > 0; }

/// Tables leave TAU's source position out of names; scripts get them as they are.
std::string nameFor(Format format, const Experiment& experiment, RegionId region)
{
    const Region& found = experiment.definitions.region(region);
    return format == Format::Table ? displayName(found) : found.name;
}

template <typename Rows>
double wholeExclusive(const Rows& rows)
{
    double whole = 0.0;
    for (const auto& row : rows) whole += row.values.exclusive;
    return whole;
}

/// How many of the rows are printed.
std::size_t shown(const ProfileOptions& options, std::size_t rows)
{
    return options.top == 0 ? rows : std::min(rows, options.top);
}

bool emitRegions(const Experiment& experiment, const Prepared& prepared, const ProfileOptions& options,
                 const Emit& emit)
{
    const auto rows = profileByRegion(experiment, *prepared.profile, prepared.column);
    const double whole = wholeExclusive(rows);
    for (std::size_t i = 0; i < shown(options, rows.size()); ++i) {
        const RegionId region = rows[i].regions.front();
        std::vector<Cell> cells{nameFor(options.format, experiment, region), groupOf(experiment, region)};
        appendAmounts(cells, rows[i].values, whole);
        appendDurations(cells, rows[i].values, rows[i].locations);
        if (!emit(arranged(std::move(cells), options))) return false;
    }
    return true;
}

std::vector<Cell> namesOfPath(const std::vector<CallPathRow>& rows, std::size_t index, Format format,
                              std::vector<std::string>& paths)
{
    const CallPathRow& row = rows[index];
    if (format == Format::Table) {
        Region region;
        region.name = row.name;
        return {std::string(2 * std::size_t{row.depth}, ' ') + displayName(region)};
    }
    paths.resize(row.depth);
    paths.push_back(paths.empty() ? row.name : paths.back() + " => " + row.name);
    return {row.name, paths.back(), std::uint64_t{row.depth}};
}

/// Of a flat profile every region is a path of its own.
std::vector<CallPathRow> callPathRows(const Experiment& experiment, const Prepared& prepared)
{
    if (!isFlat(*prepared.profile)) return profileByCallPath(experiment, *prepared.profile, prepared.column);
    std::vector<CallPathRow> rows;
    for (const RegionRow& region : profileByRegion(experiment, *prepared.profile, prepared.column))
        rows.push_back({region.name, -1, 0, {}, region.locations, region.values});
    const auto greater = [](const CallPathRow& a, const CallPathRow& b) {
        return a.values.inclusive > b.values.inclusive;
    };
    std::stable_sort(rows.begin(), rows.end(), greater);
    return rows;
}

bool emitCallPaths(const Experiment& experiment, const Prepared& prepared, const ProfileOptions& options,
                   const Emit& emit)
{
    const auto rows = callPathRows(experiment, prepared);
    const double whole = wholeExclusive(rows);
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < shown(options, rows.size()); ++i) {
        std::vector<Cell> cells = namesOfPath(rows, i, options.format, paths);
        appendAmounts(cells, rows[i].values, whole);
        appendDurations(cells, rows[i].values, rows[i].locations);
        if (!emit(arranged(std::move(cells), options))) return false;
    }
    return true;
}

bool emitLocations(const Experiment& experiment, const Prepared& prepared, const ProfileOptions& options,
                   const Emit& emit)
{
    const auto rows = profileByLocation(experiment, *prepared.profile, prepared.column);
    const double whole = wholeExclusive(rows);
    for (std::size_t i = 0; i < shown(options, rows.size()); ++i) {
        const Location& location = experiment.definitions.location(rows[i].location);
        std::vector<Cell> cells{displayName(experiment.definitions, rows[i].location),
                                rankCell(experiment, rows[i].location), std::int64_t{location.thread},
                                static_cast<std::uint64_t>(rows[i].regions)};
        appendAmounts(cells, rows[i].values, whole);
        if (!emit(arranged(std::move(cells), options))) return false;
    }
    return true;
}

bool emitRows(const Experiment& experiment, const Prepared& prepared, const ProfileOptions& options,
              const Emit& emit)
{
    switch (options.by) {
    case ProfileBy::Region: return emitRegions(experiment, prepared, options, emit);
    case ProfileBy::CallPath: return emitCallPaths(experiment, prepared, options, emit);
    case ProfileBy::Location: return emitLocations(experiment, prepared, options, emit);
    }
    return false;
}

Result<Prepared> prepare(const OpenSession& opened, std::size_t index, const ProfileOptions& options,
                         const Task& task)
{
    const Experiment& experiment = *opened.session.experiments[index];
    const auto window = windowOf(opened, index, options.window);
    if (!window) return tl::make_unexpected(window.error());
    auto profile = profileOf(experiment, *window, options.metric, task);
    if (!profile) return tl::make_unexpected(std::move(profile.error()));
    const auto column = metricColumn(experiment, **profile, options.metric);
    if (!column) return tl::make_unexpected(column.error());
    const MetricCube& cube =
        (*profile)->regions.metrics.empty() ? (*profile)->callPaths : (*profile)->regions;
    return Prepared{*profile, *column, isTime(experiment, cube, *column)};
}

Result<ExitCode> profile(const ProfileOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    std::vector<Prepared> prepared;
    bool time = true;
    for (std::size_t index = 0; index < opened->labels.size(); ++index) {
        const ExperimentPtr& experiment = opened->session.experiments[index];
        auto one = prepare(*opened, index, options, invocation.task);
        if (!one) return tl::make_unexpected(std::move(one.error()));
        if (options.by == ProfileBy::CallPath && isFlat(*one->profile))
            invocation.err.write(fmt::format(
                "skein-cli: {} is a flat profile: every region is shown as a call path of its own. "
                "TAU_CALLPATH=1 records who called whom.\n",
                printable(experiment->path.string())));
        time = time && one->time;
        prepared.push_back(std::move(*one));
    }
    return printRows(*opened, options.format, columnsOf(options, time), invocation,
                     [&](std::size_t index, const Emit& emit) {
                         return emitRows(*opened->session.experiments[index], prepared[index], options, emit);
                     });
}

Action defineProfile(CommandLine& line)
{
    auto options = std::make_shared<ProfileOptions>();
    addPaths(line, options->paths);
    addChoice<ProfileBy>(
        line, "--by", options->by,
        {{"callpath", ProfileBy::CallPath}, {"region", ProfileBy::Region}, {"location", ProfileBy::Location}},
        "What a row is; region, the default, merges regions of one name");
    line.option("--metric", options->metric, "Another metric than the time (see skein-cli metrics)")
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
        "  skein-cli profile profiles/ --metric PAPI_TOT_CYC          another metric than the time\n"
        "  skein-cli profile run1/ run2/ --format csv                 two runs, told apart by `experiment`\n"
        "\n"
        "Values are sums over all locations. The inclusive time of a recursive region counts its\n"
        "outermost calls. In a window, times are the parts of calls inside it, and a call counts\n"
        "when it overlaps it. Mean, min, max and σ are of single calls; profiles have the mean only.\n"
        "A trace's metrics are told by call where they were sampled at every enter and leave.\n",
        defineProfile};
}

}  // namespace skein::cli
