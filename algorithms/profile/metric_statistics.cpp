// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/metric_statistics.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace skein {
namespace {

struct Sums {
    Moments values;
    std::set<std::uint32_t> locations;
};

Moments momentsOf(const MetricStream& stream, std::size_t column, MetricValueType type)
{
    Moments moments;
    for (std::size_t sample = 0; sample < stream.samples(); ++sample) {
        const double value = metricValue(stream.values[sample * stream.metrics.size() + column], type);
        if (std::isfinite(value)) moments.merge({1.0, value, value, value, 0.0});
    }
    return moments;
}

Moments momentsOf(const EventStatistic& statistic)
{
    if (statistic.count <= 0.0) return {};
    const double deviations = statistic.sumOfSquares - statistic.count * statistic.mean * statistic.mean;
    return {statistic.count, statistic.count * statistic.mean, statistic.minimum, statistic.maximum,
            std::max(0.0, deviations)};
}

std::vector<Sums> sumSamples(const Experiment& experiment)
{
    std::vector<Sums> sums(experiment.definitions.metrics.size());
    if (!experiment.trace) return sums;
    for (const MetricStream& stream : experiment.trace->metricStreams) {
        for (std::size_t column = 0; column < stream.metrics.size(); ++column) {
            Sums& sum = sums[stream.metrics[column].index()];
            sum.values.merge(
                momentsOf(stream, column, experiment.definitions.metric(stream.metrics[column]).valueType));
            sum.locations.insert(stream.recorder.value());
        }
    }
    return sums;
}

/// An event that was only recorded by call path is the sum of its parts.
std::vector<Sums> sumUserEvents(const Experiment& experiment)
{
    std::vector<Sums> sums(experiment.definitions.metrics.size());
    if (!experiment.profile) return sums;
    std::vector<Sums> parts(sums.size());
    for (const EventStatistic& statistic : experiment.profile->statistics) {
        Sums& sum = (statistic.context.valid() ? parts : sums)[statistic.metric.index()];
        sum.values.merge(momentsOf(statistic));
        sum.locations.insert(statistic.location.value());
    }
    for (std::size_t metric = 0; metric < sums.size(); ++metric)
        if (sums[metric].locations.empty()) sums[metric] = std::move(parts[metric]);
    return sums;
}

bool isColumn(const Experiment& experiment, MetricId metric)
{
    if (!experiment.profile) return false;
    const auto holds = [&](const MetricCube& cube) {
        return std::find(cube.metrics.begin(), cube.metrics.end(), metric) != cube.metrics.end();
    };
    return holds(experiment.profile->regions) || holds(experiment.profile->callPaths);
}

}  // namespace

std::vector<MetricRow> metricStatistics(const Experiment& experiment)
{
    const std::vector<Sums> samples = sumSamples(experiment);
    const std::vector<Sums> events = sumUserEvents(experiment);
    std::vector<MetricRow> rows;
    for (std::size_t i = 0; i < experiment.definitions.metrics.size(); ++i) {
        const MetricId metric(i);
        const std::size_t before = rows.size();
        if (!samples[i].locations.empty())
            rows.push_back({metric, MetricSource::Samples, samples[i].locations.size(), samples[i].values});
        if (!events[i].locations.empty())
            rows.push_back({metric, MetricSource::UserEvents, events[i].locations.size(), events[i].values});
        if (isColumn(experiment, metric))
            rows.push_back({metric, MetricSource::CallPathSums, experiment.profile->regions.locations(), {}});
        if (rows.size() == before) rows.push_back({metric, MetricSource::Unused, 0, {}});
    }
    return rows;
}

}  // namespace skein
