// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Places for the nodes of a graph in the plane, so that what belongs together lies together.
namespace skein {

struct PlanePoint {
    double x = 0;
    double y = 0;
    bool operator==(const PlanePoint&) const = default;
};

/// Two nodes that pull each other. Direction does not matter; edges of the same two nodes add up, an edge of
/// a node with itself counts for nothing.
struct LayoutEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double weight = 1;  ///< finite and not below 0; only ratios count, by their square root
};

struct LayoutGraph {
    std::uint32_t nodes = 0;
    std::vector<LayoutEdge> edges;
    /// Of each node, in the mean length of an edge; empty: points. Circles are moved apart in the end.
    std::vector<double> radii = {};
};

/// A layout as far as it has come: a place for every node.
using LayoutPicture = std::function<void(std::span<const PlanePoint>)>;

struct LayoutParams {
    std::uint64_t seed = 1;
    /// Places of an earlier layout; not a number where a node is new. The layout begins there and changes no
    /// more than it must. Empty, or of fewer than half of the nodes: begins from nothing.
    std::span<const PlanePoint> start = {};
    /// Nodes that stay at their place of `start`; empty: none.
    std::vector<char> fixed = {};
    /// Called with ever better pictures, at most every `pictureMs`; has no influence on the result.
    LayoutPicture picture = {};
    int pictureMs = 100;
};

/// The spring-electrical model of Hu (2005): nodes push each other away with 1/distance (1/distance² where
/// many nodes have one neighbour), edges pull with distance^1.5, times the square root of their weight
/// against the mean. The paper pulls with distance²; less keeps more neighbours near (docs/COMMUNICATION.md).
/// Multilevel: heavy edges are contracted until few nodes are left, which are laid out first; far nodes push
/// as one (Barnes, Hut 1986). Parts that are not connected are held together by a pull on each part as a
/// whole. The mean length of an edge is 1 in the end, the middle at 0 and the longer side lies; where `start`
/// is followed, its scale and place are kept. The same bits on any number of threads. Errors: InvalidArgument
/// for edges of nodes that there are not, weights below 0 or not finite, or lists of another length;
/// Cancelled. O((nodes log nodes + edges) · iterations).
Result<std::vector<PlanePoint>> forceLayout(const LayoutGraph& graph, const LayoutParams& params,
                                            const Task& task);

}  // namespace skein
