// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/added_metric.h"
#include "algorithms/profile/summarize.h"
#include "app/gui/remote/shared_state.h"
#include "views/common/scene/tree/row_query.h"
#include "views/tree_graph/tree_graph_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skein::gui {
namespace {

constexpr const char* kFromScript = "From a script";  ///< description of what scripts gave
constexpr std::size_t kMostMetrics = 64;

Unexpected refusedMetric(std::string sentence)
{
    return fail(ErrorCode::InvalidArgument, std::move(sentence));
}

Result<std::vector<std::uint32_t>> callPathsOfJson(const nlohmann::json& list, std::size_t callPaths)
{
    std::vector<std::uint32_t> nodes;
    if (!list.is_array()) return refusedMetric("call_path is a list of whole numbers.");
    for (const auto& number : list) {
        if (!number.is_number_unsigned() || number.get<std::uint64_t>() >= callPaths)
            return refusedMetric(fmt::format("call_path has numbers from 0 to {}, one a call path.",
                                             callPaths == 0 ? 0 : callPaths - 1));
        nodes.push_back(number.get<std::uint32_t>());
    }
    return nodes;
}

Result<std::vector<double>> amountsOfJson(const nlohmann::json& list, std::size_t rows,
                                          const std::string& name)
{
    std::vector<double> values;
    if (!list.is_array() || list.size() != rows)
        return refusedMetric("The metric \"" + name + "\" has as many values as there are call paths.");
    for (const auto& value : list) {
        if (!value.is_number() && !value.is_null())
            return refusedMetric("The metric \"" + name + "\" has a value that is no number.");
        values.push_back(value.is_null() ? 0.0 : value.get<double>());
    }
    return values;
}

/// The metric's number in the definitions: a new one, or that which a script gave before.
Result<MetricId> numberOfMetric(Definitions& definitions, const SharedMetric& metric)
{
    auto& known = definitions.metrics;
    const auto found = std::ranges::find(known, metric.name, &Metric::name);
    if (found != known.end() && found->description != kFromScript)
        return refusedMetric("The archive has a metric \"" + metric.name
                             + "\" of its own: choose another name.");
    Metric defined;
    defined.name = metric.name;
    defined.description = kFromScript;
    defined.unit = metric.unit;
    if (found != known.end()) {
        *found = defined;
        return MetricId(static_cast<std::size_t>(found - known.begin()));
    }
    known.push_back(defined);
    return MetricId(known.size() - 1);
}

Result<void> addMetric(Experiment& experiment, Profile& profile, const SharedMetric& metric)
{
    const auto id = numberOfMetric(experiment.definitions, metric);
    if (!id) return Unexpected(id.error());
    std::vector<double> amounts(experiment.callTree->size(), 0.0);
    for (std::size_t row = 0; row < metric.callPaths.size(); ++row) {
        const double value = metric.values[row];
        amounts[metric.callPaths[row]] += std::isfinite(value) ? value : 0.0;
    }
    addMetricColumn(profile, experiment, *id, amounts);
    return {};
}

/// Columns of a large profile are read when they are asked for, which one with more columns cannot do.
Result<std::shared_ptr<const Profile>> wholeProfile(const Experiment& experiment, const Task& task)
{
    auto profile = profileOf(experiment, std::nullopt, task);
    for (std::size_t column = 0;
         profile && (*profile)->source && column < (*profile)->callPaths.metrics.size(); ++column)
        profile = withColumn(*profile, column, task);
    return profile;
}

}  // namespace

Result<std::vector<SharedMetric>> sharedMetrics(const nlohmann::json& request, const Session& session)
{
    const auto wanted = [&request](const char* name) {
        const auto found = request.find(name);
        return found == request.end() ? nlohmann::json() : *found;
    };
    const nlohmann::json experiment = wanted("experiment"), columns = wanted("columns"),
                         unit = wanted("unit");
    const std::uint64_t number = experiment.is_number_unsigned() ? experiment.get<std::uint64_t>() : 0;
    if (!(experiment.is_null() || experiment.is_number_unsigned()) || number >= session.experiments.size())
        return refusedMetric("experiment is the number of an archive that is open.");
    if (!columns.is_object() || columns.empty() || columns.size() > kMostMetrics)
        return refusedMetric("columns is an object with 1 to 64 lists of numbers.");
    const auto nodes = callPathsOfJson(wanted("call_path"), session.experiments[number]->callTree->size());
    if (!nodes) return Unexpected(nodes.error());
    std::vector<SharedMetric> metrics;
    for (const auto& [name, list] : columns.items()) {
        auto values = amountsOfJson(list, nodes->size(), name);
        if (!values) return Unexpected(values.error());
        metrics.push_back({static_cast<std::uint32_t>(number), name,
                           unit.is_string() ? unit.get<std::string>() : std::string(), *nodes,
                           std::move(*values)});
    }
    return metrics;
}

Result<SessionPtr> withMetrics(const Session& session, const std::vector<SharedMetric>& metrics,
                               const Task& task)
{
    if (metrics.empty()) return refusedMetric("There is no metric to show.");
    auto derived = std::make_shared<Session>(session);
    ExperimentPtr& place = derived->experiments[metrics.front().experiment];
    auto experiment = std::make_shared<Experiment>(*place);
    const auto whole = wholeProfile(*experiment, task);
    if (!whole) return Unexpected(whole.error());
    auto profile = std::make_shared<Profile>(**whole);
    profile->source = nullptr;
    for (const SharedMetric& metric : metrics)
        if (const auto added = addMetric(*experiment, *profile, metric); !added)
            return Unexpected(added.error());
    experiment->profile = std::move(profile);
    place = std::move(experiment);
    return derived;
}

Result<PrunedQuery> queryOfPruned(const SessionPtr& session, const ViewState& state, const Task& task)
{
    TreeGraphRequest request;
    request.query.span = state.brushed;
    request.query.filters = state.filters;
    request.query.metric = state.metric;
    request.query.clockShiftsNs = state.clockShiftsNs;
    request.edits = state.tree;
    request.color.metric = request.size.metric = state.metric;
    const auto sums = sumUpTree(session, request, task);
    if (!sums) return Unexpected(sums.error());
    const auto graph = layOutTree(*sums, request, task);
    if (!graph) return Unexpected(graph.error());
    std::vector<std::uint32_t> rows;
    for (const ShownNode& node : (*graph)->shown.nodes)
        if (node.kind != ShownKind::Surrogate) rows.push_back(node.row);
    std::ranges::sort(rows);
    const QueriedRows queried = tableOfRows(*session, (*graph)->rows(), state.metric);
    const SetQuery query = queryOfRows(queried, rows);
    return PrunedQuery{query.text, query.exact};
}

}  // namespace skein::gui
