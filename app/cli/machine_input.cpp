// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine_input.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "app/cli/arguments.h"
#include "app/cli/experiment_cells.h"
#include "core/io/launcher/map_files.h"
#include "core/machine/topology_spec.h"

#include <filesystem>
#include <fmt/format.h>

namespace skein::cli {
namespace {

bool isFile(const std::string& text)
{
    std::error_code ignored;
    return std::filesystem::exists(text, ignored);
}

std::vector<MapHost> hostsOfMachine(const Topology& topology, std::uint32_t ranksPerNode)
{
    std::vector<MapHost> hosts;
    for (VertexIndex node = 0; node < topology.nodes(); ++node)
        hosts.push_back({topology.hasNames() ? topology.vertexName(node) : fmt::format("node{}", node), ranksPerNode, topology.coordinates(node)});
    return hosts;
}

/// A map file, or a launcher and a map file with a colon between where the text alone could be of several launchers.
struct MapSource {
    const LauncherFormat* format = nullptr;
    std::string file;
};

MapSource mapSourceOf(const std::string& text)
{
    const std::size_t colon = text.find(':');
    const LauncherFormat* format = colon == std::string::npos ? nullptr : findLauncherFormat(text.substr(0, colon));
    return {format, format ? text.substr(colon + 1) : text};
}

/// Maps that tell coordinates or orders are read on the machine's nodes, maps with host names by those names.
Result<Placement> placementOfFile(const MapSource& source, const Topology& topology, std::uint32_t ranks, std::uint32_t ranksPerNode)
{
    const std::uint32_t perNode = ranksPerNode == 0 ? fewestRanksPerNode(ranks, topology.nodes()) : ranksPerNode;
    auto map = readMapFile(source.file, source.format, hostsOfMachine(topology, perNode), {});
    if (!map) map = readMapFile(source.file, source.format, {}, {});
    if (!map) return Unexpected(map.error());
    return placeAsMapped(topology, *map, ranksPerNode);
}

Result<NamedPlacement> named(Result<Placement> placement, std::string description)
{
    if (!placement) return Unexpected(placement.error());
    return NamedPlacement{std::move(*placement), std::move(description)};
}

/// The routes of a recording lie on the machine as they are: no placement is needed.
Result<RoutedInput> routeAsRecorded(RoutedInput input)
{
    auto measured = followRoutes(input.machine.topology, *input.machine.experiment().routes);
    if (!measured) return Unexpected(measured.error());
    input.traffic = recordedTraffic(input.machine.topology, *measured);
    input.machine.placementName = "as recorded";
    input.measured = std::move(*measured);
    return input;
}

Result<std::optional<MeasuredPaths>> measuredOf(const std::string& file, const Topology& topology, const Invocation& invocation)
{
    if (file.empty()) return std::nullopt;
    const auto experiment = invocation.open(file, invocation.task);
    if (!experiment) return Unexpected(experiment.error());
    if (!(*experiment)->routes) return fail(ErrorCode::InvalidArgument, fmt::format("{} holds no routes.", file));
    auto measured = followRoutes(topology, *(*experiment)->routes);
    if (!measured) return Unexpected(measured.error());
    return std::optional(std::move(*measured));
}

void warnOfUnusable(const RoutedInput& input, const Invocation& invocation)
{
    if (input.measured && input.measured->unusable > 0)
        invocation.err.write(fmt::format("skein-cli: {} recorded routes do not fit the machine {} and are left out.\n", input.measured->unusable,
                                         input.machine.topology.spec()));
}

/// The session, the matrix and the machine of the options; not yet placed.
Result<MachineInput> openParts(const MachineOptions& options, const Invocation& invocation)
{
    auto topology = topologyOf(options.topology, invocation.task);
    if (!topology) return Unexpected(topology.error());
    auto session = openSession({options.comm}, invocation);
    if (!session) return Unexpected(session.error());
    MachineInput input{std::move(*session), nullptr, std::move(*topology), {}, {}};
    const auto window = windowOf(input.experiment(), options.window);
    if (!window) return Unexpected(window.error());
    auto matrix = commMatrixOf(input.experiment(), *window, invocation.task);
    if (!matrix) return Unexpected(matrix.error());
    input.matrix = std::move(*matrix);
    return input;
}

Result<MachineInput> placed(MachineInput input, const MachineOptions& options)
{
    auto placement = placementOf(options.placement, input.topology, input.experiment(), input.matrix->ranks(), options.ranksPerNode);
    if (!placement) return Unexpected(placement.error());
    input.placement = std::move(placement->placement);
    input.placementName = std::move(placement->description);
    if (input.placement.ranks() < input.matrix->ranks())
        return fail(ErrorCode::InvalidArgument, fmt::format("The placement tells where {} ranks are; {} communicate.", input.placement.ranks(), input.matrix->ranks()));
    return input;
}

}  // namespace

void addMachineOptions(CLI::App& app, MachineOptions& options)
{
    app.add_option("COMM", options.comm, "A trace, a profile with communication, a hop-byte, route, CSV or Matrix Market file")
        ->required()
        ->option_text("COMM");
    app.add_option("--topology", options.topology,
                   "The machine: torus:4x4x4x16x2, torus:4x4x4x8mx2 (m: mesh), mesh:8x8x8, hamming:12x2x3x16x4, hypercube:10, "
                   "dragonfly:9x4x2, fattree:k=4,n=3, topology:FILE (docs/MACHINES.md)")
        ->required()
        ->option_text("SPEC");
    app.add_option("--ranks-per-node", options.ranksPerNode, "Ranks on each node; by default as few as hold all ranks")
        ->check(CLI::Range(1, 1 << 20))
        ->option_text("N");
    app.add_option("--placement", options.placement,
                   "Where ranks run: block, cyclic, an order such as ABCDET, hosts (as the archive names them), or a launcher's map file [LAUNCHER:]FILE")
        ->option_text("P");
    addWindow(app, options.window);
}

void addRoutingOptions(CLI::App& app, RoutingOptions& options)
{
    app.add_option("--routing", options.routing,
                   "auto, dimension-order[:ORDER][,tie=positive], shortest, ecmp, minimal, valiant, d-mod-k")
        ->option_text("M");
    app.add_option("--routes", options.routes, "Recorded routes, which win over the model")->option_text("FILE");
}

Result<Topology> topologyOf(const std::string& spec, const Task&) { return makeTopology(spec); }

Result<NamedPlacement> placementOf(const std::string& text, const Topology& topology, const Experiment& experiment, std::uint32_t ranks,
                                   std::uint32_t ranksPerNode)
{
    const auto hosts = text.empty() || text == "hosts" ? hostsOfRanks(experiment.definitions) : std::vector<std::string>();
    if (text == "hosts" || (text.empty() && hostNaming(topology, hosts) != HostNaming::Unknown))
        return named(placeOnHosts(topology, hosts, ranksPerNode), "hosts");
    if (text.empty()) return named(placeInBlocks(topology, ranks, ranksPerNode), "block");
    const MapSource source = mapSourceOf(text);
    if (source.format || isFile(source.file)) return named(placementOfFile(source, topology, ranks, ranksPerNode), text);
    return named(placeInOrder(topology, ranks, ranksPerNode, text), text);
}

Result<MachineInput> openMachine(const MachineOptions& options, const Invocation& invocation)
{
    auto input = openParts(options, invocation);
    return input ? placed(std::move(*input), options) : std::move(input);
}

Result<RoutedInput> openRouted(const MachineOptions& machine, const RoutingOptions& routing, const Invocation& invocation)
{
    auto opened = openParts(machine, invocation);
    if (!opened) return Unexpected(opened.error());
    RoutedInput input{std::move(*opened), {}, {}, {}};
    const auto model = parseRoutingModel(routing.routing, input.machine.topology);
    if (!model) return Unexpected(model.error());
    input.model = *model;
    if (input.machine.experiment().routes && routing.routes.empty()) {
        auto recorded = routeAsRecorded(std::move(input));
        if (recorded) warnOfUnusable(*recorded, invocation);
        return recorded;
    }
    auto onNodes = placed(std::move(input.machine), machine);
    if (!onNodes) return Unexpected(onNodes.error());
    input.machine = std::move(*onNodes);
    auto measured = measuredOf(routing.routes, input.machine.topology, invocation);
    if (!measured) return Unexpected(measured.error());
    input.measured = std::move(*measured);
    auto nodes = nodeTraffic(*input.machine.matrix, input.machine.placement);
    if (!nodes) return Unexpected(nodes.error());
    auto result = traffic(input.machine.topology, input.model, std::move(*nodes), input.measured ? &*input.measured : nullptr, invocation.task);
    if (!result) return Unexpected(result.error());
    input.traffic = std::move(*result);
    warnOfUnusable(input, invocation);
    return input;
}

}  // namespace skein::cli
