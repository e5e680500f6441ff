// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/outlier_points.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Cells of a picture of calls by entry (columns, over the choice's span) and duration (rows, logarithmic).
struct DensityGrid {
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    double shortestNs = 1;  ///< at the lower edge; shorter calls count there
    double longestNs = 10;  ///< at the upper edge; longer calls count there

    /// 0 is the row of the shortest calls.
    std::uint32_t rowOf(TimeNs duration) const;
};

/// How many calls are in each cell.
struct DurationDensity {
    DensityGrid grid;
    TimeSpan span;
    std::vector<float> calls;  ///< [column · rows + row]
    bool sampled = false;      ///< estimated from some of the calls

    float at(std::uint32_t column, std::uint32_t row) const
    {
        return calls[std::size_t{column} * grid.rows + row];
    }
};

inline constexpr std::uint64_t kMostCallsLookedAt = 1u << 20;  ///< up to here all of them are
inline constexpr std::uint32_t kDensityLocations =
    16;  ///< of a column beyond that, another 16 for the next column
inline constexpr std::uint32_t kDensityCalls = 64;  ///< of each of them, in four runs of neighbours

/// Adds the chosen calls to the cells, also those that are outliers. Looks at all of them where there are at
/// most 2^20, otherwise at no more than 16 locations × 64 calls a column, which stand for the others: never
/// more than that, however many there are. False when it was told to stop.
bool addDurations(const Experiment& experiment, const CallChoice& choice, DurationDensity& density,
                  const Task& task);

}  // namespace skein
