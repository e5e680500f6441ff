// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/aggregate.h"

#include "algorithms/profile/named_tree.h"
#include "algorithms/profile/trace_metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skein {
namespace {

constexpr std::uint32_t kNoParent = CallPathId::kNone;

const MetricCube& cubeWithMetrics(const Profile& profile)
{
    return profile.regions.metrics.empty() ? profile.callPaths : profile.regions;
}

/// A column as it is summed up.
struct SummedColumn {
    std::size_t column = 0;
    MetricAggregation aggregation = MetricAggregation::Sum;
};

SummedColumn summedColumn(const Experiment& experiment, const MetricCube& cube, std::size_t column)
{
    return {column, aggregationOf(experiment, cube, column)};
}

ProfileValues valuesOf(const MetricCube& cube, const SummedColumn& summed, std::size_t row)
{
    const std::size_t column = summed.column;
    ProfileValues values{cube.calls[row],   cube.inclusive[column][row], cube.exclusive[column][row], 0.0, {},
                         summed.aggregation};
    const CallDurations& durations = cube.durations;
    if (!durations.cut.empty()) values.cut = durations.cut[row];
    // Durations of single calls are times: the sums of another metric have none.
    if (!durations.empty() && !cube.metrics[column].valid())
        values.durations = {values.calls - values.cut, durations.sum[row], durations.minimum[row],
                            durations.maximum[row], durations.squaredDeviations[row]};
    return values;
}

/// What amounts are added to.
ProfileValues nothingYet(const SummedColumn& summed)
{
    const double none =
        summed.aggregation == MetricAggregation::Sum ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    return {0.0, none, none, 0.0, {}, summed.aggregation};
}

/// Calls back with (item, values) for every row, location by location.
template <typename Function>
void forEachRow(const MetricCube& cube, const SummedColumn& column, Function function)
{
    for (std::size_t location = 0; location < cube.locations(); ++location)
        for (std::size_t row = cube.locationOffsets[location]; row < cube.locationOffsets[location + 1];
             ++row)
            function(location, cube.items[row], valuesOf(cube, column, row));
}

/// Sums rows under group numbers and remembers how many locations and which items each group has.
class GroupSums {
public:
    GroupSums(std::size_t groups, std::size_t items, const SummedColumn& summed)
        : values(groups, nothingYet(summed)),
          locations(groups, 0),
          items_(groups),
          lastLocation_(groups, kNowhere),
          seen_(items, false)
    {
    }

    void add(std::size_t location, std::uint32_t group, std::uint32_t item, const ProfileValues& row)
    {
        values[group].merge(row);
        if (lastLocation_[group] != location) ++locations[group];
        lastLocation_[group] = location;
        if (!seen_[item]) items_[group].push_back(item);
        seen_[item] = true;
    }

    void settle()
    {
        for (ProfileValues& sum : values) sum.settle();
    }

    template <typename ItemId>
    std::vector<ItemId> items(std::size_t group) const
    {
        std::vector<ItemId> ids;
        for (const std::uint32_t item : items_[group]) ids.emplace_back(item);
        std::sort(ids.begin(), ids.end());
        return ids;
    }

    std::vector<ProfileValues> values;
    std::vector<std::size_t> locations;

private:
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
    std::vector<std::vector<std::uint32_t>> items_;
    std::vector<std::size_t> lastLocation_;
    std::vector<bool> seen_;
};

/// Inclusive amounts under group numbers, and how they are divided among locations.
class BalanceSums {
public:
    BalanceSums(std::size_t groups, MetricAggregation aggregation)
        : groups_(groups), aggregation_(aggregation)
    {
    }

    /// Locations come one after the other.
    void add(std::size_t location, std::size_t group, double amount)
    {
        if (std::isnan(amount)) return;
        Group& sum = groups_[group];
        if (sum.location != location) close(sum);
        sum.current = sum.location == location ? combined(aggregation_, sum.current, amount) : amount;
        sum.location = location;
    }

    /// Of amounts that add up.
    double total(std::size_t group) const { return groups_[group].all.sum + groups_[group].current; }

    /// After the last amount.
    LocationBalance of(std::size_t group, std::size_t locations)
    {
        Group& sum = groups_[group];
        close(sum);
        const double without = std::max(0.0, static_cast<double>(locations) - sum.all.count);
        if (without > 0.0 && aggregation_ == MetricAggregation::Sum)
            sum.all.merge({without, 0.0, 0.0, 0.0, 0.0});
        if (sum.all.count == 0.0) return {};
        return {sum.all.mean(), sum.all.maximum, sum.all.standardDeviation(), sum.worst};
    }

private:
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
    struct Group {
        std::size_t location = kNowhere;
        double current = 0.0;
        Moments all;
        LocationId worst;
    };

    static void close(Group& sum)
    {
        if (sum.location == kNowhere) return;
        if (sum.all.count == 0.0 || sum.current > sum.all.maximum) sum.worst = LocationId(sum.location);
        sum.all.merge({1.0, sum.current, sum.current, sum.current, 0.0});
        sum.current = 0.0;
        sum.location = kNowhere;
    }

    std::vector<Group> groups_;
    MetricAggregation aggregation_;
};

/// Inclusive amounts by name. Only a summarised trace has every call path, and so knows recursion through
/// several regions of one name: there a call path is recursive by name, not by id.
BalanceSums inclusiveByName(const Experiment& experiment, const Profile& profile, const SummedColumn& column,
                            const std::vector<std::uint32_t>& numbers)
{
    BalanceSums sums(experiment.definitions.regions.size(), column.aggregation);
    if (profile.callPaths.durations.empty()) {
        forEachRow(profile.regions, column,
                   [&](std::size_t location, std::uint32_t region, const ProfileValues& values) {
                       sums.add(location, numbers[region], values.inclusive);
                   });
        return sums;
    }
    const NamedTree tree = mergeByName(*experiment.callTree, experiment.definitions.regions);
    std::vector<std::uint8_t> recursive(tree.parents.size());
    for (std::uint32_t node = 0; node < recursive.size(); ++node) recursive[node] = tree.isRecursive(node);
    forEachRow(profile.callPaths, column,
               [&](std::size_t location, std::uint32_t path, const ProfileValues& values) {
                   const std::uint32_t node = tree.nodeOf[path];
                   if (!recursive[node]) sums.add(location, tree.names[node], values.inclusive);
               });
    return sums;
}

/// Rows of a named tree in preorder, the greatest inclusive amount first among siblings; branches without
/// values left out.
class PreorderRows {
public:
    PreorderRows(const Experiment& experiment, const NamedTree& tree, const GroupSums& groups,
                 const std::vector<LocationBalance>& balances)
        : experiment_(experiment),
          tree_(tree),
          groups_(groups),
          balances_(balances),
          children_(tree.parents.size()),
          wanted_(tree.parents.size())
    {
        for (std::size_t node = tree.parents.size(); node-- > 0;) {
            wanted_[node] = wanted_[node] || groups.locations[node] > 0;
            if (!wanted_[node]) continue;
            const std::uint32_t parent = tree.parents[node];
            if (parent != kNoParent) wanted_[parent] = true;
            (parent == kNoParent ? roots_ : children_[parent]).push_back(static_cast<std::uint32_t>(node));
        }
        order(roots_);
        for (auto& siblings : children_) order(siblings);
    }

    std::vector<CallPathRow> rows()
    {
        struct Open {
            std::uint32_t node;
            std::ptrdiff_t parent;
            std::uint32_t depth;
        };
        std::vector<CallPathRow> rows;
        std::vector<Open> open;
        const auto push = [&](const std::vector<std::uint32_t>& nodes, std::ptrdiff_t parent,
                              std::uint32_t depth) {
            for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
                open.push_back({*node, parent, depth});
        };
        push(roots_, -1, 0);
        while (!open.empty()) {
            const Open next = open.back();
            open.pop_back();
            rows.push_back({experiment_.definitions.region(tree_.regions[next.node]).name, next.parent,
                            next.depth, groups_.items<CallPathId>(next.node), groups_.locations[next.node],
                            groups_.values[next.node], false, balances_[next.node]});
            push(children_[next.node], static_cast<std::ptrdiff_t>(rows.size()) - 1, next.depth + 1);
        }
        return rows;
    }

private:
    void order(std::vector<std::uint32_t>& siblings) const
    {
        std::sort(siblings.begin(), siblings.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (groups_.values[a].inclusive != groups_.values[b].inclusive)
                return groups_.values[a].inclusive > groups_.values[b].inclusive;
            return a < b;
        });
    }

    const Experiment& experiment_;
    const NamedTree& tree_;
    const GroupSums& groups_;
    const std::vector<LocationBalance>& balances_;
    std::vector<std::vector<std::uint32_t>> children_;
    std::vector<std::uint32_t> roots_;
    std::vector<bool> wanted_;
};

/// What stands below a row that breaks another down is a part of it.
void markBreakdowns(const Experiment& experiment, const Profile& profile, const NamedTree& tree,
                    std::vector<CallPathRow>& rows)
{
    for (CallPathRow& row : rows) {
        row.breakdown = row.parent >= 0 && rows[static_cast<std::size_t>(row.parent)].breakdown;
        if (row.callPaths.empty() || row.breakdown) continue;
        const RegionId region = tree.regions[tree.nodeOf[row.callPaths.front().index()]];
        row.breakdown = breaksDown(profile, experiment.definitions.region(region));
    }
}

}  // namespace

bool breaksDown(const Profile& profile, const Region& region)
{
    // A trace's regions of that role are calls with times of their own.
    const bool recorded = profile.regions.durations.empty() && profile.callPaths.durations.empty();
    return recorded && profile.artificial == ArtificialRegions::BreakDown
        && region.role == RegionRole::Artificial;
}

double combined(MetricAggregation aggregation, double one, double other)
{
    if (aggregation == MetricAggregation::Sum) return one + other;
    if (std::isnan(one) || std::isnan(other)) return std::isnan(one) ? other : one;
    return aggregation == MetricAggregation::Minimum ? std::min(one, other) : std::max(one, other);
}

void ProfileValues::merge(const ProfileValues& other)
{
    calls += other.calls;
    inclusive = combined(aggregation, inclusive, other.inclusive);
    exclusive = combined(aggregation, exclusive, other.exclusive);
    cut += other.cut;
    durations.merge(other.durations);
}

void ProfileValues::settle()
{
    if (std::isnan(inclusive)) inclusive = 0.0;
    if (std::isnan(exclusive)) exclusive = 0.0;
}

std::optional<double> ProfileValues::mean() const
{
    if (aggregation != MetricAggregation::Sum) return std::nullopt;
    if (durations.count > 0.0) return durations.mean();
    if (calls <= 0.0 || cut > 0.0) return std::nullopt;
    return inclusive / calls;
}

std::optional<double> LocationBalance::imbalance() const
{
    return mean > 0.0 ? std::optional(maximum / mean) : std::nullopt;
}

std::size_t scopeSize(const Experiment& experiment, const Profile& profile, const LocationScope& scope)
{
    const auto hasRows = [](const MetricCube& cube, std::size_t location) {
        return location < cube.locations()
            && cube.locationOffsets[location] < cube.locationOffsets[location + 1];
    };
    const auto recorded = [&](LocationId id) {
        if (hasRows(profile.regions, id.index()) || hasRows(profile.callPaths, id.index())) return true;
        if (!experiment.trace || id.index() >= experiment.trace->locations.size()) return false;
        const LocationTrace& location = experiment.trace->locations[id.index()];
        const bool metricsOnly = experiment.definitions.location(id).kind == LocationKind::Metric;
        return location.events > 0 && !(metricsOnly && location.intervals.size() == 0);
    };
    if (scope) return static_cast<std::size_t>(std::count_if(scope->begin(), scope->end(), recorded));
    std::size_t count = 0;
    for (std::size_t location = 0; location < experiment.definitions.locations.size(); ++location)
        count += recorded(LocationId(location));
    return count;
}

std::string metricName(const Experiment& experiment, const MetricCube& cube, std::size_t column)
{
    const MetricId metric = cube.metrics[column];
    return metric.valid() ? experiment.definitions.metric(metric).name : "TIME";
}

MetricAggregation aggregationOf(const Experiment& experiment, const MetricCube& cube, std::size_t column)
{
    const MetricId metric = column < cube.metrics.size() ? cube.metrics[column] : MetricId();
    return metric.valid() ? experiment.definitions.metric(metric).aggregation : MetricAggregation::Sum;
}

bool isTime(const Experiment& experiment, const MetricCube& cube, std::size_t column)
{
    const MetricId metric = cube.metrics[column];
    return !metric.valid() || experiment.definitions.metric(metric).unit == "ns";
}

namespace {

/// What to say to who asks for a metric that is no column of the profile; `known` are those that are.
std::string whyNoColumn(const Experiment& experiment, std::string_view metric, std::string known)
{
    for (const Metric& defined : experiment.definitions.metrics) {
        if (!experiment.profile || !equalIgnoringCase(defined.name, metric)) continue;
        if (!defined.formula.empty())
            return fmt::format("{} does not store \"{}\": it is derived from other metrics by an expression, "
                               "which is not computed; it has {}.",
                               experiment.name, defined.name, known.empty() ? "none" : known);
        if (!experiment.trace)
            return fmt::format("{} defines \"{}\" and holds no values of it by call; it has {}.",
                               experiment.name, defined.name, known.empty() ? "none" : known);
    }
    for (const TraceMetric& found : traceMetrics(experiment)) {
        const std::string& name = experiment.definitions.metric(found.metric).name;
        if (found.attribution == Attribution::PerCall) known += (known.empty() ? "" : ", ") + name;
        else if (equalIgnoringCase(name, metric))
            return fmt::format("{} has samples of \"{}\" that belong to no call: {}. skein-cli metrics "
                               "--samples lists them.",
                               experiment.name, name, whyNot(found.attribution));
    }
    if (metric.empty() && known.empty())
        return fmt::format("{} has no metrics, so there is nothing to sum up.", experiment.name);
    return fmt::format("{} has no metric \"{}\"; it has {}.", experiment.name, metric,
                       known.empty() ? "none" : known);
}

}  // namespace

Result<std::size_t> metricColumn(const Experiment& experiment, const Profile& profile,
                                 std::string_view metric)
{
    const MetricCube& cube = cubeWithMetrics(profile);
    std::string known;
    for (std::size_t column = 0; column < cube.metrics.size(); ++column) {
        const std::string name = metricName(experiment, cube, column);
        if (equalIgnoringCase(name, metric)) return column;
        known += known.empty() ? name : ", " + name;
    }
    const bool anyTime = metric.empty() || equalIgnoringCase(metric, "time");
    for (std::size_t column = 0; anyTime && column < cube.metrics.size(); ++column)
        if (isTime(experiment, cube, column)
            && aggregationOf(experiment, cube, column) == MetricAggregation::Sum)
            return column;
    if (metric.empty() && !cube.metrics.empty()) return 0;
    return fail(ErrorCode::NotRecorded, whyNoColumn(experiment, metric, known));
}

std::vector<RegionRow> profileByRegion(const Experiment& experiment, const Profile& profile,
                                       std::size_t metricColumn, const LocationScope& scope)
{
    const std::vector<Region>& regions = experiment.definitions.regions;
    const std::vector<std::uint32_t> numbers = nameNumbers(regions);
    const SummedColumn summed = summedColumn(experiment, profile.regions, metricColumn);
    GroupSums groups(regions.size(), regions.size(), summed);
    forEachRow(profile.regions, summed,
               [&](std::size_t location, std::uint32_t region, const ProfileValues& values) {
                   groups.add(location, numbers[region], region, values);
               });
    groups.settle();
    const bool addsUp = summed.aggregation == MetricAggregation::Sum;
    BalanceSums inclusive = inclusiveByName(experiment, profile, summed, numbers);
    const std::size_t locations = scopeSize(experiment, profile, scope);
    std::vector<RegionRow> rows;
    for (std::size_t region = 0; region < regions.size(); ++region) {
        const std::uint32_t name = numbers[region];
        if (groups.locations[name] == 0) continue;
        if (addsUp) groups.values[name].inclusive = inclusive.total(name);
        rows.push_back({regions[region].name, groups.items<RegionId>(name), groups.locations[name],
                        groups.values[name], breaksDown(profile, regions[region]),
                        inclusive.of(name, locations)});
        groups.locations[name] = 0;
    }
    std::sort(rows.begin(), rows.end(), [](const RegionRow& a, const RegionRow& b) {
        if (a.values.exclusive != b.values.exclusive) return a.values.exclusive > b.values.exclusive;
        return a.name < b.name;
    });
    return rows;
}

std::vector<CallPathRow> profileByCallPath(const Experiment& experiment, const Profile& profile,
                                           std::size_t metricColumn, const LocationScope& scope)
{
    if (profile.callPaths.rows() == 0) return {};
    const NamedTree tree = mergeByName(*experiment.callTree, experiment.definitions.regions);
    const SummedColumn summed = summedColumn(experiment, profile.callPaths, metricColumn);
    GroupSums groups(tree.parents.size(), tree.nodeOf.size(), summed);
    BalanceSums inclusive(tree.parents.size(), summed.aggregation);
    forEachRow(profile.callPaths, summed,
               [&](std::size_t location, std::uint32_t path, const ProfileValues& values) {
                   groups.add(location, tree.nodeOf[path], path, values);
                   inclusive.add(location, tree.nodeOf[path], values.inclusive);
               });
    groups.settle();
    std::vector<LocationBalance> balances;
    const std::size_t locations = scopeSize(experiment, profile, scope);
    for (std::size_t node = 0; node < tree.parents.size(); ++node)
        balances.push_back(inclusive.of(node, locations));
    std::vector<CallPathRow> rows = PreorderRows(experiment, tree, groups, balances).rows();
    markBreakdowns(experiment, profile, tree, rows);
    return rows;
}

std::vector<LocationRow> profileByLocation(const Experiment& experiment, const Profile& profile,
                                           std::size_t metricColumn)
{
    std::vector<LocationRow> rows(experiment.definitions.locations.size());
    const SummedColumn summed = summedColumn(experiment, profile.regions, metricColumn);
    for (std::size_t location = 0; location < rows.size(); ++location) {
        rows[location].location = LocationId(location);
        rows[location].values = nothingYet(summed);
    }
    forEachRow(profile.regions, summed,
               [&](std::size_t location, std::uint32_t region, const ProfileValues& values) {
                   if (location >= rows.size()) return;
                   ++rows[location].regions;
                   if (breaksDown(profile, experiment.definitions.regions[region])) return;
                   ProfileValues exclusive = values;
                   exclusive.inclusive = values.exclusive;
                   exclusive.durations = {};
                   rows[location].values.merge(exclusive);
               });
    for (LocationRow& row : rows) row.values.settle();
    return rows;
}

}  // namespace skein
