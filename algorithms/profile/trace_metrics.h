// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Which part of a metric that a trace samples belongs to which call.
///
/// A stream that is sampled at every enter and leave (OTF2_METRIC_SYNCHRONOUS_STRICT: PAPI counters, resource
/// usage) tells how far the metric has come at both ends of every call. The inclusive amount of a call is the
/// difference: of counters what was counted in between, of amounts of a period (relative modes) their sum, of
/// states (absolute modes, like the memory in use) by how much they changed. The exclusive amount is the
/// inclusive one less that of the callees.
namespace skein {

/// Whether two names of metrics are the same but for the case of ASCII letters.
bool equalIgnoringCase(std::string_view a, std::string_view b);

/// True of metrics whose samples are amounts of a period each, not how far the metric has come.
bool isRelative(MetricMode mode);

/// Whether a metric's samples can be told by call, or why not.
enum class Attribution : std::uint8_t {
    PerCall,
    NotAtCalls,    ///< sampled at some events only, as TAU's user events are
    Asynchronous,  ///< sampled at any time
    OfManyCalls,   ///< tells about a process or node, not about the location that recorded it
    NoSamples,
};

Attribution attributionOf(const MetricStream& stream);

/// The reason as the end of a sentence; empty for PerCall.
std::string_view whyNot(Attribution attribution);

struct TraceMetric {
    MetricId metric;
    Attribution attribution = Attribution::NoSamples;
};

/// Every metric of a trace in the order of the definitions; PerCall where any of its streams can be told by
/// call. Empty without a trace. O(streams + metrics).
std::vector<TraceMetric> traceMetrics(const Experiment& experiment);

/// The metric of that name, ignoring case, that can be told by call; invalid where there is none.
MetricId metricPerCall(const Experiment& experiment, std::string_view name);

/// How far one metric had come at each sample of a stream, from its first sample on.
class MetricLevels {
public:
    /// The stream must live as long. O(samples).
    MetricLevels(const MetricStream& stream, std::size_t column, const Metric& metric);

    /// The level at a time, linear between two samples, that of the first sample of several at the time.
    double at(TimeNs time) const;
    std::size_t firstAtOrAfter(TimeNs time) const;

    /// The level at the k-th enter or leave of a time is that of the k-th sample of this time, else that of
    /// the last sample before. `cursor` goes from one to the next; times must not decrease.
    double take(std::size_t& cursor, TimeNs time) const;

private:
    const Column<TimeNs>& times_;
    std::vector<double> levels_;
};

/// Adds the inclusive amounts of the calls of a location to `inclusive`, one entry a call path. Nothing: the
/// whole run. Otherwise, of calls that overlap the half-open window the part inside it, so that windows side
/// by side sum up to the whole. O(calls and samples in the window + depth).
void addInclusive(const CallIntervals& calls, const MetricLevels& levels,
                  const std::optional<TimeSpan>& window, std::vector<double>& inclusive);

}  // namespace skein
