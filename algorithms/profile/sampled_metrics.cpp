// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/sampled_metrics.h"

#include "core/trace/nested_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace skein {
namespace {

constexpr std::size_t kStopEvery = 1 << 16;

using CellKey = std::pair<std::uint32_t, std::uint32_t>;  // location, region
using Cells = std::map<CellKey, Moments>;

Moments momentsOfUserEvent(const EventStatistic& statistic)
{
    if (!(statistic.count > 0.0)) return {};
    const double deviations = statistic.sumOfSquares - statistic.count * statistic.mean * statistic.mean;
    return {statistic.count, statistic.count * statistic.mean, statistic.minimum, statistic.maximum,
            std::max(0.0, deviations)};
}

bool isNamed(const Experiment& experiment, MetricId metric, std::string_view name)
{
    return metric.index() < experiment.definitions.metrics.size()
        && experiment.definitions.metric(metric).name == name;
}

/// The region of each call on a stack that is followed through time.
class StackWalk {
public:
    StackWalk(const CallTree& tree, const CallIntervals& calls) : tree_(tree), calls_(calls), open_(calls) {}

    /// The innermost call at the time, entered by then and not left before it; times must not decrease.
    RegionId regionAt(TimeNs time)
    {
        for (; next_ < calls_.size() && calls_.begin[next_] <= time; ++next_) {
            open_.enter(next_);
        }
        // What is written with the leave of a call still belongs to it.
        while (!open_.empty() && calls_.end[open_.innermost()] < time) open_.leave();
        return open_.empty() ? RegionId() : tree_.region(CallPathId(calls_.callPath[open_.innermost()]));
    }

private:
    const CallTree& tree_;
    const CallIntervals& calls_;
    std::uint32_t next_ = 0;
    OpenCalls open_;
};

bool addSamples(const Experiment& experiment, const MetricStream& stream, std::size_t column,
                const std::optional<TimeSpan>& window, Cells& cells, const Task& task)
{
    const MetricValueType type = experiment.definitions.metric(stream.metrics[column]).valueType;
    const std::uint32_t location = stream.recorder.value();
    if (location >= experiment.trace->locations.size()) return true;
    StackWalk stack(*experiment.callTree, experiment.trace->locations[location].intervals);
    for (std::size_t sample = 0; sample < stream.samples(); ++sample) {
        if (sample % kStopEvery == 0 && task.stopRequested()) return false;
        const TimeNs time = stream.times[sample];
        if (window && !window->contains(time)) continue;
        const double value = metricValue(stream.values[sample * stream.metrics.size() + column], type);
        if (!std::isfinite(value)) continue;
        cells[{location, stack.regionAt(time).value()}].merge({1.0, value, value, value, 0.0});
    }
    return true;
}

void addUserEvents(const Experiment& experiment, std::string_view name, Cells& cells)
{
    Cells inContext, whole;
    for (const EventStatistic& statistic : experiment.profile->statistics) {
        if (!isNamed(experiment, statistic.metric, name)) continue;
        const bool told =
            statistic.context.valid() && statistic.context.index() < experiment.callTree->size();
        const RegionId region = told ? experiment.callTree->region(statistic.context) : RegionId();
        (told ? inContext : whole)[{statistic.location.value(), region.value()}].merge(
            momentsOfUserEvent(statistic));
    }
    std::map<std::uint32_t, double> counted;
    for (const auto& [key, values] : inContext) counted[key.first] += values.count;
    const auto complete = [&](std::uint32_t location) {
        const auto all = whole.find({location, RegionId::kNone});
        return all == whole.end() || all->second.count == counted[location];
    };
    for (const auto& [key, values] : inContext)
        if (complete(key.first)) cells[key].merge(values);
    for (const auto& [key, values] : whole)
        if (!counted.count(key.first) || !complete(key.first)) cells[key].merge(values);
}

}  // namespace

std::vector<std::string> sampledMetricNames(const Experiment& experiment)
{
    std::set<std::uint32_t> metrics;
    if (experiment.trace)
        for (const MetricStream& stream : experiment.trace->metricStreams)
            for (const MetricId metric : stream.metrics)
                if (stream.samples() > 0) metrics.insert(metric.value());
    if (experiment.profile)
        for (const EventStatistic& statistic : experiment.profile->statistics)
            metrics.insert(statistic.metric.value());
    std::set<std::string> names;
    for (const std::uint32_t metric : metrics)
        if (metric < experiment.definitions.metrics.size())
            names.insert(experiment.definitions.metrics[metric].name);
    return {names.begin(), names.end()};
}

Result<std::vector<SampledCell>> sampledMetric(const Experiment& experiment, std::string_view name,
                                               const std::optional<TimeSpan>& window, const Task& task)
{
    Cells cells;
    if (experiment.trace)
        for (const MetricStream& stream : experiment.trace->metricStreams)
            for (std::size_t column = 0; column < stream.metrics.size(); ++column)
                if (isNamed(experiment, stream.metrics[column], name)
                    && !addSamples(experiment, stream, column, window, cells, task))
                    return cancelled();
    if (experiment.profile && !window && cells.empty()) addUserEvents(experiment, name, cells);
    std::vector<SampledCell> result;
    for (const auto& [key, values] : cells)
        if (values.count > 0.0) result.push_back({LocationId(key.first), RegionId(key.second), values});
    return result;
}

}  // namespace skein
