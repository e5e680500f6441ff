// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/study_of_runs.h"

#include "algorithms/calltree/derived_export.h"
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kSecondsPerNs = 1e-9;

bool meansCalls(const std::string& metric) { return metric == "visits" || metric == "calls"; }

const MetricCube& cubeWithRows(const Profile& profile)
{
    return profile.callPaths.rows() > 0 ? profile.callPaths : profile.regions;
}

}  // namespace

std::string partOfPath(std::string name)
{
    for (std::size_t at = name.find_first_of("/\\"); at != std::string::npos;
         at = name.find_first_of("/\\", at + 2))
        name.insert(at, "\\");
    return name;
}

std::vector<std::string> partsOfPath(const std::string& path)
{
    std::vector<std::string> parts(1);
    for (std::size_t at = 0; at < path.size(); ++at) {
        const char next = at + 1 < path.size() ? path[at + 1] : '\0';
        if (path[at] == '\\' && (next == '/' || next == '\\')) parts.back() += path[++at];
        else if (path[at] == '/') parts.emplace_back();
        else parts.back() += path[at];
    }
    return parts;
}

StudyOfRuns::StudyOfRuns(std::vector<std::string> parameters, std::vector<std::string> metrics,
                         ScalingAmount amount)
    : metrics_(std::move(metrics)), amount_(amount)
{
    study_.parameters = std::move(parameters);
}

std::size_t StudyOfRuns::pointOf(const std::vector<double>& point)
{
    const auto found = std::find(study_.points.begin(), study_.points.end(), point);
    if (found != study_.points.end()) return static_cast<std::size_t>(found - study_.points.begin());
    study_.points.push_back(point);
    for (ScalingSeries& series : study_.series) series.values.emplace_back();
    return study_.points.size() - 1;
}

void StudyOfRuns::addValue(const std::string& path, const std::string& metric, const std::string& unit,
                           std::size_t point, double value)
{
    const auto [found, isNew] = numbers_.emplace(std::pair(path, metric), study_.series.size());
    if (isNew)
        study_.series.push_back({path, metric, unit, std::vector<std::vector<double>>(study_.points.size())});
    study_.series[found->second].values[point].push_back(value);
}

/// Of a metric that is worked out of others; what has no value at a point is left out there.
Result<void> StudyOfRuns::addDerived(const Experiment& experiment, std::size_t point,
                                     const std::string& expression, const Task& task)
{
    const auto wrong = [&](const TextProblem& problem) {
        return fail(ErrorCode::InvalidArgument, sentenceOf(problem, expression));
    };
    const auto parsed = MetricExpression::parse(expression);
    if (!parsed) return wrong(parsed.error());
    const auto table = measuredTable(experiment, {}, {expression, false, false}, task);
    if (!table) return Unexpected(table.error());
    const auto metric = parsed->evaluate(*table);
    if (!metric) return wrong(metric.error());
    std::vector<std::string> paths;
    for (std::size_t node = 0; node < table->table.size(); ++node) {
        paths.resize(table->table.depth(node));
        paths.push_back((paths.empty() ? "" : paths.back() + "/")
                        + partOfPath(std::string(table->table.name(node))));
        if (std::isfinite(metric->values[node]))
            addValue(paths.back(), expression, metric->unit, point, metric->values[node]);
    }
    return {};
}

Result<void> StudyOfRuns::addMetric(const Experiment& experiment, std::size_t point,
                                    const std::string& metric, const Task& task)
{
    if (isExpressionOf(experiment, metric)) return addDerived(experiment, point, metric, task);
    const bool calls = meansCalls(metric);
    const auto profile = profileOf(experiment, {}, calls ? std::string() : metric, task);
    if (!profile) return Unexpected(profile.error());
    const auto column = metricColumn(experiment, **profile, calls ? std::string() : metric);
    if (!column) return Unexpected(column.error());
    const MetricCube& cube = cubeWithRows(**profile);
    const bool time = !calls && isTime(experiment, cube, *column);
    std::string unit = time ? "s" : "";
    if (!calls && !time && *column < cube.metrics.size() && cube.metrics[*column].valid())
        unit = experiment.definitions.metric(cube.metrics[*column]).unit;
    const auto locations =
        static_cast<double>(std::max<std::size_t>(1, scopeSize(experiment, **profile, {})));
    const auto meanOf = [&](const ProfileValues& values) {
        const double amount = calls               ? values.calls
            : amount_ == ScalingAmount::Exclusive ? values.exclusive
                                                  : values.inclusive;
        const bool sum = calls || values.aggregation == MetricAggregation::Sum;
        return amount * (time ? kSecondsPerNs : 1.0) / (sum ? locations : 1.0);
    };
    const std::string shown = calls || !metric.empty() ? metric : "time";
    if ((*profile)->callPaths.rows() == 0) {
        for (const RegionRow& row : profileByRegion(experiment, **profile, *column))
            if (!row.breakdown) addValue(partOfPath(row.name), shown, unit, point, meanOf(row.values));
        return {};
    }
    std::vector<std::string> paths;
    for (const CallPathRow& row : profileByCallPath(experiment, **profile, *column)) {
        paths.resize(row.depth);
        paths.push_back((paths.empty() ? "" : paths.back() + "/") + partOfPath(row.name));
        if (!row.breakdown && !row.callPaths.empty())
            addValue(paths.back(), shown, unit, point, meanOf(row.values));
    }
    return {};
}

Result<void> StudyOfRuns::add(const Experiment& experiment, const std::vector<double>& point,
                              const Task& task)
{
    const std::size_t number = pointOf(point);
    for (const std::string& metric : metrics_)
        if (auto added = addMetric(experiment, number, metric, task); !added) return added;
    return {};
}

}  // namespace skein
