// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/derived_export.h"

#include "core/base/csv.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skein {
namespace {

std::string derivedNumber(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string jsonText(std::string_view raw) { return nlohmann::json(toValidUtf8(raw)).dump(); }

std::string joinedPath(const CallTable& table, std::size_t node)
{
    return fmt::format("{}", fmt::join(table.path(node), " => "));
}

struct DerivedTree {
    const MeasuredTable& measured;
    const DerivedMetric& metric;
    std::string name;
};

std::string derivedHatchet(const DerivedTree& tree)
{
    const CallTable& table = tree.measured.table;
    std::string out = "[";
    std::size_t open = 0;
    for (std::size_t node = 0; node < table.size(); ++node) {
        const bool first = node == 0 || table.depth(node) == table.depth(node - 1) + 1;
        for (; open > table.depth(node); --open) out += "]}";
        out +=
            fmt::format("{}\n{{\"frame\": {{\"name\": {}, \"type\": \"function\"}}, \"metrics\": {{{}: {}, "
                        "\"calls\": {}}}, \"children\": [",
                        first ? "" : ",", jsonText(table.name(node)), jsonText(tree.name),
                        derivedNumber(tree.metric.values[node]), derivedNumber(tree.measured.calls[node]));
        ++open;
    }
    for (; open > 0; --open) out += "]}";
    return out + "\n]\n";
}

std::string derivedCsv(const DerivedTree& tree)
{
    const CallTable& table = tree.measured.table;
    std::string out = "id,parent,depth,name,path,calls,value,unit,metric\n";
    for (std::size_t node = 0; node < table.size(); ++node) {
        const std::uint32_t parent = table.parent(node);
        const double value = tree.metric.values[node];
        out += fmt::format("{},{},{},", node, parent == CallTable::kNone ? "" : fmt::format("{}", parent),
                           table.depth(node));
        for (const std::string& text : {std::string(table.name(node)), joinedPath(table, node)}) {
            appendCsv(out, text);
            out += ',';
        }
        out += fmt::format("{},{},", tree.measured.calls[node],
                           std::isfinite(value) ? fmt::format("{}", value) : std::string());
        appendCsv(out, tree.metric.unit);
        out += ',';
        appendCsv(out, tree.name);
        out += '\n';
    }
    return out;
}

std::string derivedJson(const DerivedTree& tree)
{
    const CallTable& table = tree.measured.table;
    std::string out = "[";
    for (std::size_t node = 0; node < table.size(); ++node) {
        const std::uint32_t parent = table.parent(node);
        out += fmt::format("{}\n{{\"id\": {}, \"parent\": {}, \"depth\": {}, \"name\": {}, \"path\": {}, "
                           "\"calls\": {}, \"value\": {}, \"unit\": {}, \"metric\": {}}}",
                           node == 0 ? "" : ",", node,
                           parent == CallTable::kNone ? "null" : fmt::format("{}", parent), table.depth(node),
                           jsonText(table.name(node)), jsonText(joinedPath(table, node)),
                           derivedNumber(tree.measured.calls[node]), derivedNumber(tree.metric.values[node]),
                           jsonText(tree.metric.unit), jsonText(tree.name));
    }
    return out + "\n]\n";
}

}  // namespace

bool isExpressionOf(const Experiment& experiment, std::string_view text)
{
    for (const Metric& metric : experiment.definitions.metrics)
        if (metric.name == text) return false;
    if (const auto parsed = MetricExpression::parse(text)) return !parsed->isPlainName();
    return text.find_first_of("/*+()") != std::string_view::npos
        || text.find(".inc") != std::string_view::npos || text.find(".exc") != std::string_view::npos;
}

Result<std::string> exportDerived(const Experiment& experiment, const ProfilePart& part,
                                  std::string_view expression, TreeFormat format, const Task& task)
{
    if (format == TreeFormat::Folded || format == TreeFormat::Speedscope)
        return fail(ErrorCode::InvalidArgument,
                    "Stacks want amounts that add up, and a metric by expression does not: export it as "
                    "hatchet, csv or json.");
    const auto wrong = [&](const TextProblem& problem) {
        return fail(ErrorCode::InvalidArgument, sentenceOf(problem, expression));
    };
    const auto parsed = MetricExpression::parse(expression);
    if (!parsed) return wrong(parsed.error());
    const auto table = measuredTable(experiment, part, {expression, false, false}, task);
    if (!table) return Unexpected(table.error());
    const auto metric = parsed->evaluate(*table);
    if (!metric) return wrong(metric.error());
    const DerivedTree tree{*table, *metric, std::string(expression)};
    if (format == TreeFormat::Hatchet) return derivedHatchet(tree);
    return format == TreeFormat::Csv ? derivedCsv(tree) : derivedJson(tree);
}

}  // namespace skein
