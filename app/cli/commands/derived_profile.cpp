// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/derived_profile.h"

#include "algorithms/calltree/derived_export.h"
#include "algorithms/calltree/metric_expression.h"
#include "app/cli/output/text.h"
#include "app/cli/print_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein::cli {
namespace {

std::vector<Field> derivedFields(const DerivedProfileOptions& options)
{
    const bool table = options.format == Format::Table;
    std::vector<Field> fields{{"value", table ? printable(options.expression) : "Value", FieldKind::Number},
                              {"unit", "Unit", FieldKind::Text},
                              {"calls", "Calls", FieldKind::Count}};
    if (!table) {
        fields.push_back({"metric", "Metric", FieldKind::Text});
        fields.push_back({"depth", "Depth", FieldKind::Count});
        fields.push_back({"path", "Path", FieldKind::Text});
    }
    fields.push_back({"name", options.byRegion ? "Region" : "Call path", FieldKind::Text});
    return fields;
}

std::string arrowPath(const CallTable& table, std::size_t node)
{
    std::string text;
    for (const std::string& name : table.shownPath(node)) text += (text.empty() ? "" : " => ") + name;
    return text;
}

std::vector<Cell> derivedCells(const MeasuredTable& table, const DerivedMetric& metric, std::size_t node,
                               const DerivedProfileOptions& options)
{
    const double value = metric.values[node];
    std::vector<Cell> cells{std::isfinite(value) ? Cell(value) : Cell(), metric.unit, table.calls[node]};
    const std::string name(table.table.name(node));
    const bool people = options.format == Format::Table;
    if (!people) {
        cells.emplace_back(options.expression);
        cells.emplace_back(std::uint64_t{table.table.depth(node)});
        cells.emplace_back(arrowPath(table.table, node));
    }
    cells.emplace_back(people ? std::string(std::size_t{2} * table.table.depth(node), ' ') + name : name);
    return cells;
}

/// Regions by value, what has none last.
std::vector<std::size_t> orderOfRows(const DerivedMetric& metric, bool byValue)
{
    std::vector<std::size_t> order(metric.values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t node) {
        return std::isnan(metric.values[node]) ? -HUGE_VAL : metric.values[node];
    };
    if (byValue)
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
    return order;
}

Result<bool> emitDerived(const Experiment& experiment, const std::optional<TimeSpan>& window,
                         const MetricExpression& expression, const DerivedProfileOptions& options,
                         const Invocation& invocation, const Emit& emit)
{
    const auto table = measuredTable(experiment, {window, {}}, {options.expression, false, options.byRegion},
                                     invocation.task);
    if (!table) return tl::make_unexpected(table.error());
    const auto metric = expression.evaluate(*table);
    if (!metric) {
        invocation.err.write(pointedAt(metric.error(), options.expression) + "\n");
        return fail(ErrorCode::InvalidArgument, sentenceOf(metric.error(), options.expression));
    }
    std::size_t rows = 0;
    for (const std::size_t node : orderOfRows(*metric, options.byRegion)) {
        if (options.top > 0 && rows++ >= options.top) break;
        if (!emit(derivedCells(*table, *metric, node, options))) return false;
    }
    return true;
}

}  // namespace

bool isDerivedMetric(const OpenSession& opened, const std::string& text)
{
    const auto& experiments = opened.session.experiments;
    return std::all_of(experiments.begin(), experiments.end(),
                       [&](const ExperimentPtr& experiment) { return isExpressionOf(*experiment, text); });
}

Result<ExitCode> printDerivedProfile(const OpenSession& opened, const DerivedProfileOptions& options,
                                     const Invocation& invocation)
{
    const auto expression = MetricExpression::parse(options.expression);
    if (!expression) {
        invocation.err.write(pointedAt(expression.error(), options.expression) + "\n");
        return fail(ErrorCode::InvalidArgument, sentenceOf(expression.error(), options.expression));
    }
    return printRows(opened, options.format, derivedFields(options), invocation,
                     [&](std::size_t index, const Emit& emit) -> Result<bool> {
                         const auto window = windowOf(opened, index, options.window);
                         if (!window) return tl::make_unexpected(window.error());
                         return emitDerived(*opened.session.experiments[index], *window, *expression, options,
                                            invocation, emit);
                     });
}

}  // namespace skein::cli
