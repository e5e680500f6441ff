// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/region_table.h"
#include "algorithms/profile/summarize.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/commands/derived_profile.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/output/text.h"
#include "app/cli/print_rows.h"
#include "core/base/shown_path.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace skein::cli {
namespace {

enum class ProfileBy { CallPath, Location, Region, RegionLocation };

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
    std::string metric;
};

FieldKind amountKind(bool time) { return time ? FieldKind::Duration : FieldKind::Number; }

/// `metric` is told in the titles; empty for times.
void appendAmounts(std::vector<Field>& fields, const std::string& metric)
{
    const bool time = metric.empty();
    const std::string unit = time ? "_ns" : "";
    const std::string of = time ? "" : " " + metric;
    fields.push_back({"calls", "Calls", FieldKind::Count});
    fields.push_back({"inclusive" + unit, "Inclusive" + of, amountKind(time)});
    fields.push_back({"exclusive" + unit, "Exclusive" + of, amountKind(time)});
    fields.push_back({"exclusive_percent", "Exclusive %", FieldKind::Percent});
}

/// Of single calls, and of the division among locations.
void appendSpread(std::vector<Field>& fields, bool time, const ProfileOptions& options)
{
    const std::string unit = time ? "_ns" : "";
    fields.push_back({"mean" + unit, "Mean", amountKind(time)});
    fields.push_back({"min" + unit, "Min", amountKind(time)});
    fields.push_back({"max" + unit, "Max", amountKind(time)});
    fields.push_back({"stddev" + unit, "σ", amountKind(time)});
    fields.push_back({"locations", "Locations", FieldKind::Count});
    fields.push_back({"imbalance", "Max/mean", FieldKind::Number});
    fields.push_back({"lost" + unit, "Lost", amountKind(time)});
    if (options.format == Format::Table) return;
    fields.push_back({"max_location", "Worst location", FieldKind::Text});
    fields.push_back({"location_mean" + unit, "Mean a location", amountKind(time)});
    fields.push_back({"location_stddev" + unit, "σ over locations", amountKind(time)});
    fields.push_back({"cut_calls", "Cut", FieldKind::Count});
}

bool hasSpread(const ProfileOptions& options)
{
    return options.by == ProfileBy::CallPath || options.by == ProfileBy::Region;
}

/// Of a region on a location.
void appendDifferences(std::vector<Field>& fields, bool time)
{
    const std::string unit = time ? "_ns" : "";
    fields.push_back({"location_percent", "Of location %", FieldKind::Percent});
    fields.push_back({"difference" + unit, "From mean", amountKind(time)});
}

/// Tables have the name at the end: numbers stay together, however long a C++ signature is.
template <typename Value>
std::vector<Value> arranged(std::vector<Value> values, const ProfileOptions& options)
{
    if (options.format == Format::Table && options.by != ProfileBy::Location)
        std::rotate(values.begin(), values.begin() + 1, values.end());
    return values;
}

/// The first that is no time.
std::string shownMetric(const std::vector<Prepared>& prepared)
{
    for (const Prepared& one : prepared)
        if (!one.time) return printable(one.metric);
    return {};
}

/// What follows the amounts in CSV and JSON alone.
void appendMeaning(std::vector<Field>& fields, const ProfileOptions& options)
{
    if (options.format == Format::Table) return;
    if (options.by != ProfileBy::Location) fields.push_back({"breakdown", "Break-down", FieldKind::Text});
    fields.push_back({"metric", "Metric", FieldKind::Text});
}

std::vector<Field> columnsOf(const ProfileOptions& options, const std::vector<Prepared>& prepared)
{
    const bool time =
        std::all_of(prepared.begin(), prepared.end(), [](const Prepared& one) { return one.time; });
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
    case ProfileBy::RegionLocation:
        fields.push_back({"location", "Location", FieldKind::Text});
        fields.push_back({"rank", "Rank", FieldKind::Id});
        fields.push_back({"thread", "Thread", FieldKind::Id});
        break;
    }
    appendAmounts(fields, time ? std::string() : shownMetric(prepared));
    if (hasSpread(options)) appendSpread(fields, time, options);
    if (options.by == ProfileBy::RegionLocation) appendDifferences(fields, time);
    appendMeaning(fields, options);
    return arranged(std::move(fields), options);
}

/// To a thousandth.
double percentOf(double part, double whole)
{
    return whole > 0.0 ? std::round(part / whole * 1e5) / 1e3 : 0.0;
}

void appendAmounts(std::vector<Cell>& cells, const ProfileValues& values, double whole)
{
    cells.emplace_back(values.calls);
    cells.emplace_back(cleanNs(values.inclusive));
    cells.emplace_back(cleanNs(values.exclusive));
    // A minimum or maximum is no part of a whole.
    const bool adds = values.aggregation == MetricAggregation::Sum;
    cells.push_back(adds ? Cell(percentOf(values.exclusive, whole)) : Cell());
}

template <typename Row>
void appendSpread(std::vector<Cell>& cells, const Experiment& experiment, const Row& row,
                  const ProfileOptions& options)
{
    const ProfileValues& values = row.values;
    const auto mean = values.mean();
    cells.push_back(mean ? Cell(cleanNs(*mean)) : Cell());
    const bool known = values.durations.count > 0.0;
    cells.push_back(known ? Cell(cleanNs(values.durations.minimum)) : Cell());
    cells.push_back(known ? Cell(cleanNs(values.durations.maximum)) : Cell());
    cells.push_back(known ? Cell(cleanNs(values.durations.standardDeviation())) : Cell());
    cells.emplace_back(static_cast<std::uint64_t>(row.locations));
    const LocationBalance& balance = row.balance;
    const auto imbalance = balance.imbalance();
    cells.push_back(imbalance ? Cell(std::round(*imbalance * 1e6) / 1e6) : Cell());
    cells.emplace_back(cleanNs(balance.lost()));
    if (options.format == Format::Table) return;
    cells.push_back(balance.worst.valid() ? Cell(displayName(experiment.definitions, balance.worst))
                                          : Cell());
    cells.emplace_back(cleanNs(balance.mean));
    cells.emplace_back(cleanNs(balance.deviation));
    cells.emplace_back(static_cast<std::uint64_t>(values.cut));
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

/// The name with the place in the source, short enough for a table.
std::string placedName(const Region& region)
{
    const std::string name = displayName(region);
    if (region.sourceFile.empty() || region.beginLine == 0) return region.name;
    const std::string file = std::filesystem::path(region.sourceFile).filename().string();
    return fmt::format("{} {}:{}", name, file, region.beginLine);
}

/// Tables leave TAU's source position out of names, unless it is what tells rows apart; scripts get names as
/// they are.
class TableNames {
public:
    /// Rows of one name under one `above` must be told apart.
    void note(std::ptrdiff_t above, const Region& region) { ++known_[{above, displayName(region)}]; }

    std::string of(std::ptrdiff_t above, const Region& region) const
    {
        std::string name = displayName(region);
        const auto found = known_.find({above, name});
        return found != known_.end() && found->second > 1 ? placedName(region) : name;
    }

private:
    std::map<std::pair<std::ptrdiff_t, std::string>, std::size_t> known_;
};

/// What stands behind the amounts of a row in CSV and JSON.
void appendMeaning(std::vector<Cell>& cells, bool breakdown, const Prepared& prepared,
                   const ProfileOptions& options)
{
    if (options.format == Format::Table) return;
    if (options.by != ProfileBy::Location) cells.emplace_back(breakdown);
    cells.emplace_back(prepared.metric);
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
    TableNames names;
    for (const RegionRow& row : rows) names.note(-1, experiment.definitions.region(row.regions.front()));
    for (std::size_t i = 0; i < shown(options, rows.size()); ++i) {
        const RegionId id = rows[i].regions.front();
        const Region& region = experiment.definitions.region(id);
        std::vector<Cell> cells{options.format == Format::Table ? names.of(-1, region) : region.name,
                                groupOf(experiment, id)};
        appendAmounts(cells, rows[i].values, whole);
        appendSpread(cells, experiment, rows[i], options);
        appendMeaning(cells, rows[i].breakdown, prepared, options);
        if (!emit(arranged(std::move(cells), options))) return false;
    }
    return true;
}

/// A row of a call path and the region at its end: only the name where no location has values of the row
/// itself.
struct PathRow : CallPathRow {
    Region region;
};

PathRow pathRowOf(const Experiment& experiment, const CallPathRow& row)
{
    if (!row.callPaths.empty())
        return {row, experiment.definitions.region(experiment.callTree->region(row.callPaths.front()))};
    Region region;
    region.name = row.name;
    return {row, std::move(region)};
}

std::vector<Cell> namesOfPath(const CallPathRow& row, OpenPath& path)
{
    path.enter(row.depth, row.name);
    return {row.name, path.joined(" => "), std::uint64_t{row.depth}};
}

/// Two blanks a level, as far as paths are shown whole; then the level.
std::string indentation(std::size_t depth)
{
    constexpr std::size_t kBlanksALevel = 2;
    if (depth < kMostShownNames) return std::string(kBlanksALevel * depth, ' ');
    return std::string(kBlanksALevel * kShownAtAnEnd, ' ') + fmt::format("[level {}] ", depth);
}

/// Of a flat profile every region is a path of its own.
std::vector<PathRow> callPathRows(const Experiment& experiment, const Prepared& prepared)
{
    std::vector<PathRow> rows;
    if (!isFlat(*prepared.profile)) {
        for (const CallPathRow& row : profileByCallPath(experiment, *prepared.profile, prepared.column))
            rows.push_back(pathRowOf(experiment, row));
        return rows;
    }
    for (const RegionRow& region : profileByRegion(experiment, *prepared.profile, prepared.column))
        rows.push_back(
            {{region.name, -1, 0, {}, region.locations, region.values, region.breakdown, region.balance},
             experiment.definitions.region(region.regions.front())});
    const auto greater = [](const PathRow& a, const PathRow& b) {
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
    OpenPath open;
    TableNames names;
    for (const PathRow& path : rows) names.note(path.parent, path.region);
    const auto indented = [&](const PathRow& path) {
        return indentation(path.depth) + names.of(path.parent, path.region);
    };
    for (std::size_t i = 0; i < shown(options, rows.size()); ++i) {
        const PathRow& row = rows[i];
        std::vector<Cell> cells =
            options.format == Format::Table ? std::vector<Cell>{indented(row)} : namesOfPath(row, open);
        appendAmounts(cells, row.values, whole);
        appendSpread(cells, experiment, row, options);
        appendMeaning(cells, row.breakdown, prepared, options);
        if (!emit(arranged(std::move(cells), options))) return false;
    }
    return true;
}

bool emitLocations(const Experiment& experiment, const Prepared& prepared, const ProfileOptions& options,
                   const Emit& emit)
{
    const auto rows = profileByLocation(experiment, *prepared.profile, prepared.column);
    double whole = 0.0;
    for (const LocationRow& row : rows) whole += row.values.exclusive;
    for (std::size_t i = 0; i < shown(options, rows.size()); ++i) {
        const Location& location = experiment.definitions.location(rows[i].location);
        std::vector<Cell> cells{displayName(experiment.definitions, rows[i].location),
                                rankCell(experiment, rows[i].location), std::int64_t{location.thread},
                                static_cast<std::uint64_t>(rows[i].regions)};
        appendAmounts(cells, rows[i].values, whole);
        appendMeaning(cells, false, prepared, options);
        if (!emit(arranged(std::move(cells), options))) return false;
    }
    return true;
}

/// Greatest first among the locations of a region, regions as profileByRegion() has them.
bool emitRegionLocations(const Experiment& experiment, const Prepared& prepared,
                         const ProfileOptions& options, const Emit& emit)
{
    const RegionTable table = regionTable(experiment, *prepared.profile, prepared.column);
    double whole = 0.0;
    std::vector<double> ofLocation(table.locations());
    std::vector<std::vector<std::pair<std::size_t, const RegionCell*>>> cellsOf(table.regions.size());
    for (std::size_t location = 0; location < table.locations(); ++location)
        for (const RegionCell& cell : table.cellsOf(location)) {
            cellsOf[cell.region].emplace_back(location, &cell);
            if (table.regions[cell.region].breakdown) continue;
            whole += cell.exclusive;
            ofLocation[location] += cell.exclusive;
        }
    TableNames names;
    for (const RegionRow& row : table.regions)
        names.note(-1, experiment.definitions.region(row.regions.front()));
    for (std::size_t i = 0; i < shown(options, table.regions.size()); ++i) {
        const RegionRow& row = table.regions[i];
        const Region& region = experiment.definitions.region(row.regions.front());
        std::stable_sort(cellsOf[i].begin(), cellsOf[i].end(), [](const auto& a, const auto& b) {
            return a.second->inclusive > b.second->inclusive;
        });
        for (const auto& [location, cell] : cellsOf[i]) {
            const LocationId id(location);
            std::vector<Cell> cells{options.format == Format::Table ? names.of(-1, region) : region.name,
                                    displayName(experiment.definitions, id), rankCell(experiment, id),
                                    std::int64_t{experiment.definitions.location(id).thread}};
            appendAmounts(cells, {cell->calls, cell->inclusive, cell->exclusive, 0.0, {}}, whole);
            cells.emplace_back(percentOf(cell->exclusive, ofLocation[location]));
            cells.emplace_back(cleanNs(cell->inclusive - row.balance.mean));
            appendMeaning(cells, row.breakdown, prepared, options);
            if (!emit(arranged(std::move(cells), options))) return false;
        }
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
    case ProfileBy::RegionLocation: return emitRegionLocations(experiment, prepared, options, emit);
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
    return Prepared{*profile, *column, isTime(experiment, cube, *column),
                    cube.metrics.empty() ? "TIME" : metricName(experiment, cube, *column)};
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
    if (hasSpread(options))
        return printDerivedProfile(
            opened,
            {options.metric, options.window, options.by == ProfileBy::Region, options.top, options.format},
            invocation);
    return fail(ErrorCode::InvalidArgument, "Expressions are worked out --by region or --by callpath.");
}

Result<ExitCode> profile(const ProfileOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    if (isDerivedMetric(*opened, options.metric)) return derivedProfile(*opened, options, invocation);
    std::vector<Prepared> prepared;
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
    return printRows(*opened, options.format, columnsOf(options, prepared), invocation,
                     [&](std::size_t index, const Emit& emit) {
                         return emitRows(*opened->session.experiments[index], prepared[index], options, emit);
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
