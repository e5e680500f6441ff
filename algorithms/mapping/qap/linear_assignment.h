// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// The smallest Σ cost[i][column(i)] over all ways to give each of n rows a column of its own, by shortest
/// augmenting paths (Jonker and Volgenant 1987). O(n³).
struct LinearAssignment {
    std::int64_t cost = 0;
    std::vector<std::uint32_t> columnOfRow;
};
LinearAssignment solveLinearAssignment(std::span<const std::int64_t> cost, std::uint32_t size);

}  // namespace skein
