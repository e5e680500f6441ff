// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/flow_graph.h"
#include "algorithms/mapping/problem/swap_rules.h"
#include "core/machine/distances.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace skein {

/// What a new mapping must keep to. Ranks and nodes are numbered as in MappingProblem.
struct MappingConstraints {
    static constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

    std::vector<std::uint32_t> pinned;                 ///< ranks that keep their slot
    std::vector<std::vector<std::uint32_t>> together;  ///< the ranks of a group share a node
    std::vector<std::vector<std::uint32_t>> apart;     ///< the ranks of a group are on different nodes
    std::vector<std::uint32_t> freeNodes;              ///< nodes that are left empty
    std::vector<std::uint32_t> nodeCapacity;  ///< most ranks on each node; empty: ranksPerNode on all
    std::uint32_t coresPerSocket = 0;         ///< consecutive cores that form a socket; 0: one socket a node
    std::vector<std::uint32_t> socketCapacity;  ///< most ranks on each socket, node by node; empty: no limits
    std::uint32_t maxMoved = kNoLimit;          ///< most ranks whose slot changes
};

/// How much the ranks communicate, the machine, and where the ranks are now. Slot = node × ranksPerNode +
/// core.
struct MappingProblem {
    FlowGraph flow;
    Distances distances;
    std::uint32_t ranksPerNode = 1;
    std::vector<std::uint32_t> current;   ///< slot of each rank
    std::vector<std::uint8_t> openNodes;  ///< 1: the job may use the node; empty: all nodes
    MappingConstraints constraints;

    std::uint32_t slots() const { return distances.nodes() * ranksPerNode; }
    std::uint32_t coresPerSocket() const
    {
        return constraints.coresPerSocket == 0 ? ranksPerNode : constraints.coresPerSocket;
    }
    /// The last socket of a node may be smaller than the others.
    std::uint32_t socketsPerNode() const { return (ranksPerNode + coresPerSocket() - 1) / coresPerSocket(); }
    /// Sockets are numbered node by node.
    std::uint32_t socketOf(std::uint32_t slot) const
    {
        return slot / ranksPerNode * socketsPerNode() + slot % ranksPerNode / coresPerSocket();
    }
};

/// Which rank holds each slot; kNoRank for free slots.
std::vector<std::uint32_t> ranksOfSlots(std::span<const std::uint32_t> slotOfRank, std::uint32_t slots);

/// How many ranks of `after` are in another slot than in `before`.
std::uint32_t countMoved(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after);

/// The same nodes with as few changed cores as possible: ranks that stay on their node keep their slot, also
/// one that no rank has, where sockets have no capacities or it is of the same socket. Every constraint on
/// nodes and sockets stays met. O(slots).
std::vector<std::uint32_t> keepCores(const MappingProblem& problem, std::vector<std::uint32_t> slotOfRank);

/// True when a mapping is a valid placement that meets every constraint (maxMoved against `problem.current`).
bool satisfies(const MappingProblem& problem, std::span<const std::uint32_t> slotOfRank);

}  // namespace skein
