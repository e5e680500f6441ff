// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/causality.h"

#include "algorithms/behavior/change_points.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace skein {
namespace {

/// The step at which the answer to an orthogonal shock is largest.
std::size_t largestAnswer(const VarResponse& response, std::size_t variables, const CausalLink& link)
{
    const auto size = [&](std::size_t h) {
        return std::abs(response.orthogonal[(h * variables + link.to) * variables + link.from]);
    };
    std::size_t best = 0;
    for (std::size_t h = 1; h <= response.steps; ++h)
        if (size(h) > size(best)) best = h;
    return best;
}

}  // namespace

Result<SeriesTable> causalVariables(std::vector<SeriesTable> tables, const Task& task)
{
    if (tables.empty()) return fail(ErrorCode::InvalidArgument, "There is no series.");
    if (tables.size() == 1) return std::move(tables.front());
    SeriesTable joined;
    joined.times = tables.front().times;
    std::vector<std::vector<double>> series;
    for (const SeriesTable& table : tables) {
        if (table.times != joined.times)
            return fail(ErrorCode::InvalidArgument, "The series are not of the same times.");
        auto one = representativeSeries(table, task);
        if (!one) return Unexpected(one.error());
        joined.columns.push_back(table.metric);
        series.push_back(std::move(*one));
    }
    for (std::size_t row = 0; row < joined.times.size(); ++row)
        for (const auto& one : series) joined.values.push_back(one[row]);
    tidySeries(joined);
    return joined;
}

Result<VarModel> fitWithLags(const SeriesTable& table, const LagChoice& choice, const Task& task)
{
    VarParams params;
    params.lags = choice.lags;
    if (choice.lags == 0) {
        const std::size_t most = choice.mostLags > 0 ? choice.mostLags : usualMostLags(table);
        const auto orders = compareVarOrders(table, most, params.trend, task);
        if (!orders) return Unexpected(orders.error());
        params.lags = std::max<std::size_t>(1, orders->best(choice.criterion));
    }
    return fitVar(table, params, task);
}

std::vector<CausalLink> causalLinks(const VarModel& model, const VarResponse& response)
{
    const std::size_t d = model.variables;
    const std::vector<double> pValues = grangerPairs(model);
    std::vector<CausalLink> links;
    for (std::size_t to = 0; to < d; ++to)
        for (std::size_t from = 0; from < d; ++from) {
            if (to == from) continue;
            CausalLink link{from, to, pValues[to * d + from]};
            link.step = largestAnswer(response, d, link);
            link.response = response.orthogonal[(link.step * d + to) * d + from];
            if (response.steps > 0)
                link.share = response.shares[(to * response.steps + response.steps - 1) * d + from];
            links.push_back(link);
        }
    const auto rank = [](const CausalLink& link) {
        return std::tuple(std::isnan(link.pValue) ? 2.0 : link.pValue, link.to, link.from);
    };
    std::sort(links.begin(), links.end(),
              [&](const CausalLink& a, const CausalLink& b) { return rank(a) < rank(b); });
    return links;
}

double chanceFindings(const VarModel& model, double threshold)
{
    return static_cast<double>(model.variables) * static_cast<double>(model.variables - 1) * threshold;
}

}  // namespace skein
