// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/machine_input.h"
#include "app/cli/output/figures.h"

#include <fmt/format.h>
#include <utility>

namespace skein::cli {
namespace {

struct TrafficOptions {
    MachineOptions machine;
    RoutingOptions routing;
    Format format = Format::Table;
    std::size_t top = 10;
};

const std::vector<Field> kLoadFields{
    {"source", "From", FieldKind::Text},
    {"target", "To", FieldKind::Text},
    {"load", "Load", FieldKind::Bytes},
    {"percent", "% of all", FieldKind::Percent},
};

std::vector<Figure> costFigures(const RoutedInput& input)
{
    const Traffic& traffic = input.traffic;
    const Topology& topology = input.machine.topology;
    const FieldKind amount = traffic.unit == LoadUnit::Bytes ? FieldKind::Bytes : FieldKind::Count;
    const bool recorded = input.machine.placementName == "as recorded";
    const Cell heaviest = traffic.summary.maximumLink == kNoLink
        ? Cell()
        : Cell(topology.linkName(traffic.summary.maximumLink));
    return {
        {{"topology", "Machine", FieldKind::Text}, topology.spec()},
        {{"routing", "Routing", FieldKind::Text}, recorded ? std::string("as recorded") : name(input.model)},
        {{"placement", "Placement", FieldKind::Text}, input.machine.placementName},
        {{"nodes", "Nodes", FieldKind::Count}, std::uint64_t{topology.nodes()}},
        {{"links", "Links", FieldKind::Count}, std::uint64_t{topology.links()}},
        {{"ranks", "Ranks", FieldKind::Count}, std::uint64_t{input.machine.matrix->ranks()}},
        {{"ranks_per_node", "Ranks per node", FieldKind::Count},
         recorded ? Cell() : Cell(std::uint64_t{input.machine.placement.ranksPerNode()})},
        {{"collectives", "Collective operations", FieldKind::Text},
         input.machine.collectives.empty() ? Cell() : Cell(input.machine.collectives)},
        {{"unit", "Loads in", FieldKind::Text},
         std::string(traffic.unit == LoadUnit::Bytes ? "bytes" : "messages")},
        {{"messages", "Messages", FieldKind::Count},
         traffic.messages > 0 || traffic.bytes == 0 ? Cell(traffic.messages) : Cell()},
        {{"bytes", "Bytes", FieldKind::Bytes}, traffic.bytes},
        {{"intra_node_pairs", "Pairs of ranks in a node", FieldKind::Count}, traffic.rankPairsInside},
        {{"intra_node_bytes", "Bytes inside nodes", FieldKind::Bytes}, traffic.bytesInside},
        {{"node_pairs", "Pairs of nodes", FieldKind::Count}, traffic.nodePairs},
        {{"measured_pairs", "On recorded routes", FieldKind::Count}, traffic.pairsMeasured},
        {{"hop_bytes", "Hop-bytes", amount}, traffic.hopBytes},
        {{"mean_dilation", "Mean hops of a byte", FieldKind::Number}, traffic.meanDilation},
        {{"max_hops", "Most hops", FieldKind::Count}, std::uint64_t{traffic.maximumHops}},
        {{"links_used", "Links used", FieldKind::Count}, std::uint64_t{traffic.summary.linksUsed}},
        {{"max_link_load", "Largest load", amount}, traffic.summary.maximum},
        {{"max_link", "On link", FieldKind::Text}, heaviest},
        {{"max_link_ties", "Other links with it", FieldKind::Count},
         std::uint64_t{traffic.summary.maximumTies}},
        {{"mean_link_load", "Mean load", amount}, traffic.summary.mean},
        {{"mean_used_link_load", "Mean load of used links", amount}, traffic.summary.meanUsed},
        {{"congestion", "Largest load / capacity", amount}, traffic.summary.congestion},
    };
}

std::vector<LinkIndex> shownLinks(const Traffic& traffic, std::size_t top)
{
    auto links = topLinks(traffic.loads, top == 0 ? traffic.loads.size() : top);
    while (!links.empty() && traffic.loads[links.back()] == 0) links.pop_back();
    return links;
}

std::vector<Cell> linkCells(const RoutedInput& input, LinkIndex link)
{
    const Topology& topology = input.machine.topology;
    const std::uint64_t load = input.traffic.loads[link];
    const double all = static_cast<double>(input.traffic.hopBytes);
    return {topology.vertexName(topology.source(link)), topology.vertexName(topology.target(link)), load,
            all > 0 ? Cell(100.0 * static_cast<double>(load) / all) : Cell()};
}

bool writeLinks(const RoutedInput& input, const TrafficOptions& options, Sink& out)
{
    auto fields = kLoadFields;
    fields[2].kind = input.traffic.unit == LoadUnit::Bytes ? FieldKind::Bytes : FieldKind::Count;
    RecordWriter writer(out, options.format, fields);
    for (const LinkIndex link : shownLinks(input.traffic, options.top))
        if (!writer.row(linkCells(input, link))) return false;
    writer.finish();
    return true;
}

/// The figures as one object, with the links as an array in it.
void writeLoadsJson(const RoutedInput& input, const TrafficOptions& options, Sink& out)
{
    JsonObject object(out);
    addFigures(object, costFigures(input));
    std::vector<std::vector<Cell>> links;
    for (const LinkIndex link : shownLinks(input.traffic, options.top))
        links.push_back(linkCells(input, link));
    object.addRows("top_links", kLoadFields, links);
    object.finish();
}

void writeLoadsTable(const RoutedInput& input, const TrafficOptions& options, Sink& out)
{
    writeFigures(out, costFigures(input));
    writeLinks(input, options, out);
}

Result<ExitCode> traffic(const TrafficOptions& options, const Invocation& invocation)
{
    const auto input = openRouted(options.machine, options.routing, invocation);
    if (!input) return Unexpected(input.error());
    invocation.task.report(1.0, "");
    if (options.format == Format::Json) writeLoadsJson(*input, options, invocation.out);
    else if (options.format == Format::Csv) writeLinks(*input, options, invocation.out);
    else writeLoadsTable(*input, options, invocation.out);
    return input->machine.session.exitCode();
}

Action defineTraffic(CommandLine& line)
{
    auto options = std::make_shared<TrafficOptions>();
    addMachineOptions(line, options->machine);
    addRoutingOptions(line, options->routing);
    addFormat(line, options->format);
    line.option(
            "--top", options->top,
            "How many of the links with the largest loads to show (default: 10); 0 shows all that are used")
        .valueName("N");
    return [options](const Invocation& invocation) { return traffic(*options, invocation); };
}

}  // namespace

Command trafficCommand()
{
    return {"traffic",
            "What communication costs on a machine: hop-bytes, loads of links, the most loaded links",
            "  skein-cli traffic comm.txt --topology torus:4x4x4x16x2 --ranks-per-node 2\n"
            "  skein-cli traffic trace.otf2 --topology dragonfly:9x4x2 --placement hosts\n"
            "  skein-cli traffic trace.otf2 --topology torus:8x8x8 --placement ABCT --routing ecmp\n"
            "  skein-cli traffic comm.txt --topology hamming:12x2x3x16x4 --routes route.txt --format json\n"
            "  skein-cli traffic comm.txt --topology mesh:8x8 --format csv --top 0 > loads.csv\n",
            defineTraffic};
}

}  // namespace skein::cli
