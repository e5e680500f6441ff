// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/metric_choice.h"

#include <algorithm>

namespace skein {
namespace {

const std::string kTime = "Time";

void collectMetrics(const Session& session, std::uint32_t number, std::vector<MetricChoice>& choices)
{
    const Experiment& experiment = *session.experiments[number];
    if (!experiment.profile) return;
    for (const MetricCube* cube : {&experiment.profile->regions, &experiment.profile->callPaths}) {
        for (const MetricId id : cube->metrics) {
            if (!id.valid() || id.index() >= experiment.definitions.metrics.size()) continue;
            const Metric& metric = experiment.definitions.metric(id);
            const auto same = [&](const MetricChoice& choice) { return choice.name == metric.name; };
            if (std::none_of(choices.begin(), choices.end(), same))
                choices.push_back({{number, id}, metric.name});
        }
    }
}

bool isTime(const Experiment& experiment, MetricId id)
{
    return id.valid() && id.index() < experiment.definitions.metrics.size()
        && experiment.definitions.metric(id).unit == "ns"
        && experiment.definitions.metric(id).aggregation == MetricAggregation::Sum;
}

/// What metricColumn() takes for the time: the first metric in ns whose amounts add up.
bool isTheTime(const Session& session, const MetricChoice& choice)
{
    const Experiment& experiment = *session.experiments[choice.metric.experiment];
    if (!isTime(experiment, choice.metric.id)) return false;
    for (const MetricCube* cube : {&experiment.profile->regions, &experiment.profile->callPaths})
        for (const MetricId id : cube->metrics)
            if (isTime(experiment, id)) return id == choice.metric.id;
    return false;
}

}  // namespace

std::string nameOfTime(const Session& session)
{
    std::string instead;
    for (const ExperimentPtr& experiment : session.experiments) {
        if (experiment->trace) return kTime;
        if (!experiment->profile) continue;
        const Profile& profile = *experiment->profile;
        const MetricCube& cube = profile.regions.metrics.empty() ? profile.callPaths : profile.regions;
        for (const MetricId id : cube.metrics)
            if (isTime(*experiment, id)) return kTime;
        if (!instead.empty() || cube.metrics.empty()) continue;
        const MetricId first = cube.metrics.front();
        if (first.valid() && first.index() < experiment->definitions.metrics.size())
            instead = experiment->definitions.metric(first).name;
    }
    return instead.empty() ? kTime : instead;
}

std::vector<MetricChoice> metricChoices(const Session& session)
{
    std::vector<MetricChoice> metrics;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number)
        collectMetrics(session, number, metrics);
    const std::string time = nameOfTime(session);
    std::erase_if(metrics, [&](const MetricChoice& choice) {
        return (time != kTime && choice.name == time) || isTheTime(session, choice);
    });
    std::sort(metrics.begin(), metrics.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    std::vector<MetricChoice> choices{{MetricRef{}, time}, {kCallsMetric, "Calls"}};
    choices.insert(choices.end(), metrics.begin(), metrics.end());
    return choices;
}

std::string profileMetricName(const Session& session, MetricRef metric)
{
    if (metric.experiment >= session.experiments.size()) return {};
    const auto& metrics = session.experiments[metric.experiment]->definitions.metrics;
    if (metric.id.index() >= metrics.size()) return {};
    std::vector<MetricChoice> told;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number)
        collectMetrics(session, number, told);
    const std::string& name = metrics[metric.id.index()].name;
    const auto same = [&](const MetricChoice& choice) { return choice.name == name; };
    return std::any_of(told.begin(), told.end(), same) ? name : std::string();
}

}  // namespace skein
