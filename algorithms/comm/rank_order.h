// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/comm/comm_matrix.h"
#include "core/definitions/definitions.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// In which order, and grouped how, the ranks of a communication matrix are shown.
namespace skein {

enum class RankOrder : std::uint8_t {
    Rank,       ///< by number
    Placement,  ///< by the host that they ran on, in natural order, then by number
    Cluster,    ///< those that exchange most beside each other
    Bandwidth,  ///< what is exchanged lies near the diagonal
};

/// Every rank once, in the order asked for. Cluster: pairs of groups that exchange most are joined, the
/// heaviest first, until no two exchange anything. Bandwidth: of the orders of Cuthill and McKee (1969,
/// reversed), of King (1970), the spectral one (spectralOrder()) and by number that in which the average byte
/// lies nearest to the diagonal.
/// `hosts` (of each rank) is asked for placement alone. Errors: NotRecorded for placement without hosts;
/// Cancelled. O(pairs log pairs).
Result<std::vector<std::uint32_t>> orderedRanks(const CommMatrix& matrix, RankOrder order,
                                                std::span<const std::string> hosts, const Task& task);

/// Bytes × |difference of positions|, on the average byte; 0 without bytes. O(pairs).
double meanDistanceFromDiagonal(const CommMatrix& matrix, std::span<const std::uint32_t> order);

/// Ranks that belong together, by name.
struct RankGroups {
    std::vector<std::string> names;      ///< in natural order
    std::vector<std::uint32_t> groupOf;  ///< of each rank
};

/// By the ancestors of this class in the archive's system tree ("node", "rack", …; case does not matter);
/// what ran below none of them is "(none)". Errors: InvalidArgument, with the classes that there are, for
/// another. O(locations · depth).
Result<RankGroups> rankGroups(const Definitions& definitions, std::string_view level, std::uint32_t ranks);

/// What groups send each other; entries of a group with itself are what its ranks exchange. O(pairs log).
CommMatrix groupedMatrix(const CommMatrix& matrix, const RankGroups& groups);

}  // namespace skein
