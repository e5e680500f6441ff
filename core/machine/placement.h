// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/definitions/definitions.h"
#include "core/machine/rank_map.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// Where each rank runs: rank → slot, slot = node × ranksPerNode + core. No two ranks share a slot; slots may
/// stay free. Immutable; reading from several threads is safe.
class Placement {
public:
    Placement() = default;
    /// Errors: InvalidArgument for a slot outside the machine or used twice, naming the ranks. O(ranks +
    /// slots).
    static Result<Placement> create(std::vector<std::uint32_t> slotOfRank, std::uint32_t nodes,
                                    std::uint32_t ranksPerNode);

    std::uint32_t ranks() const { return static_cast<std::uint32_t>(slotOfRank_.size()); }
    std::uint32_t nodes() const { return nodes_; }
    std::uint32_t ranksPerNode() const { return ranksPerNode_; }
    std::uint32_t slots() const { return nodes_ * ranksPerNode_; }
    std::uint32_t slotOf(std::uint32_t rank) const { return slotOfRank_[rank]; }
    VertexIndex nodeOf(std::uint32_t rank) const { return slotOfRank_[rank] / ranksPerNode_; }
    std::uint32_t coreOf(std::uint32_t rank) const { return slotOfRank_[rank] % ranksPerNode_; }
    std::span<const std::uint32_t> slotOfRank() const { return slotOfRank_; }
    bool operator==(const Placement&) const = default;

private:
    std::vector<std::uint32_t> slotOfRank_;
    std::uint32_t nodes_ = 0;
    std::uint32_t ranksPerNode_ = 1;
};

/// The fewest ranks a node that hold all ranks on the machine; at least 1.
std::uint32_t fewestRanksPerNode(std::uint32_t ranks, std::uint32_t nodes);

/// Rank r in slot r: nodes are filled one after the other. What launchers call block or by-slot, and "ABCDET"
/// of a five-dimensional torus. `ranksPerNode` 0 means as few as needed. Errors: InvalidArgument for too many
/// ranks.
Result<Placement> placeInBlocks(const Topology& topology, std::uint32_t ranks, std::uint32_t ranksPerNode);

/// By an order string as Blue Gene's `--mapping` takes it: A, B, C … name the dimensions of the machine's
/// numbering, T the core; the last letter varies fastest. T may be left out and then varies fastest. "block"
/// and "cyclic" are the orders with T last and T first. Errors: InvalidArgument for another string or too
/// many ranks.
Result<Placement> placeInOrder(const Topology& topology, std::uint32_t ranks, std::uint32_t ranksPerNode,
                               std::string_view order);

/// How the host names of an archive lead to the machine's nodes.
enum class HostNaming : std::uint8_t {
    Unknown,      ///< no host names, or no way to tell nodes by them
    NodeNames,    ///< the machine's nodes have these names
    NodeNumbers,  ///< names such as nid00762 number the machine's nodes
};

/// Tells whether host names say by themselves which nodes they are.
HostNaming hostNaming(const Topology& topology, std::span<const std::string> hosts);

/// From the host of each rank (hostsOfRanks for an archive's); ranks of one host take its cores in the order
/// of their numbers. Where the names do not say which node they are (hostNaming is Unknown), hosts in natural
/// order ("n9" before "n10") take the nodes in order. `ranksPerNode` 0 means as many as the fullest host has.
/// Errors: InvalidArgument for ranks without host, a host that is no node, or an overfull host.
Result<Placement> placeOnHosts(const Topology& topology, std::span<const std::string> hosts,
                               std::uint32_t ranksPerNode);

/// From a launcher's map: by the coordinates of its hosts where they have as many as the machine has
/// dimensions, else by their names as placeOnHosts does. `ranksPerNode` 0 means as many as the highest slot
/// needs. Errors: InvalidArgument for a host that is no node, or a slot that a node does not have.
Result<Placement> placeAsMapped(const Topology& topology, const RankMap& map, std::uint32_t ranksPerNode);

/// The host of each rank, from the system tree (the nearest ancestor of class "node", else the nearest of
/// all); empty texts where it is not recorded.
std::vector<std::string> hostsOfRanks(const Definitions& definitions);

/// The order in which a machine's own node numbers run through its dimensions, as for placeInOrder without T.
/// Cray XC with cabinet columns × 2 rows × 3 chassis × 16 blades × 4 nodes: "BACDE" (nid = 2304 B + 192 A +
/// 64 C + 4 D + E, with 12 columns; found in the published data of Theta). Other machines: the order of their
/// numbering.
std::string nodeNumberOrder(const Topology& topology);

/// The node that a machine's own number names, or kNoVertex.
VertexIndex nodeOfNumber(const Topology& topology, std::uint64_t number);

}  // namespace skein
