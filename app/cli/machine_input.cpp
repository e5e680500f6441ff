// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine_input.h"

#include "algorithms/comm/collective_expansion.h"
#include "algorithms/comm/comm_matrix_of.h"
#include "app/cli/arguments.h"
#include "app/cli/experiment_cells.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace skein::cli {
namespace {

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
    tellLosses(**experiment, file, invocation.err);
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

void tellRemark(const MachineInput& input, const Invocation& invocation)
{
    if (!input.placementRemark.empty())
        invocation.err.write(fmt::format("skein-cli: {}\n", input.placementRemark));
}

/// What becomes of the collective operations of a trace that are not expanded, in the user's words.
std::string leftCollectives(const Experiment& experiment, const std::optional<TimeSpan>& window)
{
    if (!experiment.trace) return {};
    if (collectivesAreRegions(experiment)) return "recorded as regions only, left out";
    const auto counted = [&](const CollectiveOperation& operation) {
        return !window || window->contains(operation.begin);
    };
    const auto operations = std::ranges::count_if(experiment.trace->collectives, counted);
    return operations == 0 ? "none recorded" : fmt::format("{} left out", operations);
}

/// Messages of the run, and those that its collective operations are made of where the user picks an
/// algorithm; and what became of these operations.
Result<void> sumMessages(MachineInput& input, const std::string& collectives,
                         const std::optional<TimeSpan>& window, const Task& task)
{
    const Experiment& experiment = input.experiment();
    const bool expanded = !collectives.empty() && collectives != "none";
    const auto algorithm = expanded ? parseCollectiveAlgorithm(collectives) : CollectiveAlgorithm{};
    if (!algorithm) return Unexpected(algorithm.error());
    const auto known = expanded ? knownCollectives(experiment, task) : Result<KnownCollectives>();
    if (!known) return Unexpected(known.error());
    auto messages = commMatrixOf(experiment, window, task);
    if (!messages) return Unexpected(messages.error());
    input.matrix = std::move(*messages);
    input.collectives =
        expanded ? tellExpansion(*known, window, collectives) : leftCollectives(experiment, window);
    if (!expanded) return {};
    const auto operations = expandCollectives(experiment, *known, window, *algorithm, task);
    if (!operations) return Unexpected(operations.error());
    input.matrix = std::make_shared<const CommMatrix>(sumOf(*input.matrix, *operations));
    return {};
}

/// The session, the matrix and the machine of the options; not yet placed.
Result<MachineInput> openParts(const MachineOptions& options, const Invocation& invocation)
{
    auto topology = topologyOf(options.topology, invocation);
    if (!topology) return Unexpected(topology.error());
    auto session = openSession({options.comm}, invocation);
    if (!session) return Unexpected(session.error());
    MachineInput input{std::move(*session), nullptr, std::move(*topology), {}, {}, {}, {}};
    const auto window = windowOf(input.session, 0, options.window);
    if (!window) return Unexpected(window.error());
    const auto summed = sumMessages(input, options.collectives, *window, invocation.task);
    if (!summed) return Unexpected(summed.error());
    return input;
}

Result<MachineInput> placed(MachineInput input, const MachineOptions& options)
{
    auto placement = options.rankMap
        ? placeAsMapped(input.topology, *options.rankMap, options.ranksPerNode).map([&](Placement mapped) {
              std::string remark = remarkOnMap(mapped, input.matrix->ranks(), options.ranksPerNode);
              return NamedPlacement{std::move(mapped), "as mapped", std::move(remark)};
          })
        : placementOf(options.placement, input.topology, input.experiment(), input.matrix->ranks(),
                      options.ranksPerNode);
    if (!placement) return Unexpected(placement.error());
    input.placement = std::move(placement->placement);
    input.placementName = std::move(placement->description);
    input.placementRemark = std::move(placement->remark);
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
    return topologyOfText(spec, invocation.open, invocation.task);
}

std::vector<MapHost> hostsOfNodes(const MachineInput& input, std::span<const std::uint32_t> nodes)
{
    return hostsOfNodes(input.topology, input.placement, input.experiment().definitions, nodes);
}

Result<MachineInput> openMachine(const MachineOptions& options, const Invocation& invocation)
{
    auto parts = openParts(options, invocation);
    if (!parts) return parts;
    auto input = placed(std::move(*parts), options);
    if (input) tellRemark(*input, invocation);
    return input;
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
    tellRemark(input.machine, invocation);
    auto routed = routePlaced(std::move(input), routing, invocation);
    if (routed) warnOfUnusable(*routed, invocation);
    return routed;
}

}  // namespace skein::cli
