// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/model_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace skein {
namespace {

/// Every parameter at its largest measured value.
std::vector<double> largestPoint(const ScalingStudy& study)
{
    std::vector<double> largest(study.parameters.size(), 0.0);
    for (const auto& point : study.points)
        for (std::size_t at = 0; at < point.size(); ++at) largest[at] = std::max(largest[at], point[at]);
    return largest;
}

/// Something that has one value in all runs can be named with that value only.
Result<void> checkFixed(const ScalingStudy& study, const RunParameters& fixed, const std::string& name,
                        double value)
{
    const auto found =
        std::find_if(fixed.begin(), fixed.end(), [&](const auto& one) { return one.first == name; });
    if (found == fixed.end())
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("There is no parameter {}; there is {}.", name, fmt::join(study.parameters, ", ")));
    if (found->second != value)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("{} is {} in all runs: nothing can be told of {}.", name, found->second, value));
    return {};
}

Result<void> assignParameter(std::vector<RunParameters>& parameters, const std::string& name,
                             const std::vector<double>& values)
{
    if (values.size() != parameters.size())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--parameter {} has {} values for {} runs: one a run, in their order.", name,
                                values.size(), parameters.size()));
    for (std::size_t run = 0; run < parameters.size(); ++run) parameters[run].emplace_back(name, values[run]);
    return {};
}

}  // namespace

std::vector<ModelRow> modelRows(const ScalingStudy& study,
                                const std::vector<std::optional<ScalingModel>>& models)
{
    std::vector<std::string> metrics;
    std::vector<double> wholes;
    std::vector<std::pair<std::size_t, ModelRow>> rows;
    for (std::size_t at = 0; at < models.size(); ++at) {
        if (!models[at]) continue;
        const ScalingSeries& series = study.series[at];
        const auto found = std::find(metrics.begin(), metrics.end(), series.metric);
        const auto metric = static_cast<std::size_t>(found - metrics.begin());
        if (found == metrics.end()) {
            metrics.push_back(series.metric);
            wholes.push_back(0.0);
        }
        wholes[metric] += std::max(0.0, models[at]->predictions.front().value);
        rows.push_back({metric, {&series, &*models[at], 0.0}});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first < b.first;
        return a.second.model->predictions.front().value > b.second.model->predictions.front().value;
    });
    std::vector<ModelRow> sorted;
    for (auto& [metric, row] : rows) {
        const double told = std::max(0.0, row.model->predictions.front().value);
        row.percent = wholes[metric] > 0.0 ? std::round(told / wholes[metric] * 1e5) / 1e3 : 0.0;
        sorted.push_back(row);
    }
    return sorted;
}

Result<std::vector<double>> targetPoint(const ScalingStudy& study, const RunParameters& fixed,
                                        std::string_view text)
{
    if (text.empty()) return nextScale(study);
    std::vector<double> target = largestPoint(study);
    const auto assignments = parseAssignments(text);
    if (!assignments) return Unexpected(assignments.error());
    for (const auto& [name, values] : *assignments) {
        if (values.size() != 1)
            return fail(ErrorCode::InvalidArgument, fmt::format("--at takes one value of {}.", name));
        const auto found = std::find(study.parameters.begin(), study.parameters.end(), name);
        if (found != study.parameters.end())
            target[static_cast<std::size_t>(found - study.parameters.begin())] = values.front();
        else if (auto checked = checkFixed(study, fixed, name, values.front()); !checked)
            return Unexpected(checked.error());
    }
    return target;
}

Result<std::vector<RunParameters>> parametersOfRuns(const std::vector<std::string>& runs,
                                                    const std::vector<std::string>& texts)
{
    std::vector<RunParameters> parameters(runs.size());
    if (texts.empty()) {
        for (std::size_t run = 0; run < runs.size(); ++run) parameters[run] = parametersOfRun(runs[run]);
        return parameters;
    }
    for (const std::string& text : texts) {
        const auto assignments = parseAssignments(text);
        if (!assignments) return Unexpected(assignments.error());
        for (const auto& [name, values] : *assignments)
            if (auto assigned = assignParameter(parameters, name, values); !assigned)
                return Unexpected(assigned.error());
    }
    return parameters;
}

std::string jumpText(const ScalingModel& model, const std::vector<std::string>& parameters)
{
    if (!model.jump) return {};
    const ScalingJump& jump = *model.jump;
    return fmt::format("× {:.3g} between {} = {} and {}", jump.factor, parameters[jump.parameter], jump.below,
                       jump.above);
}

std::string pointText(const std::vector<double>& point, const std::vector<std::string>& parameters)
{
    std::string text;
    for (std::size_t at = 0; at < point.size(); ++at)
        text += fmt::format("{}{} = {}", at == 0 ? "" : ", ", parameters[at], point[at]);
    return text;
}

Result<void> keepMetrics(ScalingStudy& study, const std::vector<std::string>& wanted)
{
    for (const std::string& metric : wanted)
        if (std::none_of(study.series.begin(), study.series.end(),
                         [&](const ScalingSeries& series) { return series.metric == metric; }))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("There is no metric '{}'; the first there is is '{}'.", metric,
                                    study.series.empty() ? "" : study.series.front().metric));
    std::erase_if(study.series, [&](const ScalingSeries& series) {
        return !wanted.empty() && std::find(wanted.begin(), wanted.end(), series.metric) == wanted.end();
    });
    return {};
}

std::size_t levelsOf(const ScalingStudy& study, std::size_t parameter)
{
    std::set<double> levels;
    for (const auto& point : study.points) levels.insert(point[parameter]);
    return levels.size();
}

}  // namespace skein
