// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/natural_order.h"
#include "core/machine/placement.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace skein {
namespace {

/// The number of a Cray node name: nid00762 → 762.
std::optional<std::uint64_t> numberOfNid(std::string_view host)
{
    if (!host.starts_with("nid")) return std::nullopt;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(host.data() + 3, host.data() + host.size(), number);
    if (error != std::errc() || end != host.data() + host.size()) return std::nullopt;
    return number;
}

using NodeOfHost = std::map<std::string, VertexIndex, NaturalOrder>;

std::unordered_map<std::string, VertexIndex> nodesByName(const Topology& topology)
{
    std::unordered_map<std::string, VertexIndex> nodes;
    if (topology.hasNames())
        for (VertexIndex node = 0; node < topology.nodes(); ++node)
            nodes.emplace(topology.vertexName(node), node);
    return nodes;
}

/// A host by its full name or by what stands before the first dot.
VertexIndex findHost(const std::unordered_map<std::string, VertexIndex>& nodes, const std::string& host)
{
    auto found = nodes.find(host);
    if (found == nodes.end()) found = nodes.find(host.substr(0, host.find('.')));
    return found == nodes.end() ? kNoVertex : found->second;
}

void resolveHosts(const Topology& topology, HostNaming naming, NodeOfHost& hosts)
{
    const auto names = nodesByName(topology);
    VertexIndex next = 0;
    for (auto& [host, node] : hosts) {
        if (naming == HostNaming::NodeNames) node = findHost(names, host);
        else if (naming == HostNaming::NodeNumbers)
            node = nodeOfNumber(topology, numberOfNid(host).value_or(kNoVertex));
        else node = next++;
    }
}

Unexpected notANode(const Topology& topology, const std::string& host)
{
    return fail(ErrorCode::InvalidArgument,
                fmt::format("Host {} is no node of the machine, which has {} nodes.", host, topology.nodes()),
                topology.spec());
}

Result<NodeOfHost> hostTable(const Topology& topology, std::span<const std::string> hosts)
{
    NodeOfHost table;
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
        if (hosts[rank].empty())
            return fail(ErrorCode::InvalidArgument, fmt::format("No host is known for rank {}.", rank));
        table.emplace(hosts[rank], kNoVertex);
    }
    resolveHosts(topology, hostNaming(topology, hosts), table);
    for (const auto& [host, node] : table)
        if (node >= topology.nodes()) return notANode(topology, host);
    return table;
}

/// The node of each host of a map.
Result<std::vector<VertexIndex>> nodesOfMap(const Topology& topology, const RankMap& map)
{
    const auto positioned = [&](const MapHost& host) {
        return host.coordinates.size() == topology.numbering().size();
    };
    std::vector<VertexIndex> nodes;
    if (!map.hosts.empty() && std::all_of(map.hosts.begin(), map.hosts.end(), positioned)) {
        for (const MapHost& host : map.hosts) {
            nodes.push_back(topology.nodeAt(host.coordinates));
            if (nodes.back() == kNoVertex) return notANode(topology, host.name);
        }
        return nodes;
    }
    std::vector<std::string> names;
    for (const MapHost& host : map.hosts) names.push_back(host.name);
    const auto table = hostTable(topology, names);
    if (!table) return Unexpected(table.error());
    for (const std::string& name : names) nodes.push_back(table->at(name));
    return nodes;
}

}  // namespace

std::vector<std::string> hostsOfRanks(const Definitions& definitions)
{
    std::int64_t ranks = 0;
    for (const LocationGroup& group : definitions.locationGroups) ranks = std::max(ranks, group.rank + 1);
    if (ranks > static_cast<std::int64_t>(definitions.locationGroups.size()) * 16) return {};
    std::vector<std::string> hosts(static_cast<std::size_t>(ranks));
    for (const LocationGroup& group : definitions.locationGroups) {
        if (group.rank < 0 || !group.node.valid() || group.node.index() >= definitions.systemTree.size())
            continue;
        SystemTreeNodeId at = group.node;
        for (std::size_t steps = 0; steps < definitions.systemTree.size() && at.valid()
             && at.index() < definitions.systemTree.size();
             ++steps) {
            if (definitions.systemTree[at.index()].className == "node") break;
            at = definitions.systemTree[at.index()].parent;
        }
        const bool found = at.valid() && at.index() < definitions.systemTree.size();
        hosts[static_cast<std::size_t>(group.rank)] =
            definitions.systemTree[found ? at.index() : group.node.index()].name;
    }
    return hosts;
}

HostNaming hostNaming(const Topology& topology, std::span<const std::string> hosts)
{
    if (hosts.empty()) return HostNaming::Unknown;
    const auto names = nodesByName(topology);
    const auto named = [&](const std::string& host) { return findHost(names, host) != kNoVertex; };
    if (!names.empty() && std::all_of(hosts.begin(), hosts.end(), named)) return HostNaming::NodeNames;
    const auto numbered = [&](const std::string& host) {
        return numberOfNid(host).value_or(topology.nodes()) < topology.nodes();
    };
    return std::all_of(hosts.begin(), hosts.end(), numbered) ? HostNaming::NodeNumbers : HostNaming::Unknown;
}

Result<Placement> placeOnHosts(const Topology& topology, std::span<const std::string> hosts,
                               std::uint32_t ranksPerNode)
{
    if (hosts.empty()) return fail(ErrorCode::InvalidArgument, "No hosts of ranks are known.");
    const auto table = hostTable(topology, hosts);
    if (!table) return Unexpected(table.error());
    std::vector<std::uint32_t> used(topology.nodes(), 0);
    std::vector<std::uint32_t> core(hosts.size());
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) core[rank] = used[table->at(hosts[rank])]++;
    const std::uint32_t fullest = *std::max_element(used.begin(), used.end());
    const std::uint32_t perNode = ranksPerNode == 0 ? fullest : ranksPerNode;
    if (fullest > perNode)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("A host has {} ranks, more than the {} ranks a node.", fullest, perNode));
    std::vector<std::uint32_t> slots(hosts.size());
    for (std::size_t rank = 0; rank < hosts.size(); ++rank)
        slots[rank] = table->at(hosts[rank]) * perNode + core[rank];
    return Placement::create(std::move(slots), topology.nodes(), perNode);
}

Result<Placement> placeAsMapped(const Topology& topology, const RankMap& map, std::uint32_t ranksPerNode)
{
    if (auto checked = checkRankMap(map); !checked) return Unexpected(checked.error());
    const auto nodes = nodesOfMap(topology, map);
    if (!nodes) return Unexpected(nodes.error());
    std::uint32_t highest = 0;
    for (const RankPlace& place : map.places) highest = std::max(highest, place.slot);
    const std::uint32_t perNode = ranksPerNode == 0 ? highest + 1 : ranksPerNode;
    if (highest >= perNode)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The map uses slot {} of a node; with {} ranks a node the last is {}.",
                                highest, perNode, perNode - 1));
    std::vector<std::uint32_t> slots;
    for (const RankPlace& place : map.places) slots.push_back((*nodes)[place.host] * perNode + place.slot);
    return Placement::create(std::move(slots), topology.nodes(), perNode);
}

}  // namespace skein
