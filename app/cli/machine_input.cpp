// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine_input.h"

#include "algorithms/comm/collective_expansion.h"
#include "algorithms/comm/comm_matrix_of.h"
#include "app/cli/arguments.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/map_hosts.h"
#include "core/io/launcher/map_files.h"
#include "core/io/topology/topology_file.h"
#include "core/machine/topology_spec.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_map>

namespace skein::cli {
namespace {

bool isFile(const std::string& text)
{
    std::error_code ignored;
    return std::filesystem::exists(text, ignored);
}

/// The archive's host of each node in use; empty where its ranks ran on several hosts, or two nodes' on one.
std::unordered_map<std::uint32_t, std::string> archiveHostsOfNodes(const MachineInput& input)
{
    const std::vector<std::string> hosts = hostsOfRanks(input.experiment().definitions);
    std::unordered_map<std::uint32_t, std::string> names;
    std::map<std::string, std::uint32_t> nodeOfHost;
    for (std::uint32_t rank = 0; rank < input.placement.ranks(); ++rank) {
        if (rank >= hosts.size() || hosts[rank].empty()) return {};
        const std::uint32_t node = input.placement.nodeOf(rank);
        if (nodeOfHost.emplace(hosts[rank], node).first->second != node) return {};
        if (names.emplace(node, hosts[rank]).first->second != hosts[rank]) return {};
    }
    return names;
}

/// The hosts of a run on a machine of just as many nodes are its nodes, whatever their names.
bool areAllNodes(const Topology& topology, const std::vector<std::string>& hosts, std::uint32_t ranksPerNode)
{
    std::map<std::string, std::uint32_t> ranksOf;
    for (const std::string& host : hosts) ++ranksOf[host];
    const auto ranks = static_cast<std::uint32_t>(hosts.size());
    const std::uint32_t most = ranksPerNode == 0 ? fewestRanksPerNode(ranks, topology.nodes()) : ranksPerNode;
    const auto fits = [&](const auto& host) { return isHostName(host.first) && host.second <= most; };
    return ranksOf.size() > 1 && ranksOf.size() == topology.nodes() && std::ranges::all_of(ranksOf, fits);
}

/// A map file, or a launcher and a map file with a colon between where the text alone could be of several
/// launchers.
struct MapSource {
    const LauncherFormat* format = nullptr;
    std::string file;
};

MapSource mapSourceOf(const std::string& text)
{
    const std::size_t colon = text.find(':');
    const LauncherFormat* format =
        colon == std::string::npos ? nullptr : findLauncherFormat(text.substr(0, colon));
    return {format, format ? text.substr(colon + 1) : text};
}

/// Maps that tell coordinates or orders are read on the machine's nodes, maps with host names by those names;
/// where these are of the run, its hosts are the nodes.
Result<Placement> placementOfFile(const MapSource& source, const Topology& topology,
                                  const Experiment& experiment, std::uint32_t ranks,
                                  std::uint32_t ranksPerNode)
{
    const std::uint32_t perNode =
        ranksPerNode == 0 ? fewestRanksPerNode(ranks, topology.nodes()) : ranksPerNode;
    auto map = readMapFile(source.file, source.format, hostsOfMachine(topology, perNode), {});
    if (!map) map = readMapFile(source.file, source.format, {}, {});
    if (!map) return Unexpected(map.error());
    const std::vector<std::string> hosts = hostsOfRanks(experiment.definitions);
    return placeAsMapped(
        topology, namesHosts(hosts, *map) ? withHosts(std::move(*map), hosts, topology) : *map, ranksPerNode);
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

/// The routes of --routes; null where it was not given.
Result<std::shared_ptr<const RouteSet>> recordedRoutes(const std::string& file, const Invocation& invocation)
{
    if (file.empty()) return nullptr;
    const auto experiment = invocation.open(file, invocation.task);
    if (!experiment) return Unexpected(experiment.error());
    if (!(*experiment)->routes) return fail(ErrorCode::NotRecorded, fmt::format("{} holds no routes.", file));
    return (*experiment)->routes;
}

/// Leaves the pairs of nodes whose messages were recorded, also those whose recording ends early.
void keepRecorded(const RouteSet& routes, const Topology& topology, const Placement& placement,
                  NodeTraffic& nodes)
{
    std::set<std::pair<VertexIndex, VertexIndex>> recorded;
    for (const RouteSet::Route& route : routes.routes()) {
        const bool ranks = routes.endpointKind() == EndpointKind::Ranks;
        if (ranks && route.receiver >= placement.ranks()) continue;
        recorded.emplace(topology.nodeAt(routes.position(route, 0)),
                         ranks ? placement.nodeOf(route.receiver)
                               : nodeOfNumber(topology, routes.endpointNumbers()[route.receiver]));
    }
    std::erase_if(nodes.pairs, [&](const NodePair& pair) {
        return !recorded.contains({pair.from, pair.to});
    });
}

/// Places the communication, lets recorded routes win, and routes the rest by the model.
Result<RoutedInput> routePlaced(RoutedInput input, const RoutingOptions& options,
                                const Invocation& invocation)
{
    const Topology& topology = input.machine.topology;
    const auto routes = recordedRoutes(options.routes, invocation);
    if (!routes) return Unexpected(routes.error());
    auto nodes = nodeTraffic(*input.machine.matrix, input.machine.placement, invocation.task);
    if (!nodes) return Unexpected(nodes.error());
    if (*routes) {
        auto measured = followRoutes(topology, **routes);
        if (!measured) return Unexpected(measured.error());
        input.measured = std::move(*measured);
        if (options.recordedOnly) keepRecorded(**routes, topology, input.machine.placement, *nodes);
    }
    auto result = traffic(topology, input.model, std::move(*nodes),
                          input.measured ? &*input.measured : nullptr, invocation.task);
    if (!result) return Unexpected(result.error());
    input.traffic = std::move(*result);
    return input;
}

void warnOfUnusable(const RoutedInput& input, const Invocation& invocation)
{
    if (input.measured && input.measured->unusable > 0)
        invocation.err.write(
            fmt::format("skein-cli: {} recorded routes do not fit the machine {} and are left out.\n",
                        input.measured->unusable, input.machine.topology.spec()));
}

/// Messages of the run, and those that its collective operations are made of where the user picks an
/// algorithm.
Result<std::shared_ptr<const CommMatrix>> matrixWithCollectives(const Experiment& experiment,
                                                                const std::string& collectives,
                                                                const std::optional<TimeSpan>& window,
                                                                const Task& task)
{
    if (collectives.empty() || collectives == "none") return commMatrixOf(experiment, window, task);
    const auto algorithm = parseCollectiveAlgorithm(collectives);
    if (!algorithm) return Unexpected(algorithm.error());
    const auto expanded = expandCollectives(experiment, window, *algorithm, task);
    if (!expanded) return Unexpected(expanded.error());
    const auto messages = commMatrixOf(experiment, window, task);
    if (!messages) return Unexpected(messages.error());
    return std::make_shared<const CommMatrix>(sumOf(**messages, *expanded));
}

/// What became of the collective operations of a trace, in the user's words.
std::string fateOfCollectives(const Experiment& experiment, const std::string& collectives,
                              const std::optional<TimeSpan>& window)
{
    if (!experiment.trace) return {};
    const auto counted = [&](const CollectiveOperation& operation) {
        return !window || window->contains(operation.begin);
    };
    const auto operations = std::ranges::count_if(experiment.trace->collectives, counted);
    if (operations == 0) return "none recorded";
    if (collectives.empty() || collectives == "none") return fmt::format("{} left out", operations);
    return fmt::format("{} expanded: {}", operations,
                       collectives == "default" ? "as MPICH chooses by default" : collectives);
}

/// The session, the matrix and the machine of the options; not yet placed.
Result<MachineInput> openParts(const MachineOptions& options, const Invocation& invocation)
{
    auto topology = topologyOf(options.topology, invocation);
    if (!topology) return Unexpected(topology.error());
    auto session = openSession({options.comm}, invocation);
    if (!session) return Unexpected(session.error());
    MachineInput input{std::move(*session), nullptr, std::move(*topology), {}, {}, {}};
    const auto window = windowOf(input.session, 0, options.window);
    if (!window) return Unexpected(window.error());
    auto matrix = matrixWithCollectives(input.experiment(), options.collectives, *window, invocation.task);
    if (!matrix) return Unexpected(matrix.error());
    input.matrix = std::move(*matrix);
    input.collectives = fateOfCollectives(input.experiment(), options.collectives, *window);
    return input;
}

Result<MachineInput> placed(MachineInput input, const MachineOptions& options)
{
    auto placement = options.rankMap
        ? named(placeAsMapped(input.topology, *options.rankMap, options.ranksPerNode), "as mapped")
        : placementOf(options.placement, input.topology, input.experiment(), input.matrix->ranks(),
                      options.ranksPerNode);
    if (!placement) return Unexpected(placement.error());
    input.placement = std::move(placement->placement);
    input.placementName = std::move(placement->description);
    if (input.placement.ranks() < input.matrix->ranks())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The placement tells where {} ranks are; {} communicate.",
                                input.placement.ranks(), input.matrix->ranks()));
    return input;
}

}  // namespace

void addMachineOptions(CommandLine& line, MachineOptions& options)
{
    line.option("COMM", options.comm,
                "A trace, a profile with communication, a hop-byte, route, CSV or Matrix Market file")
        .required()
        .valueName("COMM");
    line.option("--topology", options.topology,
                "The machine: torus:4x4x4x16x2, torus:4x4x4x8mx2 (m: mesh), mesh:8x8x8, "
                "hamming:12x2x3x16x4, hypercube:10, "
                "dragonfly:9x4x2, fattree:k=4,n=3, topology:FILE (docs/MACHINES.md)")
        .required()
        .valueName("SPEC");
    line.option("--ranks-per-node", options.ranksPerNode,
                "Ranks on each node; by default as few as hold all ranks")
        .between(1, 1 << 20)
        .valueName("N");
    line.option("--placement", options.placement,
                "Where ranks run: block, cyclic, an order such as ABCDET, hosts (as the archive names "
                "them), or a launcher's map file [LAUNCHER:]FILE")
        .valueName("P");
    line.option("--collectives", options.collectives,
                "Expand collective operations of a trace into messages: default (as MPICH chooses), "
                "binomial, bruck, dissemination, "
                "pairwise, recursive-doubling, ring; none leaves them out, as without this option")
        .valueName("A");
    addWindow(line, options.window);
}

void addRoutingOptions(CommandLine& line, RoutingOptions& options)
{
    line.option("--routing", options.routing,
                "How messages go: auto (the default, as fits the machine), "
                "dimension-order[:ORDER][,tie=positive], shortest, ecmp, minimal, valiant or d-mod-k "
                "(docs/MACHINES.md)")
        .valueName("M");
    line.option("--routes", options.routes, "Recorded routes, which win over the model").valueName("FILE");
    line.flag("--recorded-only", options.recordedOnly, "Leave out messages without a recorded route")
        .needs("--routes");
}

Result<Topology> topologyOf(const std::string& spec, const Invocation& invocation)
{
    constexpr std::string_view kFile = "topology:";
    if (!spec.starts_with(kFile)) return makeTopology(spec, invocation.task);
    const std::string file = spec.substr(kFile.size());
    auto described = std::filesystem::is_directory(file)
        ? Result<Topology>(fail(ErrorCode::NotRecognized, file + " is a folder."))
        : readTopologyFile(file, invocation.task);
    if (described || described.error().code != ErrorCode::NotRecognized) return described;
    const auto archive = invocation.open(file, invocation.task);
    if (!archive) return described;
    for (const CartesianTopology& cartesian : (*archive)->definitions.topologies)
        if (!cartesian.dimensions.empty()) return topologyOfCartesian(cartesian);
    return fail(ErrorCode::NotRecorded, fmt::format("{} has no Cartesian topology.", file));
}

Result<NamedPlacement> placementOf(const std::string& text, const Topology& topology,
                                   const Experiment& experiment, std::uint32_t ranks,
                                   std::uint32_t ranksPerNode)
{
    const auto hosts =
        text.empty() || text == "hosts" ? hostsOfRanks(experiment.definitions) : std::vector<std::string>();
    const bool tell = text.empty()
        && (hostNaming(topology, hosts) != HostNaming::Unknown || areAllNodes(topology, hosts, ranksPerNode));
    if (text == "hosts" || tell) return named(placeOnHosts(topology, hosts, ranksPerNode), "hosts");
    if (text.empty()) return named(placeInBlocks(topology, ranks, ranksPerNode), "block");
    const MapSource source = mapSourceOf(text);
    if (source.format || isFile(source.file))
        return named(placementOfFile(source, topology, experiment, ranks, ranksPerNode), text);
    return named(placeInOrder(topology, ranks, ranksPerNode, text), text);
}

std::vector<MapHost> hostsOfNodes(const MachineInput& input, std::span<const std::uint32_t> nodes)
{
    std::vector<MapHost> hosts = hostsOfMachine(input.topology, nodes, input.placement.ranksPerNode());
    if (input.topology.hasNames()) return hosts;
    const std::unordered_map<std::uint32_t, std::string> names = archiveHostsOfNodes(input);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (const auto known = names.find(nodes[i]); known != names.end()) hosts[i].name = known->second;
    }
    return hosts;
}

Result<MachineInput> openMachine(const MachineOptions& options, const Invocation& invocation)
{
    auto input = openParts(options, invocation);
    return input ? placed(std::move(*input), options) : std::move(input);
}

Result<RoutedInput> openRouted(const MachineOptions& machine, const RoutingOptions& routing,
                               const Invocation& invocation)
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
    auto routed = routePlaced(std::move(input), routing, invocation);
    if (routed) warnOfUnusable(*routed, invocation);
    return routed;
}

}  // namespace skein::cli
