// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/traffic.h"
#include "core/base/result.h"
#include "core/comm/comm_matrix.h"
#include "core/machine/topology.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// What communication is worst by: the metric rank view of Fujiwara et al. (VAST 2017), section 4.2.
namespace skein {

/// What can be ranked. Routes are pairs of nodes that exchange something. A degree is a number of messages
/// (section 3 of the paper); where the source does not tell messages, of partners.
enum class RankedMetric : std::uint8_t {
    RouteBytes,
    RouteLength,
    HopBytes,
    LinkBytes,
    InDegree,
    OutDegree,
    InMinusOut,  ///< of the published code, not of the paper
};

/// Whether the metric is one of ranks: of them only `source` is told.
bool isOfRanks(RankedMetric metric);
/// Whether values are bytes; else they are numbers of something.
bool isBytes(RankedMetric metric);
/// "route-bytes", in the order of the enumeration.
std::string_view name(RankedMetric metric);

struct RankedValue {
    std::uint32_t source = 0;  ///< a rank, or a vertex of the machine
    std::uint32_t target = 0;
    std::int64_t value = 0;
    /// Of the sum of all values without their signs, those up to this one; 0 to 1.
    double cumulativeShare = 0;

    bool operator==(const RankedValue&) const = default;
};

/// Every rank of the matrix, the greatest value first and lower ranks first among equals. O(n log n).
std::vector<RankedValue> rankedRanks(const CommMatrix& matrix, RankedMetric metric);

/// Every route, or link with a load, the greatest value first, else by source and target. Loads count
/// messages where traffic.unit says so. Errors: InvalidArgument for lengths and hop-bytes by a model that
/// splits messages, whose pairs have no single route, and for a metric of ranks. O(n log n).
Result<std::vector<RankedValue>> rankedRoutes(const Topology& topology, const Traffic& traffic,
                                              RankedMetric metric);

}  // namespace skein
