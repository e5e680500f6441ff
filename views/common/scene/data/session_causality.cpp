// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_causality.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

/// The tables of the metrics that the trace has; the others are told.
Result<std::vector<SeriesTable>> causalTables(const Session& session, const BehaviorBins& bins,
                                              SessionCausality& causality, const Task& task)
{
    const std::vector<std::string>& metrics = causality.request.metrics;
    const double part = 0.8 / static_cast<double>(std::max<std::size_t>(1, metrics.size()));
    std::vector<SeriesTable> tables;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const double begin = part * static_cast<double>(i);
        auto table = behaviorSeries(session, causality.request.series, bins, metrics[i],
                                    task.part(begin, begin + part));
        if (table) tables.push_back(std::move(*table));
        else if (table.error().cancelled()) return Unexpected(table.error());
        else causality.untold.push_back({metrics[i], table.error().message});
    }
    if (tables.size() < 2)
        return fail(ErrorCode::NotRecorded, "Choose two metrics or more that this trace has.");
    return tables;
}

void tellUntold(SessionCausality& causality)
{
    for (std::size_t i = 0; i < causality.model.variables; ++i) {
        if (causality.model.identity[i] == VarIdentity::Told) continue;
        const bool dropped = causality.model.identity[i] == VarIdentity::Dropped;
        causality.untold.push_back({causality.name(i),
                                    dropped ? "It is constant or made of other metrics."
                                            : "It cannot be told from another metric."});
    }
}

}  // namespace

std::vector<double> SessionCausality::answer(std::size_t from, std::size_t to) const
{
    const std::size_t d = model.variables;
    std::vector<double> values;
    for (std::size_t h = 0; h <= response.steps; ++h)
        values.push_back(response.orthogonal[(h * d + to) * d + from]);
    return values;
}

Result<SessionCausalityPtr> makeCausality(const Session& session, const CausalityRequest& request,
                                          const Task& task)
{
    const auto bins = behaviorBins(session, request.series);
    if (!bins) return Unexpected(bins.error());
    auto causality = std::make_shared<SessionCausality>();
    causality->request = request;
    causality->binNs = static_cast<double>(bins->edges.back() - bins->edges.front())
        / static_cast<double>(bins->edges.size() - 1);
    auto tables = causalTables(session, *bins, *causality, task);
    if (!tables) return Unexpected(tables.error());
    auto variables = causalVariables(std::move(*tables), task.part(0.8, 0.9));
    if (!variables) return Unexpected(variables.error());
    causality->variables = std::move(*variables);
    auto model = fitWithLags(causality->variables, {request.lags}, task.part(0.9, 1.0));
    if (!model) return Unexpected(model.error());
    causality->model = std::move(*model);
    causality->response = varResponse(causality->model, request.horizon);
    causality->links = causalLinks(causality->model, causality->response);
    tellUntold(*causality);
    return SessionCausalityPtr(std::move(causality));
}

}  // namespace skein
