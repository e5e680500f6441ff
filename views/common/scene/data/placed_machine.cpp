// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/placed_machine.h"

#include "algorithms/mapping/report/machine_texts.h"
#include "core/io/importer.h"
#include "views/common/scene/data/session_communication.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
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
    return !machineNamedBy(experiment).empty();
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
Result<void> takeRecorded(PlacedMachine& machine, const RouteSet& routes, const PlacedMachineKey& key)
{
    auto measured = followRoutes(*machine.topology, routes);
    if (!measured) return Unexpected(measured.error());
    measured->index();
    machine.unusable = measured->unusable;
    machine.placement = placementOfRoutes(*machine.topology, routes, key.ranks);
    const std::uint32_t asked = key.choice.ranksPerNode, found = machine.placement.ranksPerNode();
    if (asked > 0 && found > asked)
        machine.remark =
            fmt::format("The recorded routes lead to {} ranks on one node, more than {}.", found, asked);
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

/// The nodes that the archives before this one leave free.
Result<std::vector<VertexIndex>> nodesLeftFree(ResultStore& results, const SessionPtr& session,
                                               const PlacedMachineKey& key, const Topology& topology,
                                               const Task& task)
{
    std::vector<char> taken(topology.nodes(), 0);
    std::vector<PlacedMachinePtr> held;  // each is placed once
    for (std::uint32_t i = 0; i < key.experiment; ++i) {
        const std::uint32_t ranks = communicatingRanks(*session->experiments[i]);
        if (ranks == 0) continue;
        auto before = placedMachineOf(results, session, i, key.choice, ranks, task);
        if (!before) return Unexpected(before.error());
        if (!*before || (*before)->topology->spec() != topology.spec()) continue;
        const Placement& placement = (*before)->placement;
        for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank) taken[placement.nodeOf(rank)] = 1;
        held.push_back(std::move(*before));
    }
    std::vector<VertexIndex> free;
    for (VertexIndex node = 0; node < topology.nodes(); ++node)
        if (!taken[node]) free.push_back(node);
    return free;
}

/// In the order of the nodes, as few on each as hold all.
Result<Placement> placedOnFreeNodes(const std::vector<VertexIndex>& free, const Topology& topology,
                                    std::uint32_t ranks, std::uint32_t ranksPerNode, const std::string& name)
{
    const auto count = static_cast<std::uint32_t>(free.size());
    const std::uint32_t perNode =
        ranksPerNode > 0 || count == 0 ? ranksPerNode : fewestRanksPerNode(ranks, count);
    if (std::uint64_t{perNode} * count < ranks)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("The {} ranks of {} do not fit on the {} nodes that are free.", ranks, name, count));
    std::vector<std::uint32_t> slots;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        slots.push_back(free[rank / perNode] * perNode + rank % perNode);
    return Placement::create(std::move(slots), topology.nodes(), perNode);
}

Result<void> placeRanks(ResultStore& results, const SessionPtr& session, PlacedMachine& machine,
                        const PlacedMachineKey& key, const Task& task)
{
    const Experiment& experiment = *session->experiments[key.experiment];
    const std::string text = placementPart(key.choice.placement, key.experiment);
    if (text == "free") {
        const auto free = nodesLeftFree(results, session, key, *machine.topology, task);
        if (!free) return Unexpected(free.error());
        auto placed =
            placedOnFreeNodes(*free, *machine.topology, key.ranks, key.choice.ranksPerNode, experiment.name);
        if (!placed) return Unexpected(placed.error());
        machine.placement = std::move(*placed);
        machine.placementName = "free nodes";
        return {};
    }
    auto placed = placementOf(text, *machine.topology, experiment, key.ranks, key.choice.ranksPerNode);
    if (!placed) return Unexpected(placed.error());
    if (placed->placement.ranks() < key.ranks)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The placement tells where {} ranks are; {} communicate.",
                                placed->placement.ranks(), key.ranks));
    machine.placement = std::move(placed->placement);
    machine.placementName = std::move(placed->description);
    machine.remark = std::move(placed->remark);
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
    auto done = recorded ? takeRecorded(*machine, *experiment.routes, key)
                         : placeRanks(results, session, *machine, key, task);
    if (done && !key.choice.routes.empty()) done = readRecorded(*machine, key.choice.routes, task);
    if (!done) return Unexpected(done.error());
    return PlacedMachinePtr(std::move(machine));
}

bool hasNoMachine(const Experiment& experiment, const MachineChoice& choice)
{
    return choice.topology == "none" || (choice.topology.empty() && !tellsMachine(experiment));
}

}  // namespace

std::string placementPart(const std::string& text, std::uint32_t experiment)
{
    std::string_view rest = text;
    std::string_view part = rest.substr(0, rest.find(';'));
    for (std::uint32_t i = 0; i < experiment && part.size() < rest.size(); ++i) {
        rest.remove_prefix(part.size() + 1);
        part = rest.substr(0, rest.find(';'));
    }
    constexpr std::string_view kBlanks = " \t";
    part.remove_prefix(std::min(part.find_first_not_of(kBlanks), part.size()));
    const std::size_t last = part.find_last_not_of(kBlanks);
    return std::string(part.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

Result<std::shared_ptr<const Topology>> topologyOfChoice(ResultStore& results, const SessionPtr& session,
                                                         std::uint32_t experiment,
                                                         const MachineChoice& choice, const Task& task)
{
    const Experiment& own = *session->experiments[experiment];
    if (hasNoMachine(own, choice)) return std::shared_ptr<const Topology>();
    const TopologyKey key{choice.topology.empty() ? experiment : 0, choice.topology};
    return results.get<Topology>(
        session, key, KeepMachine::WhileHeld, task, [&]() -> Result<std::shared_ptr<const Topology>> {
            auto made = key.text.empty() ? topologyOfArchive(own, task)
                                         : topologyOfText(key.text, openExperiment, task);
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
