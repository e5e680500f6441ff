// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/link_amounts.h"
#include "core/base/result.h"
#include "core/comm/comm_matrix.h"
#include "core/definitions/definitions.h"
#include "core/machine/rank_map.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Closes the loop of a remapping: did the rerun run where the map said, and did it send what was predicted?
namespace skein {

/// Host names are the same when they are equal, or when one is the other without its domain.
bool sameHost(std::string_view a, std::string_view b);

/// A rank that ran on another host than the map says.
struct MisplacedRank {
    std::uint32_t rank = 0;
    std::string wanted;
    std::string found;  ///< empty where the archive tells no host
};

struct PlacementCheck {
    std::size_t compared = 0;              ///< ranks of the map
    std::vector<MisplacedRank> misplaced;  ///< by rank
    std::size_t unknown = 0;               ///< of those, ranks whose host the archive does not tell
};

/// Compares the hosts of a map with those that an archive recorded for its ranks, by sameHost. Errors:
/// NotRecorded where the archive has another number of ranks than the map. O(ranks).
Result<PlacementCheck> checkPlacement(const RankMap& map, const Definitions& definitions);

/// Bytes of one item, predicted and measured.
struct PredictedBytes {
    std::uint32_t from = 0;  ///< sender's rank, or the link's first vertex
    std::uint32_t to = 0;
    std::uint64_t predicted = 0;
    std::uint64_t measured = 0;

    /// Measured over predicted less one; infinite where nothing was predicted but something measured.
    double relativeDifference() const;
};

/// Every pair of ranks that either matrix has, by (sender, receiver).
std::vector<PredictedBytes> comparePairs(const CommMatrix& predicted, const CommMatrix& measured);

/// Every link that either of two loads uses, by number.
std::vector<PredictedBytes> compareLinks(const Topology& topology, const LinkAmounts& predicted,
                                         const LinkAmounts& measured);

}  // namespace skein
