// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/machine_texts.h"

#include "algorithms/mapping/report/map_hosts.h"
#include "core/io/launcher/map_files.h"
#include "core/io/topology/topology_file.h"
#include "core/machine/archive_machine.h"
#include "core/machine/topology_spec.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <unordered_map>

namespace skein {
namespace {

bool isPlacementFile(const std::string& text)
{
    std::error_code ignored;
    return std::filesystem::exists(text, ignored);
}

/// The archive's host of each node in use; empty where its ranks ran on several hosts, or two nodes' on one.
std::unordered_map<std::uint32_t, std::string> archiveHostsOfNodes(const Placement& placement,
                                                                   const Definitions& definitions)
{
    const std::vector<std::string> hosts = hostsOfRanks(definitions);
    std::unordered_map<std::uint32_t, std::string> names;
    std::map<std::string, std::uint32_t> nodeOfHost;
    for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank) {
        if (rank >= hosts.size() || hosts[rank].empty()) return {};
        const std::uint32_t node = placement.nodeOf(rank);
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

/// On the machine's nodes, with room for as many ranks on each as the map has on one; else with the hosts
/// that it names.
Result<RankMap> readMapOnMachine(const MapSource& source, const Topology& topology,
                                 std::uint32_t ranksPerNode)
{
    auto map = readMapFile(source.file, source.format, hostsOfMachine(topology, ranksPerNode), {});
    if (map) return map;
    auto named = readMapFile(source.file, source.format, {}, {});
    if (!named) return map;
    std::uint32_t needed = 0;
    for (const RankPlace& place : named->places) needed = std::max(needed, place.slot + 1);
    if (needed <= ranksPerNode) return named;
    auto roomy = readMapFile(source.file, source.format, hostsOfMachine(topology, needed), {});
    return roomy ? roomy : named;
}

/// Maps that tell coordinates or orders are read on the machine's nodes, maps with host names by those names;
/// where these are of the run, its hosts are the nodes.
Result<Placement> placementOfFile(const MapSource& source, const Topology& topology,
                                  const Experiment& experiment, std::uint32_t ranks,
                                  std::uint32_t ranksPerNode)
{
    const std::uint32_t perNode =
        ranksPerNode == 0 ? fewestRanksPerNode(ranks, topology.nodes()) : ranksPerNode;
    auto map = readMapOnMachine(source, topology, perNode);
    if (!map) return Unexpected(map.error());
    const std::vector<std::string> hosts = hostsOfRanks(experiment.definitions);
    return placeAsMapped(
        topology, namesHosts(hosts, *map) ? withHosts(std::move(*map), hosts, topology) : *map, ranksPerNode);
}

Result<NamedPlacement> namedPlacement(Result<Placement> placement, std::string description)
{
    if (!placement) return Unexpected(placement.error());
    return NamedPlacement{std::move(*placement), std::move(description), {}};
}

}  // namespace

std::string machineNamedBy(const Experiment& experiment)
{
    for (const Property& property : experiment.definitions.properties)
        if (property.name == kMachineProperty) return property.value;
    return {};
}

std::string dragonflyOfCrayXc(const Topology& topology)
{
    // A group is two cabinets beside each other in a row: six chassis.
    if (nodeNumberOrder(topology) != "BACDE" || topology.numbering()[0].size % 2 != 0) return {};
    return fmt::format("dragonfly:groups={},routers=6x16,nodes=4,column-capacity=3",
                       topology.numbering()[0].size);
}

Result<Topology> topologyOfArchive(const Experiment& experiment, const Task& task)
{
    for (const CartesianTopology& cartesian : experiment.definitions.topologies)
        if (!cartesian.dimensions.empty()) return topologyOfCartesian(cartesian);
    if (const std::string spec = machineNamedBy(experiment); !spec.empty()) return makeTopology(spec, task);
    return fail(
        ErrorCode::NotRecorded,
        fmt::format("{} tells no machine, by a Cartesian topology or otherwise.", experiment.path.string()));
}

Result<Topology> topologyOfText(const std::string& text, const ArchiveOpener& open, const Task& task)
{
    constexpr std::string_view kFile = "topology:";
    if (!text.starts_with(kFile)) return makeTopology(text, task);
    const std::string file = text.substr(kFile.size());
    auto described = std::filesystem::is_directory(file)
        ? Result<Topology>(fail(ErrorCode::NotRecognized, file + " is a folder."))
        : readTopologyFile(file, task);
    if (described || described.error().code != ErrorCode::NotRecognized) return described;
    const auto archive = open(file, task);
    if (!archive) return described;
    return topologyOfArchive(**archive, task);
}

Result<NamedPlacement> placementOf(const std::string& text, const Topology& topology,
                                   const Experiment& experiment, std::uint32_t ranks,
                                   std::uint32_t ranksPerNode)
{
    const auto hosts =
        text.empty() || text == "hosts" ? hostsOfRanks(experiment.definitions) : std::vector<std::string>();
    const bool tell = text.empty()
        && (hostNaming(topology, hosts) != HostNaming::Unknown || areAllNodes(topology, hosts, ranksPerNode));
    if (text == "hosts" || tell) return namedPlacement(placeOnHosts(topology, hosts, ranksPerNode), "hosts");
    if (text.empty()) return namedPlacement(placeInBlocks(topology, ranks, ranksPerNode), "block");
    const MapSource source = mapSourceOf(text);
    if (source.format || isPlacementFile(source.file)) {
        auto placed = placementOfFile(source, topology, experiment, ranks, ranksPerNode);
        if (!placed) return Unexpected(placed.error());
        std::string remark = remarkOnMap(*placed, ranks, ranksPerNode);
        return NamedPlacement{std::move(*placed), text, std::move(remark)};
    }
    return namedPlacement(placeInOrder(topology, ranks, ranksPerNode, text), text);
}

std::string remarkOnMap(const Placement& placement, std::uint32_t ranks, std::uint32_t ranksPerNode)
{
    std::string remark;
    if (placement.ranks() > ranks)
        remark = fmt::format("The map places {} ranks, of which {} communicate.", placement.ranks(), ranks);
    const std::uint32_t fewest = fewestRanksPerNode(ranks, placement.nodes());
    if (ranksPerNode == 0 && placement.ranksPerNode() > fewest)
        remark += fmt::format("{}The map uses up to {} places for ranks on a node, where {} would hold all "
                              "that communicate.",
                              remark.empty() ? "" : " ", placement.ranksPerNode(), fewest);
    return remark;
}

std::vector<MapHost> hostsOfNodes(const Topology& topology, const Placement& placement,
                                  const Definitions& definitions, std::span<const std::uint32_t> nodes)
{
    std::vector<MapHost> hosts = hostsOfMachine(topology, nodes, placement.ranksPerNode());
    if (topology.hasNames()) return hosts;
    const auto names = archiveHostsOfNodes(placement, definitions);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (const auto known = names.find(nodes[i]); known != names.end()) hosts[i].name = known->second;
    }
    return hosts;
}

}  // namespace skein
