// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/metric_steps.h"

#include "algorithms/profile/trace_metrics.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace skein {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

bool isAbsolute(MetricMode mode)
{
    return mode == MetricMode::AbsolutePoint || mode == MetricMode::AbsoluteLast
        || mode == MetricMode::AbsoluteNext;
}

struct Samples {
    const MetricStream& stream;
    std::size_t column;
    MetricValueType type;

    std::uint64_t bits(std::size_t sample) const
    {
        return stream.values[sample * stream.metrics.size() + column];
    }
    double value(std::size_t sample) const { return metricValue(bits(sample), type); }
    std::size_t count() const { return stream.samples(); }
};

StepSeries statesOf(const Samples& samples, bool sinceLast, TimeNs end)
{
    std::vector<TimeNs> begins(samples.stream.times.begin(), samples.stream.times.end());
    std::vector<double> values;
    values.reserve(begins.size());
    for (std::size_t sample = 0; sample < samples.count(); ++sample) {
        const std::size_t from = sample + (sinceLast ? 1 : 0);
        values.push_back(from < samples.count() ? samples.value(from) : kUnknown);
    }
    if (begins.empty()) return {};
    return {begins, values, std::max(end, begins.back())};
}

/// Amounts come at samples, or, of mode "next", belong to the time after them.
StepSeries ratesOf(const Samples& samples, MetricMode mode, TimeNs end)
{
    constexpr double kNsPerSecond = 1e9;
    const Column<TimeNs>& times = samples.stream.times;
    std::vector<TimeNs> begins;
    std::vector<double> values;
    double amount = 0;
    for (std::size_t sample = 0; sample + 1 < samples.count(); ++sample) {
        amount += mode == MetricMode::RelativeNext ? samples.value(sample)
            : isRelative(mode)                     ? samples.value(sample + 1)
                               : metricIncrease(samples.bits(sample), samples.bits(sample + 1), samples.type);
        const TimeNs length = times[sample + 1] - times[sample];
        if (length <= 0) continue;
        begins.push_back(times[sample]);
        values.push_back(amount / static_cast<double>(length) * kNsPerSecond);
        amount = 0;
    }
    if (begins.empty()) return {};
    const TimeNs last = times[samples.count() - 1];
    if (mode == MetricMode::RelativeNext && end > last) {
        begins.push_back(last);
        values.push_back(samples.value(samples.count() - 1) / static_cast<double>(end - last) * kNsPerSecond);
        return {begins, values, end};
    }
    return {begins, values, last};
}

/// A total never becomes less: what falls is a state, whatever the archive calls it.
bool falls(const MetricStream& stream, std::size_t column, const Metric& metric)
{
    if (isRelative(metric.mode) || isAbsolute(metric.mode)) return false;
    const Samples samples{stream, column, metric.valueType};
    for (std::size_t sample = 0; sample + 1 < samples.count(); ++sample)
        if (metricIncrease(samples.bits(sample), samples.bits(sample + 1), metric.valueType) < 0.0)
            return true;
    return false;
}

bool fallsAnywhere(const Trace& trace, const Definitions& definitions, const std::string& name)
{
    for (const MetricStream& stream : trace.metricStreams)
        for (std::size_t column = 0; column < stream.metrics.size(); ++column) {
            const Metric& metric = definitions.metric(stream.metrics[column]);
            if (metric.name == name && falls(stream, column, metric)) return true;
        }
    return false;
}

bool isOfCallPath(const std::string& name) { return name.find(" => ") != std::string::npos; }

}  // namespace

bool isCounter(const Metric& metric) { return !isAbsolute(metric.mode); }

StepSeries metricSteps(const MetricStream& stream, std::size_t column, const Metric& metric, TimeNs end)
{
    const Samples samples{stream, column, metric.valueType};
    return isCounter(metric) ? ratesOf(samples, metric.mode, end)
                             : statesOf(samples, metric.mode == MetricMode::AbsoluteLast, end);
}

Result<MetricLanes> metricLanes(const Experiment& experiment, const std::string& name, const Task& task)
{
    MetricLanes result;
    result.metric = name;
    if (experiment.trace) {
        const bool isState = fallsAnywhere(*experiment.trace, experiment.definitions, name);
        for (const MetricStream& stream : experiment.trace->metricStreams) {
            for (std::size_t column = 0; column < stream.metrics.size(); ++column) {
                Metric metric = experiment.definitions.metric(stream.metrics[column]);
                if (metric.name != name || stream.samples() == 0) continue;
                if (isState) metric.mode = MetricMode::AbsolutePoint;
                if (task.stopRequested()) return cancelled();
                result.rate = isCounter(metric);
                result.unit = metric.unit == "#" ? "" : metric.unit;
                result.lanes.push_back(
                    {stream.recorder, metricSteps(stream, column, metric, experiment.trace->extent.end)});
                result.whole.add(result.lanes.back().steps.whole());
            }
        }
    }
    if (result.rate) result.unit += "/s";
    if (result.lanes.empty())
        return fail(ErrorCode::NotRecorded,
                    fmt::format("{} has no samples of \"{}\" over time.", experiment.name, name));
    std::stable_sort(result.lanes.begin(), result.lanes.end(),
                     [](const MetricLane& a, const MetricLane& b) { return a.recorder < b.recorder; });
    return result;
}

std::vector<MetricLanes> metricLanesOf(const Experiment& experiment, LocationId recorder, const Task& task)
{
    std::vector<MetricLanes> found;
    if (!experiment.trace) return found;
    for (const MetricStream& stream : experiment.trace->metricStreams) {
        if (stream.recorder != recorder || stream.samples() == 0) continue;
        for (std::size_t column = 0; column < stream.metrics.size(); ++column) {
            Metric metric = experiment.definitions.metric(stream.metrics[column]);
            if (isOfCallPath(metric.name)) continue;
            if (task.stopRequested()) return found;
            if (isCounter(metric) && fallsAnywhere(*experiment.trace, experiment.definitions, metric.name))
                metric.mode = MetricMode::AbsolutePoint;
            const bool rate = isCounter(metric);
            const std::string unit = metric.unit == "#" ? "" : metric.unit;
            found.push_back({metric.name, rate ? unit + "/s" : unit, rate, {}, {}});
            found.back().lanes.push_back(
                {recorder, metricSteps(stream, column, metric, experiment.trace->extent.end)});
            found.back().whole = found.back().lanes.back().steps.whole();
        }
    }
    return found;
}

std::vector<std::string> laneMetricNames(const Experiment& experiment)
{
    std::map<std::string, std::size_t> samples;
    if (!experiment.trace) return {};
    for (const MetricStream& stream : experiment.trace->metricStreams)
        for (const MetricId metric : stream.metrics)
            if (stream.samples() > 0) samples[experiment.definitions.metric(metric).name] += stream.samples();
    std::vector<std::string> names;
    for (const auto& [name, count] : samples) names.push_back(name);
    std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        if (isOfCallPath(a) != isOfCallPath(b)) return isOfCallPath(b);
        return samples[a] > samples[b];
    });
    return names;
}

}  // namespace skein
