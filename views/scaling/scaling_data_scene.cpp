// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scaling/scaling_data_scene.h"

#include "core/base/units.h"
#include "core/select/metric_choice.h"
#include "core/select/translate.h"
#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace skein {
namespace {

constexpr double kScalingDataNs = 1e9;

/// A point without the value of one parameter.
std::vector<double> withoutParameter(std::vector<double> point, std::size_t parameter)
{
    point[parameter] = 0.0;
    return point;
}

/// The curves that there are points of, the most points first.
std::vector<ScalingCurve> measuredCurves(const ScalingData& data, const ScalingSeries& series,
                                         std::size_t parameter)
{
    std::map<std::vector<double>, ScalingCurve> curves;
    const auto& points = data.study().points;
    for (std::size_t at = 0; at < std::min(points.size(), series.values.size()); ++at)
        for (const double value : series.values[at]) {
            ScalingCurve& curve = curves[withoutParameter(points[at], parameter)];
            curve.fixed = points[at];
            curve.measured.emplace_back(points[at][parameter], value);
        }
    std::vector<ScalingCurve> sorted;
    for (auto& [fixed, curve] : curves) sorted.push_back(std::move(curve));
    std::stable_sort(sorted.begin(), sorted.end(), [](const ScalingCurve& a, const ScalingCurve& b) {
        return a.measured.size() > b.measured.size();
    });
    return sorted;
}

/// Values in equal ratios; measured values and the last one are among them as they are.
std::vector<double> scalingGridOf(const ScalingData& data, std::size_t parameter, std::size_t steps)
{
    double low = std::numeric_limits<double>::infinity(), high = data.target[parameter];
    std::vector<double> grid;
    for (const auto& point : data.study().points) {
        low = std::min(low, point[parameter]);
        high = std::max(high, point[parameter]);
        grid.push_back(point[parameter]);
    }
    low = std::min(low, data.target[parameter]);
    grid.push_back(data.target[parameter]);
    for (std::size_t step = 0; step < steps; ++step)
        grid.push_back(low * std::pow(high / low, static_cast<double>(step) / static_cast<double>(steps)));
    std::sort(grid.begin(), grid.end());
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
    return grid;
}

std::string scalingPathOf(const Session& session, CallPathRef ref)
{
    const Experiment& experiment = *session.experiments[ref.experiment];
    std::string path;
    for (CallPathId id = ref.id; id.valid(); id = experiment.callTree->parent(id)) {
        const RegionId region = experiment.callTree->region(id);
        if (!region.valid()) continue;
        const std::string part = partOfPath(experiment.definitions.region(region).name);
        path = path.empty() ? part : part + "/" + path;
    }
    return path;
}

/// Call paths of one run whose names are the parts; each node tells how many parts lie behind it.
void addCallPaths(const Experiment& experiment, std::uint32_t number, const std::vector<std::string>& parts,
                  std::vector<CallPathRef>& found)
{
    const CallTree& tree = *experiment.callTree;
    std::vector<std::size_t> matched(tree.size(), 0);
    for (std::uint32_t id = 0; id < tree.size(); ++id) {
        const CallPathId node(id), parent = tree.parent(node);
        const std::size_t before = parent.valid() ? matched[parent.index()] : 0;
        if (before >= parts.size() || (parent.valid() && before == 0) || !tree.region(node).valid()) continue;
        if (experiment.definitions.region(tree.region(node)).name != parts[before]) continue;
        matched[id] = before + 1;
        if (matched[id] == parts.size()) found.push_back({number, node});
    }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> scalingMetrics(const Session& session)
{
    const std::string time = nameOfTime(session);
    std::vector<std::pair<std::string, std::string>> metrics{{time == "Time" ? "time" : time, time},
                                                             {"visits", "Calls"}};
    for (const MetricChoice& choice : metricChoices(session)) {
        const auto known = [&](const auto& metric) { return metric.first == choice.name; };
        if (!choice.metric.id.valid() || choice.metric == kCallsMetric) continue;
        if (std::none_of(metrics.begin(), metrics.end(), known))
            metrics.emplace_back(choice.name, choice.name);
    }
    return metrics;
}

std::vector<std::string> scalingMetrics(const ScalingStudy& text)
{
    std::vector<std::string> metrics;
    for (const ScalingSeries& series : text.series)
        if (std::find(metrics.begin(), metrics.end(), series.metric) == metrics.end())
            metrics.push_back(series.metric);
    return metrics;
}

Result<ScalingSourcePtr> sourceOfSession(SessionPtr session, const ScalingRequest& request, const Task& task)
{
    std::vector<std::string> runs;
    for (const ExperimentPtr& experiment : session->experiments) runs.push_back(experiment->path.string());
    std::vector<std::string> texts;
    if (!request.parameters.empty()) texts.push_back(request.parameters);
    const auto parameters = parametersOfRuns(runs, texts);
    if (!parameters) return Unexpected(parameters.error());
    auto points = pointsOfRuns(*parameters, runs);
    if (!points) return Unexpected(std::move(points.error()));
    StudyOfRuns making(points->parameters, {request.metric}, request.amount);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const double from = static_cast<double>(run), count = static_cast<double>(runs.size());
        if (task.stopRequested()) return cancelled();
        const auto added = making.add(*session->experiments[run], points->points[run],
                                      task.part(from / count, (from + 1) / count));
        if (!added) return Unexpected(added.error());
    }
    auto source = std::make_shared<ScalingSource>();
    source->session = std::move(session);
    source->study = std::move(making).take();
    source->fixed = std::move(points->fixed);
    return ScalingSourcePtr(std::move(source));
}

Result<ScalingSourcePtr> sourceOfText(const ScalingStudy& text, const std::string& metric)
{
    auto source = std::make_shared<ScalingSource>();
    source->study = text;
    if (auto kept = keepMetrics(source->study, {metric}); !kept) return Unexpected(std::move(kept.error()));
    return ScalingSourcePtr(std::move(source));
}

std::optional<std::size_t> ScalingData::rowOf(const std::string& path) const
{
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const ModelRow& row) { return row.series->path == path; });
    if (found == rows.end()) return std::nullopt;
    return static_cast<std::size_t>(found - rows.begin());
}

Result<ScalingDataPtr> modelSource(ScalingSourcePtr source, const std::string& at, const Task& task)
{
    auto data = std::make_shared<ScalingData>();
    data->source = std::move(source);
    auto target = targetPoint(data->study(), data->source->fixed, at);
    if (!target) return Unexpected(std::move(target.error()));
    data->target = std::move(*target);
    auto models = modelScaling(data->study(), {{data->target}}, task);
    if (!models) return Unexpected(std::move(models.error()));
    data->models = std::move(*models);
    data->rows = modelRows(data->study(), data->models);
    data->left = data->models.size() - data->rows.size();
    return ScalingDataPtr(std::move(data));
}

std::vector<ScalingCurve> scalingCurves(const ScalingData& data, std::size_t row, std::size_t parameter,
                                        std::size_t steps, std::size_t most)
{
    const ScalingSeries& series = *data.rows[row].series;
    std::vector<ScalingCurve> curves = measuredCurves(data, series, parameter);
    const auto isOfTarget = [&](const ScalingCurve& curve) {
        return withoutParameter(curve.fixed, parameter) == withoutParameter(data.target, parameter);
    };
    const auto own = std::find_if(curves.begin(), curves.end(), isOfTarget);
    ScalingCurve last;
    if (own != curves.end()) {
        last = std::move(*own);
        curves.erase(own);
    }
    last.fixed = data.target;
    last.atTarget = true;
    if (curves.size() + 1 > most) curves.resize(most - 1);
    curves.push_back(std::move(last));
    const std::vector<double> grid = scalingGridOf(data, parameter, steps);
    ScalingParams params;
    for (ScalingCurve& curve : curves)
        for (const double x : grid) {
            params.at.push_back(curve.fixed);
            params.at.back()[parameter] = x;
        }
    const auto number = static_cast<std::size_t>(&series - data.study().series.data());
    const auto model = modelSeries(data.study(), number, params);
    if (!model || !*model) return curves;
    for (std::size_t at = 0; at < curves.size(); ++at) {
        const auto begin = (*model)->predictions.begin() + static_cast<std::ptrdiff_t>(at * grid.size());
        curves[at].x = grid;
        curves[at].told.assign(begin, begin + static_cast<std::ptrdiff_t>(grid.size()));
    }
    return curves;
}

std::string scalingAmount(const ModelRow& row, double value)
{
    if (!std::isfinite(value)) return "?";
    if (row.series->unit == "s") return formatDuration(value * kScalingDataNs);
    return formatAmount(value, row.series->unit);
}

std::pair<std::string, std::string> leafOfPath(const std::string& path)
{
    std::vector<std::string> parts = partsOfPath(path);
    std::string above;
    for (std::size_t at = 0; at + 1 < parts.size(); ++at) above += (at == 0 ? "" : " / ") + parts[at];
    return {parts.back(), above};
}

Selection selectionOfPath(const Session& session, const std::string& path)
{
    const std::vector<std::string> parts = partsOfPath(path);
    std::vector<CallPathRef> callPaths;
    for (std::uint32_t run = 0; run < session.experiments.size(); ++run)
        addCallPaths(*session.experiments[run], run, parts, callPaths);
    if (!callPaths.empty() || parts.size() > 1) return select(session, callPaths);
    std::vector<RegionRef> regions;
    for (std::uint32_t run = 0; run < session.experiments.size(); ++run) {
        const auto& all = session.experiments[run]->definitions.regions;
        for (std::size_t id = 0; id < all.size(); ++id)
            if (all[id].name == parts.front()) regions.push_back({run, RegionId(id)});
    }
    return select(session, regions);
}

std::string pathOfSelection(const Session& session, const Selection& selected)
{
    for (const CallPathRef& ref : selected.callPaths)
        if (exists(session, ref)) return scalingPathOf(session, ref);
    for (const RegionRef& ref : selected.regions)
        if (exists(session, ref))
            return partOfPath(session.experiments[ref.experiment]->definitions.region(ref.id).name);
    return {};
}

}  // namespace skein
