// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/reroute_many.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/machine_input.h"
#include "app/cli/output/figures.h"
#include "app/cli/route_cells.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace skein::cli {
namespace {

struct RerouteOptions {
    MachineOptions machine;
    RoutingOptions routing;
    std::vector<std::string> pairs;
    double topLinks = 0.0;
    std::string criterion = "load";
    std::string strategy = "iterated";
    std::uint32_t tolerance = 0;
    Format format = Format::Table;
};

const std::vector<Field> kDetourFields{
    {"source", "From", FieldKind::Text},
    {"target", "To", FieldKind::Text},
    {"bytes", "Bytes", FieldKind::Bytes},
    {"hops_before", "Hops", FieldKind::Count},
    {"hops_after", "then", FieldKind::Count},
    {"highest_load_before", "Highest load", FieldKind::Bytes},
    {"highest_load_after", "then", FieldKind::Bytes},
    {"reduction_percent", "Reduced by", FieldKind::Percent},
    {"changed", "Changed", FieldKind::Text},
    {"path", "Path", FieldKind::Text},
};

double reductionPercent(std::uint64_t before, std::uint64_t after)
{
    return before == 0
        ? 0.0
        : 100.0 * (static_cast<double>(before) - static_cast<double>(after)) / static_cast<double>(before);
}

struct Reductions {
    std::uint64_t changed = 0;
    std::uint64_t improved = 0;
    double mean = 0.0;  ///< per cent, over the improved routes
    double largest = 0.0;
};

Reductions reductionsOf(const RerouteResult& result)
{
    Reductions sum;
    for (const RouteChange& change : result.changes) {
        sum.changed += change.changed ? 1 : 0;
        if (change.loadAfter >= change.loadBefore) continue;
        const double percent = reductionPercent(change.loadBefore, change.loadAfter);
        ++sum.improved;
        sum.mean += percent;
        sum.largest = std::max(sum.largest, percent);
    }
    if (sum.improved > 0) sum.mean /= static_cast<double>(sum.improved);
    return sum;
}

/// The load that a share of all links does not exceed.
std::uint64_t quantile(std::vector<std::uint64_t> loads, double share)
{
    if (loads.empty()) return 0;
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(loads.size() - 1));
    std::nth_element(loads.begin(), loads.begin() + at, loads.end());
    return loads[static_cast<std::size_t>(at)];
}

void addDistribution(const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& after,
                     FieldKind kind, std::vector<Figure>& figures)
{
    for (const int percent : {50, 90, 95, 99})
        for (const auto& [when, loads] : {std::pair("before", &before), std::pair("after", &after)})
            figures.push_back({{fmt::format("link_load_p{}_{}", percent, when),
                                fmt::format("{} % of links at most, {}", percent, when), kind},
                               quantile(*loads, percent / 100.0)});
}

double percentAbove(std::uint64_t value, std::uint64_t bound)
{
    return bound == 0
        ? 0.0
        : 100.0 * (static_cast<double>(value) - static_cast<double>(bound)) / static_cast<double>(bound);
}

std::vector<Figure> gainFigures(const RoutedInput& input, const RerouteResult& result,
                                const RerouteOptions& options)
{
    const Reductions reductions = reductionsOf(result);
    const Topology& topology = input.machine.topology;
    const FieldKind amount = input.traffic.unit == LoadUnit::Bytes ? FieldKind::Bytes : FieldKind::Count;
    const auto mean = [&](const LinkAmounts& loads) { return summarize(topology, loads, {}).mean; };
    std::vector<Figure> figures{
        {{"topology", "Machine", FieldKind::Text}, topology.spec()},
        {{"criterion", "Criterion", FieldKind::Text}, options.criterion},
        {{"strategy", "Strategy", FieldKind::Text}, options.strategy},
        {{"tolerance", "Hops longer allowed", FieldKind::Count}, std::uint64_t{options.tolerance}},
        {{"routes", "Routes", FieldKind::Count}, std::uint64_t{input.traffic.paths.size()}},
        {{"selected", "Selected", FieldKind::Count}, std::uint64_t{result.changes.size()}},
        {{"changed", "Changed", FieldKind::Count}, reductions.changed},
        {{"improved", "With a lower highest load", FieldKind::Count}, reductions.improved},
        {{"mean_reduction_percent", "Their mean reduction", FieldKind::Percent}, reductions.mean},
        {{"max_reduction_percent", "Their largest reduction", FieldKind::Percent}, reductions.largest},
        {{"passes", "Passes", FieldKind::Count}, std::uint64_t{result.passes}},
        {{"max_link_load_before", "Largest load before", amount}, result.maximumBefore},
        {{"max_link_load_after", "Largest load after", amount}, result.maximumAfter},
        {{"max_link_load_lower_bound", "It cannot fall below", amount}, result.maximumLowerBound},
        {{"max_link_load_gap_percent", "Above that by", FieldKind::Percent},
         percentAbove(result.maximumAfter, result.maximumLowerBound)},
        {{"mean_link_load_before", "Mean load before", amount}, mean(input.traffic.loads)},
        {{"mean_link_load_after", "Mean load after", amount}, mean(LinkAmounts(result.loads))},
        {{"hops_before", "Hops of all routes before", FieldKind::Count}, result.hopsBefore},
        {{"hops_after", "Hops of all routes after", FieldKind::Count}, result.hopsAfter},
    };
    addDistribution(input.traffic.loads.listed(), result.loads, amount, figures);
    return figures;
}

std::vector<Cell> detourCells(const RoutedInput& input, const RerouteResult& result,
                              const RouteChange& change)
{
    const Topology& topology = input.machine.topology;
    const NodePair& pair = input.traffic.pairs[change.route];
    return {topology.vertexName(pair.from),
            topology.vertexName(pair.to),
            pair.bytes,
            std::uint64_t{change.hopsBefore},
            std::uint64_t{change.hopsAfter},
            change.loadBefore,
            change.loadAfter,
            reductionPercent(change.loadBefore, change.loadAfter),
            change.changed,
            pathText(topology, result.paths[change.route])};
}

std::vector<Field> detourFields(const RoutedInput& input)
{
    auto fields = kDetourFields;
    if (input.traffic.unit == LoadUnit::Messages) fields[5].kind = fields[6].kind = FieldKind::Count;
    return fields;
}

/// A table shows the changed routes, CSV all that were selected.
void writeRoutes(const RoutedInput& input, const RerouteResult& result, Format format, Sink& out)
{
    RecordWriter writer(out, format, detourFields(input));
    for (const RouteChange& change : result.changes)
        if (change.changed || format != Format::Table)
            if (!writer.row(detourCells(input, result, change))) return;
    writer.finish();
}

void writeDetoursJson(const RoutedInput& input, const RerouteResult& result, const RerouteOptions& options,
                      Sink& out)
{
    JsonObject object(out);
    addFigures(object, gainFigures(input, result, options));
    object.begin("route_changes");
    writeRoutes(input, result, Format::Json, out);
    object.finish();
}

void writeDetoursTable(const RoutedInput& input, const RerouteResult& result, const RerouteOptions& options,
                       Sink& out)
{
    writeFigures(out, gainFigures(input, result, options));
    writeRoutes(input, result, Format::Table, out);
}

RerouteParameters parametersOf(const RerouteOptions& options)
{
    static const std::map<std::string, RerouteStrategy> strategies{
        {"once", RerouteStrategy::OnePass},
        {"iterated", RerouteStrategy::Iterated},
        {"min-max", RerouteStrategy::MinimizeMaximum}};
    RerouteParameters parameters;
    parameters.limits.criterion =
        options.criterion == "length" ? RerouteCriterion::Length : RerouteCriterion::Load;
    parameters.limits.tolerance = options.tolerance;
    parameters.strategy = strategies.at(options.strategy);
    return parameters;
}

Result<std::vector<std::uint32_t>> selectionOf(const RoutedInput& input, const RerouteOptions& options)
{
    if (options.topLinks <= 0.0) return chosenRoutes(input, options.pairs);
    return routesOverTopLinks(input.traffic.paths, input.traffic.loads.listed(), options.topLinks / 100.0);
}

Result<ExitCode> reroute(const RerouteOptions& options, const Invocation& invocation)
{
    const auto input = openRouted(options.machine, options.routing, invocation);
    if (!input) return Unexpected(input.error());
    if (input->traffic.paths.size() != input->traffic.pairs.size())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("By {} a message takes several ways at once; there is no route to change.",
                                name(input->model)));
    const auto selected = selectionOf(*input, options);
    if (!selected) return Unexpected(selected.error());
    std::vector<std::uint64_t> amounts;
    for (const NodePair& pair : input->traffic.pairs) amounts.push_back(amountOf(pair, input->traffic.unit));
    const auto result = rerouteMany(input->machine.topology, input->traffic.paths, amounts, *selected,
                                    parametersOf(options), invocation.task);
    if (!result) return Unexpected(result.error());
    invocation.task.report(1.0, "");
    if (options.format == Format::Json) writeDetoursJson(*input, *result, options, invocation.out);
    else if (options.format == Format::Csv) writeRoutes(*input, *result, Format::Csv, invocation.out);
    else writeDetoursTable(*input, *result, options, invocation.out);
    return input->machine.session.exitCode();
}

Action defineReroute(CommandLine& line)
{
    auto options = std::make_shared<RerouteOptions>();
    addMachineOptions(line, options->machine);
    addRoutingOptions(line, options->routing);
    addPairs(line, options->pairs);
    line.option("--top-links", options->topLinks,
                "Reroute what goes over the PERCENT of links in use with the largest loads")
        .between(0.0, 100.0)
        .valueName("PERCENT")
        .excludes("--pair");
    line.option("--criterion", options->criterion,
                "What to have less of: load (the highest on the route's links, the default) or length")
        .oneOf({"length", "load"})
        .valueName("length|load");
    line.option("--tolerance", options->tolerance, "Hops that a route may become longer; 0 by default")
        .valueName("N");
    line.option("--strategy", options->strategy,
                "iterated (the default: until no single change helps), once (each route once, in the "
                "criterion's order), "
                "min-max (the largest load of any link first)")
        .oneOf({"iterated", "min-max", "once"})
        .valueName("iterated|min-max|once");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return reroute(*options, invocation); };
}

}  // namespace

Command rerouteCommand()
{
    return {
        "reroute", "Other ways for messages that avoid loaded links, each the best there is",
        "  skein-cli reroute comm.txt --topology torus:4x4x4x16x2 --top-links 5    what goes over the most "
        "loaded 5 % of links\n"
        "  skein-cli reroute comm.txt --topology torus:4x4x4x16x2 --pair 3:17 --tolerance 2\n"
        "  skein-cli reroute comm.txt --topology mesh:8x8 --strategy min-max --format json\n"
        "  skein-cli reroute comm.txt --topology hamming:12x2x3x16x4 --routes route.txt --criterion length\n",
        defineReroute};
}

}  // namespace skein::cli
