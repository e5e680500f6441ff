// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/metric_tracks.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace skein {
namespace {

Unexpected noSamples() { return fail(ErrorCode::NotFound, "No open trace has samples of a metric."); }

/// The wanted one alone where a trace has samples of it, else those of the first trace with samples.
std::vector<std::string> metricsToTry(const Session& session, MetricRef wanted)
{
    std::string named;
    if (wanted.valid() && wanted.experiment < session.experiments.size()) {
        const auto& metrics = session.experiments[wanted.experiment]->definitions.metrics;
        if (wanted.id.index() < metrics.size()) named = metrics[wanted.id.index()].name;
    }
    std::vector<std::string> first;
    for (const ExperimentPtr& experiment : session.experiments) {
        std::vector<std::string> names = laneMetricNames(*experiment);
        if (!named.empty() && std::find(names.begin(), names.end(), named) != names.end()) return {named};
        if (first.empty()) first = std::move(names);
    }
    return first;
}

}  // namespace

std::string coloringMetric(const Session& session, MetricRef wanted)
{
    const std::vector<std::string> metrics = metricsToTry(session, wanted);
    return metrics.empty() ? std::string() : metrics.front();
}

double partOfRange(double value, double low, double high, ColorScaling scaling)
{
    if (!(low < high)) return 1;
    const double linear = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return scaling == ColorScaling::Linear ? linear : std::log1p(linear * 1000) / std::log1p(1000);
}

const StepSeries* MetricTrack::of(LocationRef location) const
{
    if (location.experiment >= steps.size() || location.id.index() >= steps[location.experiment].size())
        return nullptr;
    const StepSeries& found = steps[location.experiment][location.id.index()];
    return found.steps() > 0 ? &found : nullptr;
}

Result<MetricTrackPtr> makeMetricTrack(const Session& session, const std::string& metric, const Task& task)
{
    auto track = std::make_shared<MetricTrack>();
    track->metric = metric;
    for (const ExperimentPtr& experiment : session.experiments) {
        auto& steps = track->steps.emplace_back();
        auto lanes = metricLanes(*experiment, metric, task);
        if (task.stopRequested()) return cancelled();
        if (!lanes) continue;
        steps.resize(experiment->definitions.locations.size());
        track->unit = lanes->unit;
        track->whole.add(lanes->whole);
        for (MetricLane& lane : lanes->lanes)
            if (lane.recorder.index() < steps.size()) steps[lane.recorder.index()] = std::move(lane.steps);
    }
    if (!track->whole.any()) return noSamples();
    return MetricTrackPtr(std::move(track));
}

Result<MetricTrackPtr> MetricTracks::of(const Session& session, MetricRef wanted, const Task& task)
{
    constexpr auto kBetweenStopChecks = std::chrono::milliseconds(5);
    constexpr std::size_t kTried = 16;
    const std::vector<std::string> metrics = metricsToTry(session, wanted);
    if (metrics.empty()) return noSamples();
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(kBetweenStopChecks))
        if (task.stopRequested()) return cancelled();
    MetricTrackPtr first;
    for (std::size_t number = 0; number < std::min(kTried, metrics.size()); ++number) {
        MetricTrackPtr& known = known_[metrics[number]];
        if (!known) {
            auto track = makeMetricTrack(session, metrics[number], task);
            if (!track) return track;
            known = std::move(*track);
        }
        if (known->whole.minimum < known->whole.maximum) return known;
        if (!first) first = known;
    }
    return first;
}

}  // namespace skein
