// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/derived_column.h"

#include "algorithms/calltree/metric_expression.h"
#include "core/base/units.h"
#include "core/select/filters.h"
#include "views/common/scene/axes/value_axis.h"

#include <cmath>
#include <limits>
#include <map>

namespace skein {
namespace {

constexpr double kNsOfSecond = 1e9;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Values of one experiment by node, times in ns.
struct DerivedNodes {
    MeasuredTable table;
    DerivedMetric metric;
};

class DerivedMaker {
public:
    DerivedMaker(const Session& session, const ProfileQuery& query, const std::string& expression)
        : session_(session), query_(query), profiles_(session, query), expression_(expression)
    {
        column_.expression = expression;
    }

    /// nullopt where the experiment has no answer.
    Result<std::optional<DerivedNodes>> nodesOf(std::uint32_t experiment, DerivedRows which, const Task& task)
    {
        const auto parsed = MetricExpression::parse(expression_);
        if (!parsed) return wrong(parsed.error());
        if (!profiles_.canTell(experiment)) return std::optional<DerivedNodes>();
        const ProfilePart part{profiles_.spanOf(experiment),
                               keptLocations(session_, experiment, query_.filters)};
        auto table = measuredTable(*session_.experiments[experiment], part,
                                   {expression_, false, which == DerivedRows::Regions,
                                    hiddenNames(session_, experiment, query_.filters)},
                                   task);
        if (!table) return Unexpected(std::move(table.error()));
        auto metric = parsed->evaluate(*table);
        if (!metric) return wrong(metric.error());
        const bool seconds = metric->unit == "s";
        if (seconds)
            for (double& value : metric->values) value *= kNsOfSecond;
        column_.unit = seconds ? "ns" : metric->unit;
        return std::optional(DerivedNodes{std::move(*table), std::move(*metric)});
    }

    DerivedColumn& column() { return column_; }

private:
    Result<std::optional<DerivedNodes>> wrong(const TextProblem& problem)
    {
        column_.problem = sentenceOf(problem, expression_);
        return std::optional<DerivedNodes>();
    }

    const Session& session_;
    const ProfileQuery& query_;
    SessionProfiles profiles_;
    const std::string& expression_;
    DerivedColumn column_;
};

/// [region]: the node of its name, or CallTable::kNone.
std::vector<std::uint32_t> nodeOfRegions(const Experiment& experiment, const CallTable& table)
{
    std::map<std::string_view, std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < table.size(); ++node) nodes.emplace(table.name(node), node);
    std::vector<std::uint32_t> of;
    for (const Region& region : experiment.definitions.regions) {
        const auto found = nodes.find(region.name);
        of.push_back(found == nodes.end() ? CallTable::kNone : found->second);
    }
    return of;
}

}  // namespace

Result<DerivedColumn> derivedOfRows(const Session& session, const ProfileQuery& query,
                                    const CallTreeRows& rows, DerivedRows which,
                                    const std::string& expression, const Task& task)
{
    if (which == DerivedRows::Regions || !rows.hasTree) {
        std::vector<DerivedRegion> regions;
        for (const CallTreeRow& row : rows.rows)
            regions.push_back({row.experiment, row.regions.empty() ? RegionId() : row.regions.front()});
        return derivedOfRegions(session, query, regions, expression, task);
    }
    DerivedMaker maker(session, query, expression);
    maker.column().values.assign(rows.rows.size(), kNoValue);
    const auto add = [&](std::uint32_t experiment, const Task& part) -> std::optional<Error> {
        const auto nodes = maker.nodesOf(experiment, which, part);
        if (!nodes) return nodes.error();
        if (!*nodes) return std::nullopt;
        for (std::size_t node = 0; node < (*nodes)->table.callPaths.size(); ++node)
            for (const CallPathId path : (*nodes)->table.callPaths[node])
                if (const std::int64_t row = rows.rowOf(experiment, path); row >= 0)
                    maker.column().values[static_cast<std::size_t>(row)] = (*nodes)->metric.values[node];
        return std::nullopt;
    };
    if (const auto done = forEachExperiment(session, task, add); !done) return Unexpected(done.error());
    return std::move(maker.column());
}

Result<DerivedColumn> derivedOfRegions(const Session& session, const ProfileQuery& query,
                                       const std::vector<DerivedRegion>& rows, const std::string& expression,
                                       const Task& task)
{
    DerivedMaker maker(session, query, expression);
    maker.column().values.assign(rows.size(), kNoValue);
    const auto add = [&](std::uint32_t experiment, const Task& part) -> std::optional<Error> {
        const auto nodes = maker.nodesOf(experiment, DerivedRows::Regions, part);
        if (!nodes) return nodes.error();
        if (!*nodes) return std::nullopt;
        const auto nodeOf = nodeOfRegions(*session.experiments[experiment], (*nodes)->table.table);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows[row].experiment != experiment || !rows[row].region.valid()) continue;
            const std::uint32_t node = nodeOf[rows[row].region.index()];
            if (node != CallTable::kNone) maker.column().values[row] = (*nodes)->metric.values[node];
        }
        return std::nullopt;
    };
    if (const auto done = forEachExperiment(session, task, add); !done) return Unexpected(done.error());
    return std::move(maker.column());
}

std::string derivedText(const DerivedColumn& column, std::size_t row)
{
    if (row >= column.values.size() || !std::isfinite(column.values[row])) return {};
    return formatAmount(column.values[row], column.unit);
}

}  // namespace skein
