// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/region_table.h"

#include "algorithms/profile/named_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace skein {
namespace {

constexpr std::uint32_t kNoRow = 0xFFFFFFFFu;

/// Collects the cells of one location after the other.
class TableWriter {
public:
    TableWriter(const Experiment& experiment, RegionTable& table) : table_(table)
    {
        rowOfName_.assign(experiment.definitions.regions.size(), kNoRow);
        names_ = nameNumbers(experiment.definitions.regions);
        for (std::uint32_t row = 0; row < table.regions.size(); ++row)
            for (const RegionId region : table.regions[row].regions) rowOfName_[names_[region.index()]] = row;
        cellOfRow_.assign(table.regions.size(), kNoRow);
    }

    RegionCell& cellOf(std::uint32_t name)
    {
        std::uint32_t& cell = cellOfRow_[rowOfName_[name]];
        if (cell == kNoRow) {
            cell = static_cast<std::uint32_t>(open_.size());
            const double none =
                table_.aggregation == MetricAggregation::Sum ? 0.0 : std::numeric_limits<double>::quiet_NaN();
            open_.push_back({rowOfName_[name], 0, 0, none, none});
        }
        return open_[cell];
    }

    void closeLocation()
    {
        std::sort(open_.begin(), open_.end(),
                  [](const RegionCell& a, const RegionCell& b) { return a.region < b.region; });
        for (const RegionCell& cell : open_) cellOfRow_[cell.region] = kNoRow;
        table_.cells.insert(table_.cells.end(), open_.begin(), open_.end());
        table_.locationOffsets.push_back(table_.cells.size());
        open_.clear();
    }

    std::uint32_t nameOf(std::uint32_t region) const { return names_[region]; }

private:
    RegionTable& table_;
    std::vector<std::uint32_t> names_;  ///< [region]
    std::vector<std::uint32_t> rowOfName_;
    std::vector<std::uint32_t> cellOfRow_;  ///< in open_
    std::vector<RegionCell> open_;
};

/// Cells of a group of locations, by region.
std::vector<RegionCell> mergedCells(const RegionTable& table, const std::vector<LocationId>& group)
{
    std::map<std::uint32_t, RegionCell> merged;
    for (const LocationId location : group)
        for (const RegionCell& cell : table.cellsOf(location.index())) {
            const auto [known, isNew] = merged.emplace(cell.region, cell);
            if (isNew) continue;
            RegionCell& sum = known->second;
            sum.calls += cell.calls;
            sum.subroutines += cell.subroutines;
            sum.inclusive = combined(table.aggregation, sum.inclusive, cell.inclusive);
            sum.exclusive = combined(table.aggregation, sum.exclusive, cell.exclusive);
        }
    std::vector<RegionCell> cells;
    cells.reserve(merged.size());
    for (const auto& [region, cell] : merged) cells.push_back(cell);
    return cells;
}

/// How inclusive amounts are divided among what the table has for locations; those without a call count with
/// 0 where amounts add up.
void balanceCells(RegionTable& table)
{
    std::vector<Moments> amounts(table.regions.size());
    for (const RegionCell& cell : table.cells)
        if (const double amount = cell.inclusive; !std::isnan(amount))
            amounts[cell.region].merge({1.0, amount, amount, amount, 0.0});
    const bool adds = table.aggregation == MetricAggregation::Sum;
    for (std::size_t region = 0; region < amounts.size(); ++region) {
        Moments& all = amounts[region];
        const double without = static_cast<double>(table.locations()) - all.count;
        if (adds && without > 0) all.merge({without, 0.0, 0.0, 0.0, 0.0});
        table.regions[region].balance = all.count == 0.0
            ? LocationBalance()
            : LocationBalance{all.mean(), all.maximum, all.standardDeviation(), {}};
    }
}

/// Rows of one location; none where the cube is of fewer.
std::pair<std::uint64_t, std::uint64_t> rowsOf(const MetricCube& cube, std::size_t location)
{
    if (location >= cube.locations()) return {0, 0};
    return {cube.locationOffsets[location], cube.locationOffsets[location + 1]};
}

}  // namespace

RegionTable regionTable(const Experiment& experiment, const Profile& profile, std::size_t metricColumn)
{
    RegionTable table;
    table.regions = profileByRegion(experiment, profile, metricColumn);
    table.aggregation = aggregationOf(experiment, profile.regions, metricColumn);
    table.hasSubroutines = !profile.regions.subroutines.empty();
    table.locationOffsets.push_back(0);
    TableWriter writer(experiment, table);
    // As profileByRegion() does it: only a summarised trace knows recursion through several regions of one
    // name.
    const bool byCallPath = !profile.callPaths.durations.empty();
    const NamedTree tree =
        byCallPath ? mergeByName(*experiment.callTree, experiment.definitions.regions) : NamedTree();
    std::vector<std::uint8_t> recursive(tree.parents.size());
    for (std::uint32_t node = 0; node < recursive.size(); ++node) recursive[node] = tree.isRecursive(node);
    for (std::size_t location = 0; location < experiment.definitions.locations.size(); ++location) {
        const MetricCube& regions = profile.regions;
        for (auto [row, end] = rowsOf(regions, location); row < end; ++row) {
            RegionCell& cell = writer.cellOf(writer.nameOf(regions.items[row]));
            cell.calls += regions.calls[row];
            cell.exclusive =
                combined(table.aggregation, cell.exclusive, regions.exclusive[metricColumn][row]);
            if (table.hasSubroutines) cell.subroutines += regions.subroutines[row];
            if (!byCallPath)
                cell.inclusive =
                    combined(table.aggregation, cell.inclusive, regions.inclusive[metricColumn][row]);
        }
        const MetricCube& paths = profile.callPaths;
        for (auto [row, end] = byCallPath ? rowsOf(paths, location)
                                          : std::pair<std::uint64_t, std::uint64_t>();
             row < end; ++row) {
            const std::uint32_t node = tree.nodeOf[paths.items[row]];
            if (!recursive[node])
                writer.cellOf(tree.names[node]).inclusive += paths.inclusive[metricColumn][row];
        }
        writer.closeLocation();
    }
    return table;
}

RegionTable groupedTable(const RegionTable& table, const std::vector<std::vector<LocationId>>& groups)
{
    RegionTable grouped{table.regions, {0}, {}, table.hasSubroutines, table.aggregation};
    for (const std::vector<LocationId>& group : groups) {
        const std::vector<RegionCell> cells = mergedCells(table, group);
        grouped.cells.insert(grouped.cells.end(), cells.begin(), cells.end());
        grouped.locationOffsets.push_back(grouped.cells.size());
    }
    balanceCells(grouped);
    return grouped;
}

}  // namespace skein
