// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/ranked_metric.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/machine_input.h"
#include "core/base/parse_number.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace skein::cli {
namespace {

constexpr std::array kRankedMetrics{
    RankedMetric::RouteBytes, RankedMetric::RouteLength, RankedMetric::HopBytes,  RankedMetric::LinkBytes,
    RankedMetric::InDegree,   RankedMetric::OutDegree,   RankedMetric::InMinusOut};

/// How many rows are shown: a number of them, or a percentage of all; 0 is all, as with other commands.
struct ShownRows {
    double amount = 100;
    bool percent = true;

    std::size_t of(std::size_t all) const
    {
        if (amount == 0) return all;
        if (!percent) return std::min(all, static_cast<std::size_t>(amount));
        return static_cast<std::size_t>(std::ceil(static_cast<double>(all) * amount / 100.0));
    }
};

struct RankOptions {
    MachineOptions machine;
    RoutingOptions routing;
    std::string metric;
    ShownRows shown;
    Format format = Format::Table;
};

std::optional<std::string> takeShownRows(const std::string& text, ShownRows& shown)
{
    const bool percent = text.ends_with('%');
    const auto number =
        parseNumber<double>(std::string_view(text).substr(0, text.size() - (percent ? 1 : 0)));
    const bool fits = number && *number >= 0
        && (percent ? *number <= 100 : *number == std::floor(*number) && *number <= 1e15);
    if (!fits) return fmt::format("{} is neither a number of rows nor a percentage such as 5%", text);
    shown = {*number, percent};
    return std::nullopt;
}

std::vector<Field> rankedFields(RankedMetric metric, LoadUnit unit)
{
    const FieldKind kind = isBytes(metric) && unit == LoadUnit::Bytes ? FieldKind::Bytes : FieldKind::Count;
    std::vector<Field> fields;
    if (isOfRanks(metric)) fields = {{"rank", "Rank", FieldKind::Id}};
    else fields = {{"source", "From", FieldKind::Text}, {"target", "To", FieldKind::Text}};
    fields.push_back({"value", std::string(name(metric)), kind});
    fields.push_back({"cumulative_share", "Cumulative share", FieldKind::Number});
    return fields;
}

std::vector<Cell> rankedCells(const Topology& topology, RankedMetric metric, const RankedValue& value)
{
    if (isOfRanks(metric)) return {std::uint64_t{value.source}, value.value, value.cumulativeShare};
    return {topology.vertexName(value.source), topology.vertexName(value.target), value.value,
            value.cumulativeShare};
}

Result<ExitCode> rank(const RankOptions& options, const Invocation& invocation)
{
    const RankedMetric metric =
        *std::ranges::find(kRankedMetrics, options.metric, [](RankedMetric known) { return name(known); });
    const auto input = openRouted(options.machine, options.routing, invocation);
    if (!input) return Unexpected(input.error());
    const Topology& topology = input->machine.topology;
    const auto values = isOfRanks(metric)
        ? Result<std::vector<RankedValue>>(rankedRanks(*input->machine.matrix, metric))
        : rankedRoutes(topology, input->traffic, metric);
    if (!values) return Unexpected(values.error());
    invocation.task.report(1.0, "");
    RecordWriter writer(invocation.out, options.format, rankedFields(metric, input->traffic.unit));
    for (std::size_t i = 0; i < options.shown.of(values->size()); ++i) {
        if (invocation.task.stopRequested()) return cancelled();
        if (!writer.row(rankedCells(topology, metric, (*values)[i])))
            return input->machine.session.exitCode();
    }
    writer.finish();
    return input->machine.session.exitCode();
}

Action defineRank(CommandLine& line)
{
    auto options = std::make_shared<RankOptions>();
    std::vector<std::string> names;
    for (const RankedMetric metric : kRankedMetrics) names.emplace_back(name(metric));
    addMachineOptions(line, options->machine);
    addRoutingOptions(line, options->routing);
    line.option("--metric", options->metric,
                "What to rank by: of routes route-bytes, route-length, hop-bytes; link-bytes; of ranks "
                "in-degree, out-degree, in-minus-out (messages, or partners where none are told)")
        .required()
        .oneOf(names)
        .valueName("M");
    line.option(
            "--top", [options](const std::string& text) { return takeShownRows(text, options->shown); },
            "Show the first N rows, or N% of them (default: all)")
        .valueName("N|N%");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return rank(*options, invocation); };
}

}  // namespace

Command rankCommand()
{
    return {"rank", "Routes, links or ranks by a metric of communication, the worst first",
            "  skein-cli rank comm.txt --topology torus:4x4x4x16x2 --metric hop-bytes --top 5%\n"
            "  skein-cli rank trace.otf2 --topology dragonfly:9x4x2 --metric link-bytes --top 20\n"
            "  skein-cli rank trace.otf2 --topology mesh:8x8 --metric in-degree --format csv\n",
            defineRank};
}

}  // namespace skein::cli
