// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// How many more ranks the nodes and sockets of a problem may hold. Keeps a reference to the problem.
class CapacityLeft {
public:
    explicit CapacityLeft(const MappingProblem& problem);

    /// Takes a slot for a rank; false if its node or socket is full.
    bool take(std::uint32_t slot);
    std::uint32_t onNode(std::uint32_t node) const { return onNode_[node]; }

private:
    const MappingProblem& problem_;
    std::vector<std::uint32_t> onNode_;
    std::vector<std::uint32_t> onSocket_;
};

/// 1 for slots that ranks may take: as many as nodes and sockets hold. Those of pinned ranks come first, then
/// those of `preferred` (slots of ranks), then those that ranks hold now, so that a rank within the
/// capacities need not move. O(slots + ranks).
std::vector<std::uint8_t> usableSlots(const MappingProblem& problem,
                                      std::span<const std::uint32_t> preferred);

}  // namespace skein
