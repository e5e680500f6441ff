// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// A product of rings, lines and complete graphs; every vertex is a node and every step one hop. A ring of
/// two positions has one cable, as the published routes of Blue Gene/Q show. Errors: InvalidArgument,
/// OutOfMemory, Cancelled.
Result<Topology> makeGrid(std::vector<GridDimension> dimensions, std::string spec, const Task& task = Task());

/// To which group port p of a group leads (a = routers a group, h = global cables a router, g = groups; ports
/// of a group are p = 0 … a·h-1, p/h is the router). Hastings et al. 2015, "Comparing global link
/// arrangements for dragonfly networks", and Camarero, Vallejo, Beivide 2014.
enum class GlobalLinkRule : std::uint8_t {
    Circulant,    ///< offsets +1, -1, +2, -2, … in turn
    Consecutive,  ///< port p leads to group p, the own group left out
    Palmtree,     ///< port p leads to group (own - p - 1) mod g
    Relative,     ///< port p leads to group (own + p + 1) mod g; what SimGrid and the network literature's
                  ///< checks use
};

std::string_view name(GlobalLinkRule rule);

struct DragonflyParameters {
    DragonflyShape shape;
    std::uint32_t globalLinksPerRouter = 0;  ///< 0: as few as connect every pair of groups
    GlobalLinkRule rule = GlobalLinkRule::Consecutive;
    float columnCapacity = 1.0f;  ///< of links inside a column, relative to all others
};

/// Nodes, then routers by group, row and column. Each node hangs on its router by one cable. Two groups that
/// the rule joins k times have k cables; where g-1 does not divide a·h the ports left over stay unused.
/// Errors: InvalidArgument where two groups would have no cable; OutOfMemory.
Result<Topology> makeDragonfly(const DragonflyParameters& parameters, std::string spec,
                               const Task& task = Task());

/// Nodes, then routers level by level from below. Errors: InvalidArgument, OutOfMemory.
Result<Topology> makeFatTree(const FatTreeShape& shape, std::string spec, const Task& task = Task());

/// The number of vertices of a fat tree's level (0 = nodes).
std::uint64_t fatTreeLevelSize(const FatTreeShape& shape, std::size_t level);

/// The index within level+1 of the parent number `up` (0 … w-1) of vertex `index` of `level`.
std::uint32_t fatTreeParent(const FatTreeShape& shape, std::size_t level, std::uint32_t index,
                            std::uint32_t up);

}  // namespace skein
