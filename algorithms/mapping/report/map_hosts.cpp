// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/map_hosts.h"

#include "algorithms/mapping/report/verify_map.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

std::string shortName(const std::string& name) { return name.substr(0, name.find('.')); }

}  // namespace

bool isHostName(std::string_view name)
{
    const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '.' || c == '_'; };
    return !name.empty() && std::ranges::all_of(name, fits);
}

std::vector<MapHost> hostsOfMachine(const Topology& topology, std::uint32_t ranksPerNode)
{
    std::vector<VertexIndex> nodes(topology.nodes());
    std::iota(nodes.begin(), nodes.end(), VertexIndex{0});
    return hostsOfMachine(topology, nodes, ranksPerNode);
}

std::vector<MapHost> hostsOfMachine(const Topology& topology, std::span<const VertexIndex> nodes,
                                    std::uint32_t ranksPerNode)
{
    std::vector<MapHost> hosts;
    hosts.reserve(nodes.size());
    for (const VertexIndex node : nodes)
        hosts.push_back({topology.hasNames() ? topology.vertexName(node) : fmt::format("node{}", node),
                         ranksPerNode, topology.coordinates(node)});
    return hosts;
}

HostNumbers::HostNumbers(std::vector<MapHost>& hosts) : hosts_(hosts)
{
    for (std::uint32_t host = 0; host < hosts.size(); ++host)
        numbers_.emplace(shortName(hosts[host].name), host);
}

std::optional<std::uint32_t> HostNumbers::find(const std::string& name) const
{
    const auto [first, last] = numbers_.equal_range(shortName(name));
    const auto same =
        std::find_if(first, last, [&](const auto& host) { return sameHost(hosts_[host.second].name, name); });
    return same == last ? std::nullopt : std::optional(same->second);
}

std::uint32_t HostNumbers::findOrAdd(const std::string& name)
{
    if (const auto known = find(name)) return *known;
    const auto number = static_cast<std::uint32_t>(hosts_.size());
    hosts_.push_back({name, 1, {}});
    numbers_.emplace(shortName(name), number);
    return number;
}

bool namesHosts(const std::vector<std::string>& ofRanks, const RankMap& map)
{
    std::vector<MapHost> hosts;
    HostNumbers numbers(hosts);
    for (const std::string& name : ofRanks) numbers.findOrAdd(name);
    return std::ranges::all_of(map.hosts,
                               [&](const MapHost& host) { return numbers.find(host.name).has_value(); });
}

bool tellsCoordinates(const RankMap& map)
{
    return std::ranges::none_of(map.hosts, [](const MapHost& host) { return host.coordinates.empty(); });
}

RankMap withRoom(RankMap map)
{
    for (const RankPlace& place : map.places)
        map.hosts[place.host].slots = std::max(map.hosts[place.host].slots, place.slot + 1);
    return map;
}

RankMap withHosts(RankMap map, const std::vector<std::string>& ofRanks, const Topology& topology)
{
    if (tellsCoordinates(map)) return map;
    RankMap ofMachine{hostsOfMachine(topology, 1), map.places};
    HostNumbers nodes(ofMachine.hosts);
    for (RankPlace& place : ofMachine.places) place.host = nodes.findOrAdd(map.hosts[place.host].name);
    if (ofMachine.hosts.size() == topology.nodes()) return withRoom(std::move(ofMachine));
    HostNumbers numbers(map.hosts);
    for (const std::string& name : ofRanks) {
        if (!name.empty()) numbers.findOrAdd(name);
    }
    return map;
}

}  // namespace skein
