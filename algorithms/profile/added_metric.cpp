// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/added_metric.h"

#include "algorithms/profile/moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace skein {
namespace {

/// Amounts of the items of a cube, by item.
struct AmountsOfItems {
    std::vector<double> inclusive, exclusive;

    bool any(std::uint32_t item) const { return inclusive[item] != 0 || exclusive[item] != 0; }
};

AmountsOfItems amountsOfCallPaths(const CallTree& tree, const std::vector<double>& amounts)
{
    AmountsOfItems out;
    for (std::size_t node = 0; node < tree.size(); ++node)
        out.exclusive.push_back(node < amounts.size() && std::isfinite(amounts[node]) ? amounts[node] : 0.0);
    out.inclusive = out.exclusive;
    for (std::size_t node = tree.size(); node-- > 0;)
        if (const CallPathId parent = tree.parent(CallPathId(node)); parent.valid())
            out.inclusive[parent.index()] += out.inclusive[node];
    return out;
}

AmountsOfItems amountsOfRegions(const CallTree& tree, std::size_t regions, const AmountsOfItems& callPaths)
{
    AmountsOfItems out{std::vector<double>(regions, 0.0), std::vector<double>(regions, 0.0)};
    for (std::size_t node = 0; node < tree.size(); ++node) {
        const RegionId region = tree.region(CallPathId(node));
        if (!region.valid() || region.index() >= regions) continue;
        out.exclusive[region.index()] += callPaths.exclusive[node];
        if (!tree.isRecursive(CallPathId(node))) out.inclusive[region.index()] += callPaths.inclusive[node];
    }
    return out;
}

/// Items with amounts that no location has a row of, ascending.
std::vector<std::uint32_t> itemsWithoutRow(const MetricCube& cube, const AmountsOfItems& amounts)
{
    std::vector<char> hasRow(amounts.exclusive.size(), 0);
    for (const std::uint32_t item : cube.items) hasRow[item] = 1;
    std::vector<std::uint32_t> missing;
    for (std::uint32_t item = 0; item < hasRow.size(); ++item)
        if (!hasRow[item] && amounts.any(item)) missing.push_back(item);
    return missing;
}

/// Where each row of a location's rows and of those that are new comes from.
class RowsMerged {
public:
    static constexpr std::size_t kNew = std::numeric_limits<std::size_t>::max();

    RowsMerged(const MetricCube& cube, const std::vector<std::uint32_t>& added)
    {
        const std::size_t end = cube.locationOffsets[1];
        std::size_t row = 0;
        for (const std::uint32_t item : added) {
            for (; row < end && cube.items[row] < item; ++row) from_.push_back(row);
            from_.push_back(kNew);
        }
        for (; row < cube.rows(); ++row) from_.push_back(row);
    }

    template <typename T>
    Column<T> merged(const Column<T>& column, T value) const
    {
        if (column.empty()) return column;
        std::vector<T> values;
        values.reserve(from_.size());
        for (const std::size_t row : from_) values.push_back(row == kNew ? value : column[row]);
        return Column<T>(std::move(values));
    }

    Column<std::uint32_t> items(const Column<std::uint32_t>& before,
                                const std::vector<std::uint32_t>& added) const
    {
        std::vector<std::uint32_t> values;
        auto next = added.begin();
        for (const std::size_t row : from_) values.push_back(row == kNew ? *next++ : before[row]);
        return Column<std::uint32_t>(std::move(values));
    }

private:
    std::vector<std::size_t> from_;
};

/// Gives the first location rows for these items, ascending, that nothing was measured of.
void addRows(MetricCube& cube, const Definitions& definitions, const std::vector<std::uint32_t>& added)
{
    if (added.empty() || cube.locations() == 0) return;
    const RowsMerged rows(cube, added);
    cube.items = rows.items(cube.items, added);
    cube.calls = rows.merged(cube.calls, 0.0);
    cube.subroutines = rows.merged(cube.subroutines, 0.0);
    for (std::size_t column = 0; column < cube.metrics.size(); ++column) {
        const MetricId metric = cube.metrics[column];
        const bool sums = !metric.valid() || definitions.metric(metric).aggregation == MetricAggregation::Sum;
        const double none = sums ? 0.0 : std::numeric_limits<double>::quiet_NaN();
        cube.inclusive[column] = rows.merged(cube.inclusive[column], none);
        cube.exclusive[column] = rows.merged(cube.exclusive[column], none);
    }
    const Moments none;
    cube.durations = {rows.merged(cube.durations.cut, 0.0), rows.merged(cube.durations.sum, none.sum),
                      rows.merged(cube.durations.minimum, none.minimum),
                      rows.merged(cube.durations.maximum, none.maximum),
                      rows.merged(cube.durations.squaredDeviations, none.squaredDeviations)};
    std::vector<std::uint64_t> offsets(cube.locationOffsets.begin(), cube.locationOffsets.end());
    for (std::size_t location = 1; location < offsets.size(); ++location) offsets[location] += added.size();
    cube.locationOffsets = Column<std::uint64_t>(std::move(offsets));
}

std::size_t columnOf(MetricCube& cube, MetricId metric)
{
    const auto found = std::ranges::find(cube.metrics, metric);
    if (found != cube.metrics.end()) return static_cast<std::size_t>(found - cube.metrics.begin());
    cube.metrics.push_back(metric);
    cube.inclusive.emplace_back();
    cube.exclusive.emplace_back();
    return cube.metrics.size() - 1;
}

void fillColumn(MetricCube& cube, const Definitions& definitions, MetricId metric, AmountsOfItems amounts)
{
    addRows(cube, definitions, itemsWithoutRow(cube, amounts));
    std::vector<double> exclusive, inclusive;
    for (const std::uint32_t item : cube.items) {
        exclusive.push_back(std::exchange(amounts.exclusive[item], 0.0));
        inclusive.push_back(std::exchange(amounts.inclusive[item], 0.0));
    }
    const std::size_t column = columnOf(cube, metric);
    cube.exclusive[column] = Column<double>(std::move(exclusive));
    cube.inclusive[column] = Column<double>(std::move(inclusive));
}

}  // namespace

void addMetricColumn(Profile& profile, const Experiment& experiment, MetricId metric,
                     const std::vector<double>& exclusive)
{
    const CallTree& tree = *experiment.callTree;
    const AmountsOfItems callPaths = amountsOfCallPaths(tree, exclusive);
    if (profile.regions.locations() > 0)
        fillColumn(profile.regions, experiment.definitions, metric,
                   amountsOfRegions(tree, experiment.definitions.regions.size(), callPaths));
    fillColumn(profile.callPaths, experiment.definitions, metric, callPaths);
}

}  // namespace skein
