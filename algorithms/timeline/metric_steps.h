// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/step_series.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <string>
#include <vector>

/// Metrics of a trace as quantities over time.
namespace skein {

/// One metric as one location recorded it.
struct MetricLane {
    LocationId recorder;
    StepSeries steps;  ///< experiment time; in the metric's unit, or unit/s of counters
};

/// Every lane of the metrics of one name, by recorder.
struct MetricLanes {
    std::string metric;
    std::string unit;   ///< with "/s" of counters
    bool rate = false;  ///< counters: their growth; others: their value
    std::vector<MetricLane> lanes;
    StepRange whole;  ///< of all lanes
};

/// True for metrics that count: what they grow by says more than how far they came.
bool isCounter(const Metric& metric);

/// A stream's column as steps. A state holds from its sample to the next one (mode "last": since the sample
/// before), a counter's growth between two samples divided by the time between them holds between them (mode
/// "relative next": from its sample on). Growth at samples of the same time counts for the time up to the
/// next. The last state holds to `end`. O(samples).
StepSeries metricSteps(const MetricStream& stream, std::size_t column, const Metric& metric, TimeNs end);

/// All lanes of a metric. One that the archive calls a total and that becomes less on any location is taken
/// for a state on all of them. Errors: NotRecorded where no stream holds samples of that name; Cancelled.
/// O(samples).
Result<MetricLanes> metricLanes(const Experiment& experiment, const std::string& name, const Task& task);

/// The lanes that one location recorded, of every metric but those of single call paths, in the order of its
/// streams. Whether a total is a state is decided as above. What is left when the task is stopped is missing.
/// O(samples of these metrics).
std::vector<MetricLanes> metricLanesOf(const Experiment& experiment, LocationId recorder, const Task& task);

/// Names of the metrics that metricLanes() has lanes of: those of most samples first, those of single call
/// paths ("… : a => b") last, where TAU repeats them, otherwise by name. O(streams).
std::vector<std::string> laneMetricNames(const Experiment& experiment);

}  // namespace skein
