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

/// Brings the ranks of a mapping back to where they are now (`problem.current`), one swap after the other,
/// first the one that costs least hop-bytes for each rank that it brings home. The rank that is in the way
/// takes the other's slot, so every step is a placement, and one that keeps to the constraints where the
/// first does. Ranks of groups that stay together stay. Ranks that talk to those of a step are weighed anew,
/// as many as `weighings` for the whole way allow. Not thread-safe.
class HomeWalk {
public:
    HomeWalk(const MappingProblem& problem, const PreparedMapping& prepared,
             std::vector<std::uint32_t> slotOfRank, std::size_t weighings);

    /// False where no rank is left that may go home. O(degree²) at most.
    bool step();

    const std::vector<std::uint32_t>& slotOfRank() const { return slotOf_; }
    std::uint32_t moved() const { return moved_; }
    std::int64_t hopBytes() const { return hopBytes_; }
    /// What was done so far.
    const std::vector<SlotSwap>& swaps() const { return swaps_; }

private:
    struct WayHome {
        double priceOfRank = 0.0;  ///< hop-bytes for each rank that it brings home
        std::uint32_t rank = 0;
        bool operator>(const WayHome& other) const
        {
            return priceOfRank != other.priceOfRank ? priceOfRank > other.priceOfRank : rank > other.rank;
        }
    };

    bool away(std::uint32_t rank) const { return slotOf_[rank] != problem_.current[rank]; }
    bool grouped(std::uint32_t rank) const { return prepared_.groupOfRank[rank] != kNoRank; }
    std::uint32_t slotToLeave(std::uint32_t rank) const;
    std::uint32_t slotOnFullPlace(std::uint32_t home) const;
    void exchange(std::uint32_t slot, std::uint32_t other);
    bool mayGo(std::uint32_t rank) const;
    WayHome weighed(std::uint32_t rank) const;
    void weighPeers(std::uint32_t rank);
    void goHome(std::uint32_t rank);

    const MappingProblem& problem_;
    const PreparedMapping& prepared_;
    std::vector<std::uint32_t> slotOf_;
    std::vector<std::uint32_t> rankAt_;
    std::uint32_t moved_ = 0;
    std::int64_t hopBytes_ = 0;
    std::size_t peersOfStep_ = 0;
    std::priority_queue<WayHome, std::vector<WayHome>, std::greater<>> ways_;
    std::vector<SlotSwap> swaps_;
};

}  // namespace skein
