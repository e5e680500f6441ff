// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/force_layout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// The neighbours of every node of a layout's graph, each edge at both of its ends. Nodes of coarser levels
/// stand for several.
struct PullGraph {
    struct Neighbour {
        std::uint32_t node = 0;
        float weight = 1;
    };

    std::vector<std::uint32_t> first{0};  ///< neighbours of v: [first[v], first[v + 1])
    std::vector<Neighbour> neighbours;    ///< by node
    std::vector<float> mass;              ///< nodes of the finest level that a node stands for

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(mass.size()); }
    std::span<const Neighbour> of(std::uint32_t node) const
    {
        return {neighbours.data() + first[node], first[node + 1] - first[node]};
    }
};

/// What becomes of weights: their square root against that of the mean, within 1/16 … 16, as layouts are
/// legible with, or what they are.
enum class PullWeights : std::uint8_t { Softened, AsTold };

/// The graph with edges of the same two nodes added up. Errors: as forceLayout(). O(edges log).
Result<PullGraph> pullGraph(const LayoutGraph& graph, PullWeights weights = PullWeights::Softened);

/// A coarser graph and which of its nodes each node became a part of.
struct Coarsening {
    PullGraph graph;
    std::vector<std::uint32_t> parent;
};

/// Joins each node with that neighbour to which its edge is the heaviest for what both stand for (Karypis,
/// Kumar 1998), and what then is left with others that are left around the same neighbour. Nodes are asked in
/// an order of the seed. No node is joined with a neighbour by less than `leastPart` of its heaviest edge.
/// O(edges log).
Coarsening coarsened(const PullGraph& graph, std::uint64_t seed, double leastPart = 0);

/// The number of its connected part for each node, in the order of their lowest nodes. O(edges).
std::vector<std::uint32_t> connectedParts(const PullGraph& graph);

}  // namespace skein
