// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/problem/mapping_problem.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace skein {

/// Two slots whose ranks change places.
struct SlotSwap {
    std::uint32_t slot = 0;
    std::uint32_t other = 0;
};

/// Path relinking (Glover 1996): leads from a mapping back to the current placement (`problem.current`), one
/// swap at a time, first the one that costs the fewest hop-bytes for each rank that it returns. The rank in
/// the way takes the other's slot, so every step is a placement, and it meets the constraints where the first
/// mapping does. Ranks of groups that stay together do not move. After a step the peers of its ranks are
/// evaluated again, as many as `evaluations` for the whole path allow. Not thread-safe.
class PathRelinking {
public:
    PathRelinking(const MappingProblem& problem, const PreparedMapping& prepared,
                  std::vector<std::uint32_t> slotOfRank, std::size_t evaluations);

    /// False where no rank is left that may return. O(degree²) at most.
    bool step();

    const std::vector<std::uint32_t>& slotOfRank() const { return slotOf_; }
    std::uint32_t moved() const { return moved_; }
    std::int64_t hopBytes() const { return hopBytes_; }
    /// What was done so far.
    const std::vector<SlotSwap>& swaps() const { return swaps_; }

private:
    struct Return {
        double costPerRank = 0.0;  ///< hop-bytes for each rank that it returns
        std::uint32_t rank = 0;
        bool operator>(const Return& other) const
        {
            return costPerRank != other.costPerRank ? costPerRank > other.costPerRank : rank > other.rank;
        }
    };

    bool away(std::uint32_t rank) const { return slotOf_[rank] != problem_.current[rank]; }
    bool grouped(std::uint32_t rank) const { return prepared_.groupOfRank[rank] != kNoRank; }
    std::uint32_t slotToLeave(std::uint32_t rank) const;
    std::uint32_t slotOnFullPlace(std::uint32_t home) const;
    void exchange(std::uint32_t slot, std::uint32_t other);
    bool mayReturn(std::uint32_t rank) const;
    Return evaluated(std::uint32_t rank) const;
    void evaluatePeers(std::uint32_t rank);
    void returnRank(std::uint32_t rank);

    const MappingProblem& problem_;
    const PreparedMapping& prepared_;
    std::vector<std::uint32_t> slotOf_;
    std::vector<std::uint32_t> rankAt_;
    std::uint32_t moved_ = 0;
    std::int64_t hopBytes_ = 0;
    std::size_t peersPerStep_ = 0;
    std::priority_queue<Return, std::vector<Return>, std::greater<>> returns_;
    std::vector<SlotSwap> swaps_;
};

}  // namespace skein
