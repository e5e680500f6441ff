// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tree_profile/tree_profile.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

constexpr double kNothingThere = std::numeric_limits<double>::quiet_NaN();

double combinedAmount(MetricAggregation aggregation, double before, double value)
{
    if (std::isnan(before)) return value;
    if (aggregation == MetricAggregation::Minimum) return std::min(before, value);
    return aggregation == MetricAggregation::Maximum ? std::max(before, value) : before + value;
}

Column<double> pickedRows(const std::vector<double>& values, const std::vector<std::size_t>& order)
{
    std::vector<double> out;
    out.reserve(order.size());
    for (const std::size_t at : order) out.push_back(values[at]);
    return Column<double>(std::move(out));
}

}  // namespace

bool TreeFrame::operator<(const TreeFrame& other) const
{
    return std::tie(name, file, line, module) < std::tie(other.name, other.file, other.line, other.module);
}

CallPathId TreeProfileBuilder::child(CallPathId parent, const TreeFrame& frame)
{
    const auto [found, isNew] =
        regions_.emplace(frame, static_cast<std::uint32_t>(definitions_.regions.size()));
    if (isNew) {
        Region region;
        region.name = toValidUtf8(frame.name.empty() ? std::string("(no name)") : frame.name);
        region.sourceFile = toValidUtf8(frame.file);
        region.beginLine = frame.line;
        region.role = frame.role;
        region.description = toValidUtf8(frame.module);
        if (region.name.starts_with("MPI_") || region.name.starts_with("PMPI_"))
            region.paradigm = Paradigm::Mpi;
        definitions_.regions.push_back(std::move(region));
    }
    return tree_.child(parent, RegionId(found->second));
}

std::uint32_t TreeProfileBuilder::location(std::int64_t rank, std::int32_t thread)
{
    const auto [found, isNew] = locations_.emplace(std::pair(rank, thread),
                                                   static_cast<std::uint32_t>(definitions_.locations.size()));
    if (!isNew) return found->second;
    const auto [group, isNewGroup] =
        groups_.emplace(rank, static_cast<std::uint32_t>(definitions_.locationGroups.size()));
    if (isNewGroup) {
        LocationGroup made;
        made.name = rank < 0 ? "Process" : fmt::format("Rank {}", rank);
        made.kind = LocationGroupKind::Process;
        made.rank = rank;
        definitions_.locationGroups.push_back(std::move(made));
    }
    Location made;
    made.name = rank < 0 ? "Process" : fmt::format("Rank {} Thread {}", rank, thread);
    made.kind = LocationKind::CpuThread;
    made.group = LocationGroupId(group->second);
    made.rank = rank;
    made.thread = thread;
    made.originalId = definitions_.locations.size();
    definitions_.locations.push_back(std::move(made));
    return found->second;
}

std::uint32_t TreeProfileBuilder::metric(const std::string& name, const std::string& unit,
                                         MetricAggregation aggregation)
{
    const auto [found, isNew] =
        metrics_.emplace(name, static_cast<std::uint32_t>(definitions_.metrics.size()));
    if (!isNew) return found->second;
    Metric made;
    made.name = toValidUtf8(name);
    made.unit = unit;
    made.aggregation = aggregation;
    definitions_.metrics.push_back(std::move(made));
    columns_.emplace_back();
    return found->second;
}

std::size_t TreeProfileBuilder::row(CallPathId node, std::uint32_t location)
{
    const auto [found, isNew] = rows_.emplace(std::uint64_t{location} << 32 | node.value(), rowNodes_.size());
    if (isNew) {
        rowNodes_.push_back(node.value());
        rowLocations_.push_back(location);
        calls_.push_back(0.0);
    }
    return found->second;
}

void TreeProfileBuilder::add(CallPathId node, std::uint32_t location, std::uint32_t metric,
                             TreeRowAmount amount, double value)
{
    if (!std::isfinite(value)) return;
    const std::size_t at = row(node, location);
    Column& column = columns_[metric];
    const bool inclusive = amount == TreeRowAmount::Inclusive;
    (inclusive ? column.hasInclusive : column.hasExclusive) = true;
    std::vector<double>& values = inclusive ? column.inclusive : column.exclusive;
    if (values.size() <= at) values.resize(rowNodes_.size(), kNothingThere);
    values[at] = combinedAmount(definitions_.metrics[metric].aggregation, values[at], value);
}

void TreeProfileBuilder::addCalls(CallPathId node, std::uint32_t location, double calls)
{
    if (std::isfinite(calls)) calls_[row(node, location)] += calls;
}

void TreeProfileBuilder::addAncestors()
{
    for (std::size_t at = 0; at < rowNodes_.size(); ++at) {
        const CallPathId parent = tree_.parent(CallPathId(rowNodes_[at]));
        if (parent.valid()) row(parent, rowLocations_[at]);
    }
    for (Column& column : columns_) {
        column.inclusive.resize(rowNodes_.size(), kNothingThere);
        column.exclusive.resize(rowNodes_.size(), kNothingThere);
    }
}

std::vector<std::size_t> TreeProfileBuilder::sortRows()
{
    std::vector<std::size_t> order(rowNodes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(rowLocations_[a], rowNodes_[a]) < std::pair(rowLocations_[b], rowNodes_[b]);
    });
    return order;
}

void TreeProfileBuilder::complete(Column& column, const Metric& metric,
                                  const std::vector<std::size_t>& order) const
{
    const bool sums = metric.aggregation == MetricAggregation::Sum;
    const auto parentRow = [&](std::size_t at) -> std::ptrdiff_t {
        const CallPathId parent = tree_.parent(CallPathId(rowNodes_[at]));
        if (!parent.valid()) return -1;
        return static_cast<std::ptrdiff_t>(rows_.at(std::uint64_t{rowLocations_[at]} << 32 | parent.value()));
    };
    if (!sums) {
        if (!column.hasInclusive) column.inclusive = column.exclusive;
        if (!column.hasExclusive) column.exclusive = column.inclusive;
        return;
    }
    const auto zeroed = [](std::vector<double>& values) {
        for (double& value : values)
            if (std::isnan(value)) value = 0.0;
    };
    if (column.hasExclusive) zeroed(column.exclusive);
    // Children have greater numbers than their parents. Where a node has no inclusive amount of its own, it
    // is that of its callees and what is its own.
    std::vector<double> below(order.size(), 0.0);
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        if (std::isnan(column.inclusive[*at]))
            column.inclusive[*at] = below[*at] + (column.hasExclusive ? column.exclusive[*at] : 0.0);
        const std::ptrdiff_t parent = parentRow(*at);
        if (parent >= 0) below[static_cast<std::size_t>(parent)] += column.inclusive[*at];
    }
    if (column.hasExclusive) return;
    for (const std::size_t at : order) column.exclusive[at] = column.inclusive[at] - below[at];
}

MetricCube TreeProfileBuilder::pathCube(const std::vector<std::size_t>& order) const
{
    MetricCube cube;
    std::vector<std::uint64_t> offsets(definitions_.locations.size() + 1);
    std::vector<std::uint32_t> items;
    for (const std::size_t at : order) {
        ++offsets[rowLocations_[at] + 1];
        items.push_back(rowNodes_[at]);
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    cube.locationOffsets = skein::Column<std::uint64_t>(std::move(offsets));
    cube.items = skein::Column<std::uint32_t>(std::move(items));
    cube.calls = pickedRows(calls_, order);
    for (std::size_t metric = 0; metric < columns_.size(); ++metric) {
        cube.metrics.emplace_back(metric);
        cube.inclusive.push_back(pickedRows(columns_[metric].inclusive, order));
        cube.exclusive.push_back(pickedRows(columns_[metric].exclusive, order));
    }
    // The time first: it is what is shown without being asked for.
    const auto rank = [&](std::size_t metric) {
        const Metric& one = definitions_.metrics[metric];
        return one.name == "time"                       ? 0
            : one.aggregation != MetricAggregation::Sum ? 3
            : one.unit == "ns"                          ? 1
                                                        : 2;
    };
    std::vector<std::size_t> sorted(columns_.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::stable_sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
    MetricCube arranged = cube;
    for (std::size_t at = 0; at < sorted.size(); ++at) {
        arranged.metrics[at] = cube.metrics[sorted[at]];
        arranged.inclusive[at] = cube.inclusive[sorted[at]];
        arranged.exclusive[at] = cube.exclusive[sorted[at]];
    }
    return arranged;
}

MetricCube TreeProfileBuilder::regionCube(const MetricCube& paths, const CallTree& tree) const
{
    MetricCube cube;
    cube.metrics = paths.metrics;
    const std::size_t metrics = paths.metrics.size();
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> items;
    std::vector<double> calls;
    std::vector<std::vector<double>> inclusive(metrics), exclusive(metrics);
    for (std::size_t location = 0; location < paths.locations(); ++location) {
        std::map<std::uint32_t, std::size_t> rowOf;
        const std::uint64_t begin = paths.locationOffsets[location],
                            end = paths.locationOffsets[location + 1];
        for (std::uint64_t at = begin; at < end; ++at)
            rowOf.try_emplace(tree.region(CallPathId(paths.items[at])).value(), 0);
        for (auto& [region, to] : rowOf) {
            to = items.size();
            items.push_back(region);
        }
        calls.resize(items.size());
        for (std::size_t metric = 0; metric < metrics; ++metric) {
            inclusive[metric].resize(items.size(), kNothingThere);
            exclusive[metric].resize(items.size(), kNothingThere);
        }
        for (std::uint64_t at = begin; at < end; ++at) {
            const CallPathId node(paths.items[at]);
            const std::size_t to = rowOf.at(tree.region(node).value());
            calls[to] += paths.calls[at];
            for (std::size_t metric = 0; metric < metrics; ++metric) {
                const auto how = definitions_.metrics[paths.metrics[metric].index()].aggregation;
                const double own = paths.exclusive[metric][at], whole = paths.inclusive[metric][at];
                if (!std::isnan(own)) exclusive[metric][to] = combinedAmount(how, exclusive[metric][to], own);
                if (!std::isnan(whole) && (how != MetricAggregation::Sum || !tree.isRecursive(node)))
                    inclusive[metric][to] = combinedAmount(how, inclusive[metric][to], whole);
            }
        }
        offsets.push_back(items.size());
    }
    cube.locationOffsets = skein::Column<std::uint64_t>(std::move(offsets));
    cube.items = skein::Column<std::uint32_t>(std::move(items));
    cube.calls = skein::Column<double>(std::move(calls));
    for (std::size_t metric = 0; metric < metrics; ++metric) {
        cube.inclusive.emplace_back(std::move(inclusive[metric]));
        cube.exclusive.emplace_back(std::move(exclusive[metric]));
    }
    return cube;
}

Result<Experiment> TreeProfileBuilder::finish(const std::filesystem::path& path, std::string format,
                                              ImportReport report, const Task& task) &&
{
    if (tree_.size() == 0 || rowNodes_.empty() || columns_.empty())
        return fail(
            ErrorCode::Malformed,
            fmt::format("{} holds no values of any call path: there is nothing to show.", path.string()));
    addAncestors();
    const std::vector<std::size_t> order = sortRows();
    for (std::size_t metric = 0; metric < columns_.size(); ++metric) {
        if (task.stopRequested()) return cancelled();
        complete(columns_[metric], definitions_.metrics[metric], order);
    }
    auto profile = std::make_shared<Profile>();
    profile->artificial = ArtificialRegions::Measured;
    profile->callPaths = pathCube(order);
    Experiment experiment;
    experiment.callTree = std::make_shared<const CallTree>(std::move(tree_).finish());
    profile->regions = regionCube(profile->callPaths, *experiment.callTree);
    experiment.path = path;
    experiment.name = toValidUtf8(path.filename().string());
    experiment.format = std::move(format);
    experiment.definitions = std::move(definitions_);
    experiment.profile = std::move(profile);
    experiment.report = std::move(report);
    return experiment;
}

Result<Experiment> guardedRead(const std::filesystem::path& path, const Task& task,
                               Result<Experiment> (*read)(const std::filesystem::path&, const Task&))
{
    try {
        return read(path, task);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("There is not enough memory to open {}.", path.string()));
    }
}

}  // namespace skein
