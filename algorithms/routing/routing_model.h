// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// How a machine sends its messages. docs/MACHINES.md tells each model's rule and source.
enum class RoutingKind : std::uint8_t {
    DimensionOrder,  ///< grids: one dimension after the other, the shorter way round
    DModK,    ///< fat trees: up by the destination's digits, then down (Zahavi, Johnson, Kerbyson, Lang 2010)
    Ecmp,     ///< every vertex splits a flow evenly among its links on shortest paths
    Minimal,  ///< dragonflies: at most one global cable
    ShortestPath,  ///< a shortest path, at each vertex to the neighbour with the lowest number
    Valiant,       ///< dragonflies: minimal to a group in between and on, all of them equally often
};

/// Which way a ring is gone when both are equally long.
enum class TieRule : std::uint8_t {
    SourceParity,  ///< towards higher positions from an even position, to lower from an odd one: Blue Gene/Q
    Positive,      ///< towards higher positions
};

struct RoutingModel {
    RoutingKind kind = RoutingKind::ShortestPath;
    std::vector<std::uint8_t> order;  ///< DimensionOrder: dimensions in the order in which they are gone
    TieRule tie = TieRule::SourceParity;

    /// True when one message takes several ways at once, so that it has no single route.
    bool splits() const { return kind == RoutingKind::Ecmp || kind == RoutingKind::Valiant; }
    bool operator==(const RoutingModel&) const = default;
};

/// A partition of Blue Gene/Q whose dimension order is known from recorded routes.
struct KnownPartition {
    std::string_view spec;   ///< as for makeTopology
    std::string_view order;  ///< "DBACE"
    std::string_view where;  ///< where it was seen, and what of the order is assumed
};

/// The partitions of the published data (docs/MACHINES.md), by size.
std::vector<KnownPartition> knownPartitions();

/// What a machine does unless told otherwise: dimension order on grids (a known partition's order, the last
/// level first where all dimensions are all-to-all, else A first), minimal on dragonflies, D-mod-k on fat
/// trees, shortest paths elsewhere.
RoutingModel usualRouting(const Topology& topology);

/// "auto", "d-mod-k", "ecmp", "minimal", "shortest", "valiant", "dimension-order", "dimension-order:DBACE",
/// "dimension-order:ABC,tie=positive". Errors: InvalidArgument for another text or a model that the machine
/// cannot have.
Result<RoutingModel> parseRoutingModel(std::string_view text, const Topology& topology);

/// "dimension-order:DBACE" …: what parseRoutingModel takes.
std::string name(const RoutingModel& model);

}  // namespace skein
