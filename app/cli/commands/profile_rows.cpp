// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/profile_rows.h"

#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/region_table.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/output/text.h"
#include "core/base/shown_path.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace skein::cli {
namespace {

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

/// What tells a place: a location by its number, a group by its size.
void appendPlace(std::vector<Field>& fields, const ProfileOptions& options)
{
    if (options.isGrouped()) return fields.push_back({"locations", "Locations", FieldKind::Count});
    fields.push_back({"rank", "Rank", FieldKind::Id});
    fields.push_back({"thread", "Thread", FieldKind::Id});
}

/// "Location", "Node", or the class of the system tree as it was asked for.
std::string placeTitle(const ProfileOptions& options)
{
    std::string title = printable(options.groupBy);
    if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    return title;
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
std::string shownMetric(const std::vector<PreparedProfile>& prepared)
{
    for (const PreparedProfile& one : prepared)
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
void appendMeaning(std::vector<Cell>& cells, bool breakdown, const PreparedProfile& prepared,
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

bool emitRegions(const Experiment& experiment, const PreparedProfile& prepared, const ProfileOptions& options,
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
std::vector<PathRow> callPathRows(const Experiment& experiment, const PreparedProfile& prepared)
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

bool emitCallPaths(const Experiment& experiment, const PreparedProfile& prepared,
                   const ProfileOptions& options, const Emit& emit)
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

/// The name of a location or group of them, and what tells it.
void appendPlace(std::vector<Cell>& cells, const Experiment& experiment, const PreparedProfile& prepared,
                 std::size_t place)
{
    if (prepared.groups) {
        cells.emplace_back(prepared.groups->names[place]);
        cells.emplace_back(static_cast<std::uint64_t>(prepared.groups->locations[place].size()));
        return;
    }
    const LocationId id(place);
    cells.emplace_back(displayName(experiment.definitions, id));
    cells.push_back(rankCell(experiment, id));
    cells.emplace_back(std::int64_t{experiment.definitions.location(id).thread});
}

RegionTable placedTable(const Experiment& experiment, const PreparedProfile& prepared)
{
    RegionTable table = regionTable(experiment, *prepared.profile, prepared.column);
    return prepared.groups ? groupedTable(table, prepared.groups->locations) : table;
}

/// What all regions took on a group.
LocationRow groupedRow(const RegionTable& table, std::size_t group)
{
    const bool adds = table.aggregation == MetricAggregation::Sum;
    LocationRow row;
    row.regions = table.cellsOf(group).size();
    row.values.aggregation = table.aggregation;
    row.values.exclusive = adds ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    for (const RegionCell& cell : table.cellsOf(group)) {
        if (table.regions[cell.region].breakdown) continue;
        row.values.calls += cell.calls;
        row.values.exclusive = combined(table.aggregation, row.values.exclusive, cell.exclusive);
    }
    row.values.inclusive = row.values.exclusive;
    row.values.settle();
    return row;
}

std::vector<LocationRow> placedRows(const Experiment& experiment, const PreparedProfile& prepared)
{
    if (!prepared.groups) return profileByLocation(experiment, *prepared.profile, prepared.column);
    const RegionTable table = placedTable(experiment, prepared);
    std::vector<LocationRow> rows;
    for (std::size_t group = 0; group < table.locations(); ++group) rows.push_back(groupedRow(table, group));
    return rows;
}

bool emitLocations(const Experiment& experiment, const PreparedProfile& prepared,
                   const ProfileOptions& options, const Emit& emit)
{
    const auto rows = placedRows(experiment, prepared);
    double whole = 0.0;
    for (const LocationRow& row : rows) whole += row.values.exclusive;
    for (std::size_t i = 0; i < shown(options, rows.size()); ++i) {
        std::vector<Cell> cells;
        appendPlace(cells, experiment, prepared, i);
        cells.emplace_back(static_cast<std::uint64_t>(rows[i].regions));
        appendAmounts(cells, rows[i].values, whole);
        appendMeaning(cells, false, prepared, options);
        if (!emit(arranged(std::move(cells), options))) return false;
    }
    return true;
}

/// Greatest first among the places of a region, regions as profileByRegion() has them.
bool emitRegionLocations(const Experiment& experiment, const PreparedProfile& prepared,
                         const ProfileOptions& options, const Emit& emit)
{
    const RegionTable table = placedTable(experiment, prepared);
    double whole = 0.0;
    std::vector<double> ofPlace(table.locations());
    std::vector<std::vector<std::pair<std::size_t, const RegionCell*>>> cellsOf(table.regions.size());
    for (std::size_t place = 0; place < table.locations(); ++place)
        for (const RegionCell& cell : table.cellsOf(place)) {
            cellsOf[cell.region].emplace_back(place, &cell);
            if (table.regions[cell.region].breakdown) continue;
            whole += cell.exclusive;
            ofPlace[place] += cell.exclusive;
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
        for (const auto& [place, cell] : cellsOf[i]) {
            std::vector<Cell> cells{options.format == Format::Table ? names.of(-1, region) : region.name};
            appendPlace(cells, experiment, prepared, place);
            appendAmounts(cells, {cell->calls, cell->inclusive, cell->exclusive, 0.0, {}}, whole);
            cells.emplace_back(percentOf(cell->exclusive, ofPlace[place]));
            cells.emplace_back(cleanNs(cell->inclusive - row.balance.mean));
            appendMeaning(cells, row.breakdown, prepared, options);
            if (!emit(arranged(std::move(cells), options))) return false;
        }
    }
    return true;
}

}  // namespace

bool isFlat(const Profile& profile) { return profile.callPaths.rows() == 0 && profile.regions.rows() > 0; }

std::vector<Field> profileFields(const ProfileOptions& options, const std::vector<PreparedProfile>& prepared)
{
    const bool time =
        std::all_of(prepared.begin(), prepared.end(), [](const PreparedProfile& one) { return one.time; });
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
        fields[0].title = placeTitle(options);
        appendPlace(fields, options);
        fields.push_back({"regions", "Regions", FieldKind::Count});
        break;
    case ProfileBy::RegionLocation:
        fields.push_back({"location", placeTitle(options), FieldKind::Text});
        appendPlace(fields, options);
        break;
    }
    appendAmounts(fields, time ? std::string() : shownMetric(prepared));
    if (options.ofRegions()) appendSpread(fields, time, options);
    if (options.by == ProfileBy::RegionLocation) appendDifferences(fields, time);
    appendMeaning(fields, options);
    return arranged(std::move(fields), options);
}

bool emitProfileRows(const Experiment& experiment, const PreparedProfile& prepared,
                     const ProfileOptions& options, const Emit& emit)
{
    switch (options.by) {
    case ProfileBy::Region: return emitRegions(experiment, prepared, options, emit);
    case ProfileBy::CallPath: return emitCallPaths(experiment, prepared, options, emit);
    case ProfileBy::Location: return emitLocations(experiment, prepared, options, emit);
    case ProfileBy::RegionLocation: return emitRegionLocations(experiment, prepared, options, emit);
    }
    return false;
}

}  // namespace skein::cli
