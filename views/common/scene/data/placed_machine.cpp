// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/placed_machine.h"

#include "algorithms/mapping/report/machine_texts.h"
#include "core/io/importer.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace skein {
namespace {

using KeepMachine = ResultStore::Keep;

struct PlacedMachineKey {
    std::uint32_t experiment = 0;
    MachineChoice choice;
    std::uint32_t ranks = 0;
    bool operator==(const PlacedMachineKey&) const = default;
};

struct TopologyKey {
    std::uint32_t experiment = 0;
    std::string text;
    bool operator==(const TopologyKey&) const = default;
};

/// Whether an archive tells a machine with room for its ranks: Cartesian topologies are also made of threads,
/// and of parts of the ranks.
bool tellsMachine(const Experiment& experiment)
{
    for (const CartesianTopology& cartesian : experiment.definitions.topologies) {
        if (cartesian.dimensions.empty()) continue;
        std::uint64_t places = 1;
        for (const CartesianTopology::Dimension& dimension : cartesian.dimensions) {
            places *= dimension.size;
            if (places > Topology::kMaximumVertices) return false;
        }
        return places > 1;
    }
    return false;
}

/// The nodes on which recorded routes begin and end, by rank; ranks of which nothing is known take what is
/// free.
std::vector<VertexIndex> nodesOfRoutes(const Topology& topology, const RouteSet& routes, std::uint32_t ranks)
{
    std::vector<VertexIndex> nodes(ranks, kNoVertex);
    if (routes.endpointKind() == EndpointKind::NodeNumbers) {
        const auto numbers = routes.endpointNumbers();
        for (std::size_t i = 0; i < std::min<std::size_t>(ranks, numbers.size()); ++i)
            nodes[i] = nodeOfNumber(topology, numbers[i]);
        return nodes;
    }
    for (const RouteSet::Route& route : routes.routes()) {
        if (route.stops == 0) continue;
        if (route.sender < ranks) nodes[route.sender] = topology.nodeAt(routes.position(route, 0));
        if (route.complete && route.receiver < ranks)
            nodes[route.receiver] = topology.nodeAt(routes.position(route, route.stops - 1));
    }
    return nodes;
}

/// As nodesOfRoutes() tells; nothing where the ranks have no room there.
Placement placementOfRoutes(const Topology& topology, const RouteSet& routes, std::uint32_t ranks)
{
    std::vector<VertexIndex> nodes = nodesOfRoutes(topology, routes, ranks);
    std::vector<std::uint32_t> used(topology.nodes(), 0);
    std::uint32_t perNode = fewestRanksPerNode(ranks, topology.nodes());
    for (const VertexIndex node : nodes) {
        if (node < topology.nodes()) perNode = std::max(perNode, ++used[node]);
    }
    std::ranges::fill(used, 0u);
    std::vector<std::uint32_t> slots(ranks, 0);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        if (nodes[rank] < topology.nodes()) slots[rank] = nodes[rank] * perNode + used[nodes[rank]]++;
    }
    VertexIndex free = 0;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        if (nodes[rank] < topology.nodes()) continue;
        while (free < topology.nodes() && used[free] == perNode) ++free;
        if (free == topology.nodes()) return {};
        slots[rank] = free * perNode + used[free]++;
    }
    auto placed = Placement::create(std::move(slots), topology.nodes(), perNode);
    return placed ? std::move(*placed) : Placement();
}

/// The routes of a recording lie on the machine as they are.
Result<void> takeRecorded(PlacedMachine& machine, const RouteSet& routes, std::uint32_t ranks)
{
    auto measured = followRoutes(*machine.topology, routes);
    if (!measured) return Unexpected(measured.error());
    measured->index();
    machine.unusable = measured->unusable;
    machine.placement = placementOfRoutes(*machine.topology, routes, ranks);
    machine.placementName = "as recorded";
    machine.measured = std::make_shared<const MeasuredPaths>(std::move(*measured));
    machine.recordedOnly = true;
    return {};
}

/// Routes of a file of its own.
Result<void> readRecorded(PlacedMachine& machine, const std::string& file, const Task& task)
{
    const auto opened = openExperiment(file, task);
    if (!opened) return Unexpected(opened.error());
    if (!(*opened)->routes) return fail(ErrorCode::NotRecorded, fmt::format("{} holds no routes.", file));
    auto measured = followRoutes(*machine.topology, *(*opened)->routes);
    if (!measured) return Unexpected(measured.error());
    measured->index();
    machine.unusable = measured->unusable;
    machine.measured = std::make_shared<const MeasuredPaths>(std::move(*measured));
    return {};
}

Result<void> placeRanks(PlacedMachine& machine, const Experiment& experiment, const MachineChoice& choice,
                        std::uint32_t ranks)
{
    auto placed = placementOf(choice.placement, *machine.topology, experiment, ranks, choice.ranksPerNode);
    if (!placed) return Unexpected(placed.error());
    if (placed->placement.ranks() < ranks)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The placement tells where {} ranks are; {} communicate.",
                                placed->placement.ranks(), ranks));
    machine.placement = std::move(placed->placement);
    machine.placementName = std::move(placed->description);
    return {};
}

Result<PlacedMachinePtr> makePlacedMachine(ResultStore& results, const SessionPtr& session,
                                           const PlacedMachineKey& key, const Task& task)
{
    auto topology = topologyOfChoice(results, session, key.experiment, key.choice, task);
    if (!topology) return Unexpected(topology.error());
    auto machine = std::make_shared<PlacedMachine>();
    machine->topology = std::move(*topology);
    machine->fromArchive = key.choice.topology.empty();
    const auto model =
        parseRoutingModel(key.choice.routing.empty() ? "auto" : key.choice.routing, *machine->topology);
    if (!model) return Unexpected(model.error());
    machine->model = *model;
    const Experiment& experiment = *session->experiments[key.experiment];
    const bool recorded = experiment.routes && key.choice.routes.empty();
    auto done = recorded ? takeRecorded(*machine, *experiment.routes, key.ranks)
                         : placeRanks(*machine, experiment, key.choice, key.ranks);
    if (done && !key.choice.routes.empty()) done = readRecorded(*machine, key.choice.routes, task);
    if (!done) return Unexpected(done.error());
    return PlacedMachinePtr(std::move(machine));
}

bool hasNoMachine(const Experiment& experiment, const MachineChoice& choice)
{
    return choice.topology == "none" || (choice.topology.empty() && !tellsMachine(experiment));
}

}  // namespace

Result<std::shared_ptr<const Topology>> topologyOfChoice(ResultStore& results, const SessionPtr& session,
                                                         std::uint32_t experiment,
                                                         const MachineChoice& choice, const Task& task)
{
    const Experiment& own = *session->experiments[experiment];
    if (hasNoMachine(own, choice)) return std::shared_ptr<const Topology>();
    const TopologyKey key{choice.topology.empty() ? experiment : 0, choice.topology};
    return results.get<Topology>(
        session, key, KeepMachine::WhileHeld, task, [&]() -> Result<std::shared_ptr<const Topology>> {
            auto made =
                key.text.empty() ? topologyOfArchive(own) : topologyOfText(key.text, openExperiment, task);
            if (!made) return Unexpected(made.error());
            return std::make_shared<const Topology>(std::move(*made));
        });
}

Result<PlacedMachinePtr> placedMachineOf(ResultStore& results, const SessionPtr& session,
                                         std::uint32_t experiment, const MachineChoice& choice,
                                         std::uint32_t ranks, const Task& task)
{
    if (hasNoMachine(*session->experiments[experiment], choice)) return PlacedMachinePtr();
    PlacedMachineKey key{experiment, choice, ranks};
    key.choice.collectives.clear();
    return results.get<PlacedMachine>(session, key, KeepMachine::WhileHeld, task,
                                      [&] { return makePlacedMachine(results, session, key, task); });
}

}  // namespace skein
