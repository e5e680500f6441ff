// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/summarize.h"

#include "algorithms/profile/moments.h"
#include "algorithms/profile/trace_metrics.h"
#include "core/base/memory_limit.h"
#include "core/base/parallel_for.h"
#include "core/index/first_call.h"
#include "core/trace/nested_calls.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <limits>
#include <mutex>

namespace skein {
namespace {

constexpr std::uint32_t kNoSlot = CallPathId::kNone;  ///< of a region without a sum so far
constexpr std::size_t kCallsBetweenStopChecks = 1u << 16;

/// The calls of one call path on one location. Deviations are taken from the first duration, so that the
/// squares of long steady calls do not swallow their differences.
struct NodeSum {
    std::uint64_t calls = 0;
    std::int64_t inclusiveNs = 0;
    std::int64_t exclusiveNs = 0;
    std::int64_t shortestNs = std::numeric_limits<std::int64_t>::max();
    std::int64_t longestNs = 0;
    std::int64_t firstNs = 0;
    double squaresFromFirst = 0.0;

    void add(std::int64_t durationNs)
    {
        if (calls++ == 0) firstNs = durationNs;
        inclusiveNs += durationNs;
        shortestNs = std::min(shortestNs, durationNs);
        longestNs = std::max(longestNs, durationNs);
        const auto deviation = static_cast<double>(durationNs - firstNs);
        squaresFromFirst += deviation * deviation;
    }

    Moments moments() const
    {
        const auto count = static_cast<double>(calls);
        const double shift = static_cast<double>(inclusiveNs) - count * static_cast<double>(firstNs);
        return {count, static_cast<double>(inclusiveNs), static_cast<double>(shortestNs),
                static_cast<double>(longestNs), std::max(0.0, squaresFromFirst - shift * shift / count)};
    }
};

struct Row {
    std::uint32_t item = 0;
    double inclusive = 0.0;
    double exclusive = 0.0;
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
    std::vector<NodeSum> nodes;
    std::vector<std::uint32_t> touched;
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
            return std::make_unique<Scratch>(Scratch{
                std::vector<NodeSum>(nodes_), {}, std::vector<std::uint32_t>(regions_, kNoSlot), {}, {}});
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

class LocationSummary {
public:
    LocationSummary(const CallTree& tree, const CallIntervals& calls, Scratch& scratch)
        : tree_(tree), calls_(calls), scratch_(scratch)
    {
    }

    /// False when it was told to stop.
    bool sum(const std::optional<TimeSpan>& window, const Task& task)
    {
        const TimeSpan span =
            window.value_or(TimeSpan{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()});
        if (span.empty()) return true;
        const std::size_t first = window ? firstCallFrom(calls_, span.begin) : 0;
        const std::size_t last = window ? firstCallFrom(calls_, span.end) : calls_.size();
        if (window) addOpenAt(first, span);
        for (std::size_t from = first; from < last; from += kCallsBetweenStopChecks) {
            if (task.stopRequested()) return false;
            addRange(from, std::min(last, from + kCallsBetweenStopChecks), span.end);
        }
        return true;
    }

    LocationRows takeRows()
    {
        std::sort(scratch_.touched.begin(), scratch_.touched.end());
        deriveExclusive();
        LocationRows rows;
        for (const std::uint32_t node : scratch_.touched) {
            const NodeSum& sum = scratch_.nodes[node];
            rows.callPaths.push_back({node, static_cast<double>(sum.inclusiveNs),
                                      static_cast<double>(sum.exclusiveNs), sum.moments()});
        }
        rows.regions = regionRows(rows.callPaths);
        for (const std::uint32_t node : scratch_.touched) scratch_.nodes[node] = NodeSum();
        scratch_.touched.clear();
        return rows;
    }

private:
    void add(std::uint32_t node, std::int64_t durationNs)
    {
        NodeSum& sum = scratch_.nodes[node];
        if (sum.calls == 0) scratch_.touched.push_back(node);
        sum.add(durationNs);
    }

    void addRange(std::size_t from, std::size_t to, TimeNs windowEnd)
    {
        for (std::size_t i = from; i < to; ++i)
            add(calls_.callPath[i], std::min(calls_.end[i], windowEnd) - calls_.begin[i]);
    }

    /// The calls that began before the window and reach into it: the last one before it and those around it.
    void addOpenAt(std::size_t first, TimeSpan window)
    {
        forEachOpenBefore(calls_, first, [&](std::uint32_t i) {
            if (calls_.end[i] > window.begin)
                add(calls_.callPath[i], std::min(calls_.end[i], window.end) - window.begin);
        });
    }

    void deriveExclusive()
    {
        for (const std::uint32_t node : scratch_.touched) {
            NodeSum& sum = scratch_.nodes[node];
            sum.exclusiveNs += sum.inclusiveNs;
            const CallPathId parent = tree_.parent(CallPathId(node));
            if (parent.valid()) scratch_.nodes[parent.index()].exclusiveNs -= sum.inclusiveNs;
        }
    }

    std::vector<Row> regionRows(const std::vector<Row>& callPaths)
    {
        std::vector<Row> rows;
        for (const Row& row : callPaths) {
            const CallPathId node(row.item);
            const RegionId region = tree_.region(node);
            std::uint32_t& slot = scratch_.regionSlot[region.index()];
            if (slot == kNoSlot) {
                slot = static_cast<std::uint32_t>(rows.size());
                rows.push_back({region.value(), 0.0, 0.0, {}});
            }
            Row& sum = rows[slot];
            if (!tree_.isRecursive(node)) sum.inclusive += row.inclusive;
            sum.exclusive += row.exclusive;
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
    cube.calls = column([](const Row& row) { return row.moments.count; });
    cube.inclusive = {column([](const Row& row) { return row.inclusive; })};
    cube.exclusive = {column([](const Row& row) { return row.exclusive; })};
    cube.durations = {column([](const Row& row) { return row.moments.sum; }),
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
    std::atomic<bool> complete = true;
    const bool all = parallelFor(rows.size(), task, [&](std::size_t location) {
        if (!wanted[location]) return;
        auto scratch = pool.take();
        LocationSummary summary(*experiment.callTree, trace.locations[location].intervals, *scratch);
        if (!summary.sum(params.window, task)) complete = false;
        rows[location] = summary.takeRows();
        LocationMetrics metrics(experiment, LocationId(location), *scratch, rows[location]);
        for (const MetricId metric : params.metrics) metrics.add(metric, params.window);
        pool.give(std::move(scratch));
        const CallIntervals& calls = trace.locations[location].intervals;
        columnsLeaveMemory(calls.begin, calls.end, calls.callPath, calls.depth);
    });
    if (!all || !complete) return cancelled();
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
    if (experiment.profile && !window) return experiment.profile;
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
