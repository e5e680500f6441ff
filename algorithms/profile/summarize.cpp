// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/summarize.h"

#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/moments.h"
#include "algorithms/profile/trace_metrics.h"
#include "core/base/memory_limit.h"
#include "core/base/parallel_for.h"
#include "core/index/span_sums.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <mutex>

namespace skein {
namespace {

constexpr std::uint32_t kNoSlot = CallPathId::kNone;  ///< of a region without a sum so far

struct Row {
    std::uint32_t item = 0;
    double inclusive = 0.0;
    double exclusive = 0.0;
    double cut = 0.0;  ///< calls that are not in `moments`
    Moments moments;
};

struct Amount {
    double inclusive = 0.0;
    double exclusive = 0.0;
};

struct LocationRows {
    std::vector<Row> callPaths;
    std::vector<Row> regions;
    std::vector<std::vector<Amount>> callPathMetrics;  ///< [metric][row]
    std::vector<std::vector<Amount>> regionMetrics;
};

/// Working memory of one thread: dense over call paths and regions, cleaned sparsely.
struct Scratch {
    SpanSums sums;
    std::vector<TimeNs> calleesNs;  ///< by call path
    std::vector<std::uint32_t> regionSlot;
    std::vector<double> inclusive;  ///< of a metric, by call path
    std::vector<double> exclusive;
};

class ScratchPool {
public:
    ScratchPool(std::size_t nodes, std::size_t regions) : nodes_(nodes), regions_(regions) {}

    std::unique_ptr<Scratch> take()
    {
        const std::lock_guard lock(mutex_);
        if (free_.empty())
            return std::make_unique<Scratch>(Scratch{SpanSums(nodes_),
                                                     std::vector<TimeNs>(nodes_),
                                                     std::vector<std::uint32_t>(regions_, kNoSlot),
                                                     {},
                                                     {}});
        auto scratch = std::move(free_.back());
        free_.pop_back();
        return scratch;
    }
    void give(std::unique_ptr<Scratch> scratch)
    {
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(scratch));
    }

private:
    std::size_t nodes_, regions_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> free_;
};

Moments momentsOf(const CallSum& sum)
{
    if (sum.calls == 0) return {};
    return {static_cast<double>(sum.calls), static_cast<double>(sum.durationNs),
            static_cast<double>(sum.shortestNs), static_cast<double>(sum.longestNs), sum.squaredDeviations()};
}

class LocationSummary {
public:
    LocationSummary(const CallTree& tree, const CallIntervals& calls, Scratch& scratch)
        : tree_(tree), calls_(calls), scratch_(scratch)
    {
    }

    /// `index` may be null.
    void sum(TimeSpan span, const TimelineIndex::Location* index, const Task& task)
    {
        if (span.empty()) return;
        if (index) scratch_.sums.add(calls_, *index, span);
        else scratch_.sums.add(calls_, span, task);
    }

    LocationRows takeRows()
    {
        const std::vector<std::uint32_t> paths = scratch_.sums.callPaths();
        for (const std::uint32_t path : paths) {
            const CallPathId caller = tree_.parent(CallPathId(path));
            if (caller.valid()) scratch_.calleesNs[caller.index()] += scratch_.sums.timeNs(path);
        }
        LocationRows rows;
        for (const std::uint32_t path : paths) {
            const TimeNs time = scratch_.sums.timeNs(path);
            rows.callPaths.push_back(
                {path, static_cast<double>(time), static_cast<double>(time - scratch_.calleesNs[path]),
                 static_cast<double>(scratch_.sums.cut(path).calls), momentsOf(scratch_.sums.whole(path))});
        }
        rows.regions = regionRows(rows.callPaths);
        for (const std::uint32_t path : paths) scratch_.calleesNs[path] = 0;
        scratch_.sums.clear();
        return rows;
    }

private:
    std::vector<Row> regionRows(const std::vector<Row>& callPaths)
    {
        std::vector<Row> rows;
        for (const Row& row : callPaths) {
            const CallPathId node(row.item);
            const RegionId region = tree_.region(node);
            std::uint32_t& slot = scratch_.regionSlot[region.index()];
            if (slot == kNoSlot) {
                slot = static_cast<std::uint32_t>(rows.size());
                rows.push_back({region.value(), 0.0, 0.0, 0.0, {}});
            }
            Row& sum = rows[slot];
            if (!tree_.isRecursive(node)) sum.inclusive += row.inclusive;
            sum.exclusive += row.exclusive;
            sum.cut += row.cut;
            sum.moments.merge(row.moments);
        }
        for (const Row& row : rows) scratch_.regionSlot[row.item] = kNoSlot;
        std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.item < b.item; });
        return rows;
    }

    const CallTree& tree_;
    const CallIntervals& calls_;
    Scratch& scratch_;
};

/// Fills the metrics of one location's rows.
class LocationMetrics {
public:
    LocationMetrics(const Experiment& experiment, LocationId location, Scratch& scratch, LocationRows& rows)
        : experiment_(experiment), location_(location), scratch_(scratch), rows_(rows)
    {
    }

    void add(MetricId metric, const std::optional<TimeSpan>& window)
    {
        scratch_.inclusive.assign(experiment_.callTree->size(), 0.0);
        scratch_.exclusive.assign(experiment_.callTree->size(), 0.0);
        if (const MetricStream* stream = streamOf(metric)) {
            const auto column = static_cast<std::size_t>(
                std::find(stream->metrics.begin(), stream->metrics.end(), metric) - stream->metrics.begin());
            const MetricLevels levels(*stream, column, experiment_.definitions.metric(metric));
            addInclusive(experiment_.trace->locations[location_.index()].intervals, levels, window,
                         scratch_.inclusive);
        }
        deriveExclusive();
        rows_.callPathMetrics.push_back(callPathAmounts());
        rows_.regionMetrics.push_back(regionAmounts());
    }

private:
    const MetricStream* streamOf(MetricId metric) const
    {
        const auto& streams = experiment_.trace->metricStreams;
        const auto fits = [&](const MetricStream& stream) {
            return stream.recorder == location_ && attributionOf(stream) == Attribution::PerCall
                && std::find(stream.metrics.begin(), stream.metrics.end(), metric) != stream.metrics.end();
        };
        const auto byRecorder = [](const MetricStream& stream, LocationId recorder) {
            return stream.recorder < recorder;
        };
        const auto first = std::lower_bound(streams.begin(), streams.end(), location_, byRecorder);
        const auto found = std::find_if(first, streams.end(), fits);
        return found == streams.end() ? nullptr : &*found;
    }

    void deriveExclusive()
    {
        for (const Row& row : rows_.callPaths) {
            scratch_.exclusive[row.item] += scratch_.inclusive[row.item];
            const CallPathId parent = experiment_.callTree->parent(CallPathId(row.item));
            if (parent.valid()) scratch_.exclusive[parent.index()] -= scratch_.inclusive[row.item];
        }
    }

    std::vector<Amount> callPathAmounts() const
    {
        std::vector<Amount> amounts;
        for (const Row& row : rows_.callPaths)
            amounts.push_back({scratch_.inclusive[row.item], scratch_.exclusive[row.item]});
        return amounts;
    }

    std::vector<Amount> regionAmounts()
    {
        for (std::uint32_t row = 0; row < rows_.regions.size(); ++row)
            scratch_.regionSlot[rows_.regions[row].item] = row;
        std::vector<Amount> amounts(rows_.regions.size());
        for (const Row& row : rows_.callPaths) {
            Amount& sum =
                amounts[scratch_.regionSlot[experiment_.callTree->region(CallPathId(row.item)).index()]];
            if (!experiment_.callTree->isRecursive(CallPathId(row.item)))
                sum.inclusive += scratch_.inclusive[row.item];
            sum.exclusive += scratch_.exclusive[row.item];
        }
        for (const Row& row : rows_.regions) scratch_.regionSlot[row.item] = kNoSlot;
        return amounts;
    }

    const Experiment& experiment_;
    LocationId location_;
    Scratch& scratch_;
    LocationRows& rows_;
};

template <typename Value, typename Function>
Column<Value> columnOf(const std::vector<LocationRows>& all, std::vector<Row> LocationRows::*rows,
                       std::size_t count, Function value)
{
    std::vector<Value> values;
    values.reserve(count);
    for (const LocationRows& location : all)
        for (const Row& row : location.*rows) values.push_back(value(row));
    return Column<Value>(std::move(values));
}

MetricCube cubeOf(const std::vector<LocationRows>& all, std::vector<Row> LocationRows::*rows)
{
    MetricCube cube;
    std::vector<std::uint64_t> offsets{0};
    for (const LocationRows& location : all) offsets.push_back(offsets.back() + (location.*rows).size());
    const std::size_t count = offsets.back();
    const auto column = [&](auto value) { return columnOf<double>(all, rows, count, value); };
    cube.metrics = {MetricId()};
    cube.locationOffsets = Column<std::uint64_t>(std::move(offsets));
    cube.items = columnOf<std::uint32_t>(all, rows, count, [](const Row& row) { return row.item; });
    cube.calls = column([](const Row& row) { return row.moments.count + row.cut; });
    cube.inclusive = {column([](const Row& row) { return row.inclusive; })};
    cube.exclusive = {column([](const Row& row) { return row.exclusive; })};
    const auto isCut = [&](const LocationRows& location) {
        return std::any_of((location.*rows).begin(), (location.*rows).end(),
                           [](const Row& row) { return row.cut > 0; });
    };
    const bool anyCut = std::any_of(all.begin(), all.end(), isCut);
    cube.durations = {anyCut ? column([](const Row& row) { return row.cut; }) : Column<double>(),
                      column([](const Row& row) { return row.moments.sum; }),
                      column([](const Row& row) { return row.moments.minimum; }),
                      column([](const Row& row) { return row.moments.maximum; }),
                      column([](const Row& row) { return row.moments.squaredDeviations; })};
    return cube;
}

void appendMetrics(MetricCube& cube, const std::vector<LocationRows>& all,
                   std::vector<std::vector<Amount>> LocationRows::*amounts,
                   const std::vector<MetricId>& metrics)
{
    for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
        std::vector<double> inclusive, exclusive;
        for (const LocationRows& location : all) {
            if ((location.*amounts).empty()) continue;
            for (const Amount& amount : (location.*amounts)[metric]) {
                inclusive.push_back(amount.inclusive);
                exclusive.push_back(amount.exclusive);
            }
        }
        cube.metrics.push_back(metrics[metric]);
        cube.inclusive.emplace_back(std::move(inclusive));
        cube.exclusive.emplace_back(std::move(exclusive));
    }
}

std::vector<bool> wantedLocations(const Trace& trace, const std::vector<LocationId>& locations)
{
    std::vector<bool> wanted(trace.locations.size(), locations.empty());
    for (const LocationId location : locations)
        if (location.index() < wanted.size()) wanted[location.index()] = true;
    return wanted;
}

}  // namespace

Result<Profile> summarizeTrace(const Experiment& experiment, const SummaryParams& params, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded,
                    fmt::format("{} holds no trace that could be summed up.", experiment.name));
    const Trace& trace = *experiment.trace;
    const std::vector<bool> wanted = wantedLocations(trace, params.locations);
    std::vector<LocationRows> rows(trace.locations.size());
    ScratchPool pool(experiment.callTree->size(), experiment.definitions.regions.size());
    const TimeSpan span = params.window.value_or(
        TimeSpan{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()});
    const TimelineIndex* const index = experiment.timelineIndex.get();
    const bool all = parallelFor(rows.size(), task, [&](std::size_t location) {
        if (!wanted[location]) return;
        auto scratch = pool.take();
        LocationSummary summary(*experiment.callTree, trace.locations[location].intervals, *scratch);
        summary.sum(span, index ? &index->locations[location] : nullptr, task);
        rows[location] = summary.takeRows();
        LocationMetrics metrics(experiment, LocationId(location), *scratch, rows[location]);
        for (const MetricId metric : params.metrics) metrics.add(metric, params.window);
        pool.give(std::move(scratch));
        const CallIntervals& calls = trace.locations[location].intervals;
        columnsLeaveMemory(calls.begin, calls.end, calls.callPath, calls.depth);
    });
    if (!all || task.stopRequested()) return cancelled();
    Profile profile;
    profile.callPaths = cubeOf(rows, &LocationRows::callPaths);
    profile.regions = cubeOf(rows, &LocationRows::regions);
    appendMetrics(profile.callPaths, rows, &LocationRows::callPathMetrics, params.metrics);
    appendMetrics(profile.regions, rows, &LocationRows::regionMetrics, params.metrics);
    return profile;
}

Result<std::shared_ptr<const Profile>> profileOf(const Experiment& experiment,
                                                 const std::optional<TimeSpan>& window,
                                                 std::string_view metric, const Task& task)
{
    if (experiment.profile && !window) {
        const auto column = metricColumn(experiment, *experiment.profile, metric);
        if (column) return withColumn(experiment.profile, *column, task);
        if (!metricPerCall(experiment, metric).valid()) return experiment.profile;
    }
    if (!experiment.trace && experiment.profile)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format(
                "{} is a profile: it has sums over the whole run and no times, so no window can be cut "
                "from it. Open a trace, or leave the window out.",
                experiment.name));
    SummaryParams params{window, {}, {}};
    if (const MetricId wanted = metricPerCall(experiment, metric); wanted.valid()) params.metrics = {wanted};
    auto summary = summarizeTrace(experiment, params, task);
    if (!summary) return tl::make_unexpected(std::move(summary.error()));
    return std::make_shared<const Profile>(std::move(*summary));
}

Result<std::shared_ptr<const Profile>> profileOf(const Experiment& experiment,
                                                 const std::optional<TimeSpan>& window, const Task& task)
{
    return profileOf(experiment, window, {}, task);
}

}  // namespace skein
