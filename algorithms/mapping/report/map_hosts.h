// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/rank_map.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Hosts of maps, of runs and of machines, by their names.
namespace skein {

/// Some tools call the places of a run "node 0": no name that a launcher finds.
bool isHostName(std::string_view name);

/// The machine's nodes as hosts of a map: by their names, or node0, node1, ….
std::vector<MapHost> hostsOfMachine(const Topology& topology, std::uint32_t ranksPerNode);
/// The same for some of its nodes.
std::vector<MapHost> hostsOfMachine(const Topology& topology, std::span<const VertexIndex> nodes,
                                    std::uint32_t ranksPerNode);

/// Finds hosts by their names, with or without domains (sameHost), and adds those that are not there. Refers
/// to `hosts`.
class HostNumbers {
public:
    explicit HostNumbers(std::vector<MapHost>& hosts);
    std::optional<std::uint32_t> find(const std::string& name) const;
    std::uint32_t findOrAdd(const std::string& name);

private:
    std::vector<MapHost>& hosts_;
    std::unordered_multimap<std::string, std::uint32_t> numbers_;  ///< by the name without domain
};

/// Are all hosts of a map among those of a run (hostsOfRanks)?
bool namesHosts(const std::vector<std::string>& ofRanks, const RankMap& map);

/// True when every host tells where it is in the machine's network.
bool tellsCoordinates(const RankMap& map);

/// Hosts have as many slots as their ranks use.
RankMap withRoom(RankMap map);

/// Every host of a map by its coordinates, as one that is called like a node of the machine, or by names
/// alone: then hosts are nodes in the order of their names, so those that a map leaves free count, and the
/// hosts of a run's ranks tell them.
RankMap withHosts(RankMap map, const std::vector<std::string>& ofRanks, const Topology& topology);

}  // namespace skein
